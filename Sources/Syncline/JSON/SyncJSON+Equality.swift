extension SyncJSON: Hashable {
  /// Whether two values are equal. Numbers are compared by value, so `1.0` equals `1`; strings byte by byte; objects regardless
  /// of the order of their members.
  public static func == (left: SyncJSON, right: SyncJSON) -> Bool {
    // Without recursion, because a deep value would overflow the stack.
    var pair = (left, right)
    var rest: [(SyncJSON, SyncJSON)] = []
    while true {
      switch pair {
      case (.null, .null): break
      case (.bool(let left), .bool(let right)): guard left == right else { return false }
      case (.number(let left), .number(let right)): guard left == right else { return false }
      case (.string(let left), .string(let right)): guard left.isIdentical(to: right) else { return false }
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        if left.storage !== right.storage { rest += zip(left, right) }
      case (.object(let left), .object(let right)):
        guard left.count == right.count else { return false }
        if left.storage === right.storage { break }
        for (key, value) in left {
          guard let other = right[key] else { return false }
          rest.append((value, other))
        }
      default: return false
      }
      guard let next = rest.popLast() else { return true }
      pair = next
    }
  }

  public func hash(into hasher: inout Hasher) {
    hash(into: &hasher, levels: 16)
  }

  /// Hashes only the top levels, which are equal in equal values.
  private func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(String.UTF8Key(value))
    case .array(let elements):
      hasher.combine(elements.count)
      guard levels > 0 else { return }
      for element in elements { element.hash(into: &hasher, levels: levels - 1) }
    case .object(let members):
      hasher.combine(members.count)
      guard levels > 0 else { return }
      // The order of the members does not matter. Rows have the same keys, so their values count.
      var sum = 0
      for (key, value) in members {
        var member = Hasher()
        member.combine(String.UTF8Key(key))
        value.hash(into: &member, levels: levels - 1)
        sum &+= member.finalize()
      }
      hasher.combine(sum)
    }
  }
}

extension SyncJSON: CustomReflectable {
  /// No children: a tool that displays values through reflection would recurse without limit.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

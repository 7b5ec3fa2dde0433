/// What a value is made of, read from the text that stores remember it by.
package indirect enum ValueShape: Hashable {
  case scalar(SyncStoredType.Scalar)
  case list(ValueShape)
  case map(ValueShape)
  case structure([Member])
  /// The struct that is so many structs further out.
  case outer(Int)

  package struct Member: Hashable {
    package let name: String
    package let shape: ValueShape
    package let isOptional: Bool
  }

  /// Nil for a text that is none.
  package init?(_ text: String) {
    var rest = Substring(text)
    guard let shape = ValueShape.read(&rest), rest.isEmpty else { return nil }
    self = shape
  }

  /// Whether it is more than a scalar or a list of them.
  var isMade: Bool {
    switch self {
    case .scalar, .list(.scalar): false
    default: true
    }
  }

  /// Whether each value of the shape is read as one of another as it is stored: what is new in that is optional, and what it
  /// has no more is passed over.
  func isKept(as other: ValueShape) -> Bool {
    switch (self, other) {
    case (.scalar(let own), .scalar(let others)):
      return SyncStoredType(own).isKept(as: SyncStoredType(others))
    case (.list(let own), .list(let others)), (.map(let own), .map(let others)):
      return own.isKept(as: others)
    case (.structure(let own), .structure(let others)):
      return others.allSatisfy { member in
        guard let former = own.first(where: { $0.name == member.name }) else { return member.isOptional }
        return former.shape.isKept(as: member.shape) && (member.isOptional || !former.isOptional)
      }
    case (.outer(let own), .outer(let others)): return own == others
    default: return false
    }
  }

  private static let depthLimit = 64

  private static func read(_ text: inout Substring, depth: Int = 0) -> ValueShape? {
    guard depth < depthLimit else { return nil }
    func skip(_ token: String) -> Bool {
      guard text.hasPrefix(token) else { return false }
      text.removeFirst(token.count)
      return true
    }
    func word() -> String {
      let word = text.prefix { !" :,?[]{}^".contains($0) }
      text.removeFirst(word.count)
      return String(word)
    }
    if skip("[String: ") {
      guard let value = read(&text, depth: depth + 1), skip("]") else { return nil }
      return .map(value)
    }
    if skip("[") {
      guard let element = read(&text, depth: depth + 1), skip("]") else { return nil }
      return .list(element)
    }
    if skip("^") { return Int(word()).map(ValueShape.outer) }
    guard skip("{") else { return SyncStoredType.Scalar(rawValue: word()).map(ValueShape.scalar) }
    var members: [Member] = []
    while !text.hasPrefix("}") {
      if !members.isEmpty { guard skip(", ") else { return nil } }
      let name = word()
      guard !name.isEmpty, skip(": "), let shape = read(&text, depth: depth + 1) else { return nil }
      members.append(Member(name: name, shape: shape, isOptional: skip("?")))
    }
    return skip("}") ? .structure(members) : nil
  }
}

/// A key, or a path through JSON objects and lists: `state.id`, `edges[].node`, `images[0].url`, `devices{}`, `names{name}`.
public struct RemotePath: Sendable, Hashable {
  /// One step of a path.
  public enum Step: Sendable, Hashable {
    /// The member of an object.
    case member(String)
    /// The element of a list, counted from 0.
    case index(Int)
    /// Each element of a list.
    case each
    /// Each member of an object, whose key is the identity of its row. A value that is not an object is the value of the
    /// property.
    case members(property: String?)

    /// Whether the step selects many values.
    public var isMany: Bool {
      switch self {
      case .member, .index: false
      case .each, .members: true
      }
    }
  }

  /// The error for a string that is not a path.
  public struct Mistake: Error, CustomStringConvertible {
    /// The message, after “… is not a valid key:”.
    public let description: String
    /// The position of the mistake in the string, in UTF-8.
    public let range: Range<Int>
  }

  /// The steps. The first is a member.
  public let steps: [Step]

  /// Whether the path selects many values.
  public var isMany: Bool { steps.contains(where: \.isMany) }
  /// Whether it has steps into lists or maps.
  public var hasSteps: Bool {
    steps.contains { if case .member = $0 { false } else { true } }
  }

  /// Parses a path.
  public init(_ text: String) throws(Mistake) {
    var steps: [Step] = []
    var offset = 0
    for component in text.split(separator: ".", omittingEmptySubsequences: false) {
      let count = component.utf8.count
      let name = component.prefix { $0 != "[" && $0 != "{" }
      guard !name.isEmpty else {
        let isBare = component.isEmpty
        throw Mistake(
          description: isBare
            ? "a name in the path is empty"
            : "“\(component)” must follow a name",
          range: isBare && offset > 0 ? (offset - 1)..<offset : offset..<(offset + max(1, count)))
      }
      steps.append(.member(String(name)))
      var rest = component.dropFirst(name.count)
      while !rest.isEmpty {
        let start = offset + count - rest.utf8.count
        steps.append(try RemotePath.step(&rest, at: start))
      }
      offset += count + 1
    }
    self.steps = steps
  }

  /// Removes and returns the first step into a list or a map.
  private static func step(_ text: inout Substring, at start: Int) throws(Mistake) -> Step {
    let isList = text.first == "["
    guard isList || text.first == "{", let end = text.firstIndex(of: isList ? "]" : "}") else {
      throw Mistake(
        description: "“\(text)” is not a valid step: write “[]”, “[0]”, “{}” or “{name}”",
        range: start..<(start + text.utf8.count))
    }
    let step = text[...end]
    let inner = step.dropFirst().dropLast()
    let range = start..<(start + step.utf8.count)
    text = text[text.index(after: end)...]
    guard isList else {
      guard inner.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
        throw Mistake(description: "“\(inner)” is no name of a property", range: range)
      }
      return .members(property: inner.isEmpty ? nil : String(inner))
    }
    guard !inner.isEmpty else { return .each }
    guard inner.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let index = Int(inner), index <= indexLimit
    else {
      throw Mistake(
        description: "“\(step)” is not a list index: indexes are 0 to \(indexLimit)",
        range: range)
    }
    return .index(index)
  }

  /// The limit is needed because exports write a list up to the index.
  private static let indexLimit = 99
}

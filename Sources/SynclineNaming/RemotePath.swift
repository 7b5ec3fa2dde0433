/// A key, or a path through the objects and lists of JSON: `state.id`, `edges[].node`, `images[0].url`, `devices{}`, `names{name}`.
public struct RemotePath: Sendable, Hashable {
  /// One step of a path.
  public enum Step: Sendable, Hashable {
    /// The member of an object.
    case member(String)
    /// The element of a list, counted from 0.
    case index(Int)
    /// Each element of a list.
    case each
    /// Each member of an object, whose key is the identity of its row. What is no object is the value of a property.
    case members(property: String?)

    /// Whether it leads to many values.
    public var isMany: Bool {
      switch self {
      case .member, .index: false
      case .each, .members: true
      }
    }
  }

  /// What is wrong with a text that is no path.
  public struct Mistake: Error, CustomStringConvertible {
    /// The sentence, behind “… is no key:”.
    public let description: String
    /// Where it is in the text, in UTF-8.
    public let range: Range<Int>
  }

  /// The steps. The first is a member.
  public let steps: [Step]

  /// Whether it leads to many values.
  public var isMany: Bool { steps.contains(where: \.isMany) }
  /// Whether it has steps into lists or maps.
  public var hasSteps: Bool {
    steps.contains { if case .member = $0 { false } else { true } }
  }

  /// Reads a path.
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
            ? "a name between its dots is empty"
            : "“\(component)” is a step of nothing: a name stands before it",
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

  /// Takes the first step into a list or a map off a text.
  private static func step(_ text: inout Substring, at start: Int) throws(Mistake) -> Step {
    let isList = text.first == "["
    guard isList || text.first == "{", let end = text.firstIndex(of: isList ? "]" : "}") else {
      throw Mistake(
        description: "“\(text)” is no step: there are “[]”, “[0]”, “{}” and “{name}”",
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
        description: "“\(step)” is no place in a list: places are counted from 0, to \(indexLimit)",
        range: range)
    }
    return .index(index)
  }

  /// Export writes a list up to the place.
  private static let indexLimit = 99
}

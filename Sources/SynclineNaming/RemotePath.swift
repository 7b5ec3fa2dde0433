/// A key, or a path through JSON objects and lists: `state.id`, `edges[].node`, `images[0].url`, `devices{}`, `names{name}`,
/// `fields."System.Title"`, `attributes[code:value].color`.
package struct RemotePath: Sendable, Hashable {
  /// One step of a path.
  package enum Step: Sendable, Hashable {
    /// The member of an object.
    case member(String)
    /// The element of a list, counted from 0.
    case index(Int)
    /// Each element of a list.
    case each
    /// Each member of an object that is used as a map of rows. The member's key is the identity of the row. A member that is not
    /// an object is the value of the property.
    case members(property: String?)
    /// A list of pairs, used as an object: each element contains a name and a value under these keys.
    case pairs(name: String, value: String)

    /// Whether the step selects many values.
    package var isMany: Bool {
      switch self {
      case .member, .index, .pairs: false
      case .each, .members: true
      }
    }
  }

  /// Thrown if a string is not a path.
  package struct Mistake: Error, CustomStringConvertible {
    /// The message, which follows “… is not a valid key:”.
    package let description: String
    /// The UTF-8 range of the mistake in the string.
    package let range: Range<Int>
  }

  /// The steps. The first is a member, or leads into a list or a map.
  package let steps: [Step]
  /// The indices of quoted members. A quoted member is never joined with others to one key.
  private let quoted: Set<Int>

  /// The path of the row's object itself. A to-one relationship with this path reads another row from the same object.
  package static let itself = "."
  /// The maximum number of nested levels in JSON text.
  private static let stepLimit = 512

  /// Whether the path selects many values.
  package var isMany: Bool { steps.contains(where: \.isMany) }
  /// Whether it has steps into lists or maps.
  package var hasSteps: Bool {
    steps.contains { if case .member = $0 { false } else { true } }
  }

  /// Whether any of its names is in quotes.
  package var hasQuotes: Bool { !quoted.isEmpty }

  /// The unquoted member names from a step on, up to the first other step. An object may contain them as one key, joined with
  /// dots.
  package func names(from start: Int) -> [String] {
    var names: [String] = []
    for index in steps.indices.dropFirst(start) {
      guard case .member(let name) = steps[index], !quoted.contains(index) else { break }
      names.append(name)
    }
    return names
  }

  /// Parses a path.
  package init(_ text: String) throws(Mistake) {
    var steps: [Step] = []
    var quoted: Set<Int> = []
    var offset = 0
    for component in RemotePath.components(of: text) {
      let count = component.utf8.count
      var rest = component
      if let name = try RemotePath.quotedName(&rest, at: offset) {
        quoted.insert(steps.count)
        steps.append(.member(name))
      } else {
        let name = component.prefix { $0 != "[" && $0 != "{" }
        // The path in a sync call may begin inside a list, or inside an object whose members are rows.
        let isStep =
          component.first == "[" && component.last == "]" || component.first == "{" && component.last == "}"
        guard !name.isEmpty || (offset == 0 && isStep) else {
          let isBare = component.isEmpty
          throw Mistake(
            description: isBare
              ? "a name in the path is empty"
              : "“\(component)” must follow a name",
            range: isBare && offset > 0 ? (offset - 1)..<offset : offset..<(offset + max(1, count)))
        }
        if !name.isEmpty { steps.append(.member(String(name))) }
        rest = component.dropFirst(name.count)
      }
      while !rest.isEmpty {
        let start = offset + count - rest.utf8.count
        steps.append(try RemotePath.step(&rest, at: start))
      }
      offset += count + 1
      guard steps.count <= RemotePath.stepLimit else {
        throw Mistake(
          description: "a path has at most \(RemotePath.stepLimit) parts, as JSON has no more levels",
          range: 0..<text.utf8.count)
      }
    }
    self.steps = steps
    self.quoted = quoted
    for (index, step) in steps.enumerated() {
      guard case .pairs(let name, let value) = step else { continue }
      if index + 1 < steps.count, case .member = steps[index + 1] { continue }
      throw Mistake(
        description: "a dot and the name of a pair must follow “[\(name):\(value)]”",
        range: 0..<text.utf8.count)
    }
  }

  /// The parts of a path between its dots. A quoted part may contain dots.
  package static func components(of text: String) -> [Substring] {
    guard text.utf8.contains(UInt8(ascii: "\"")) else {
      return text.split(separator: ".", omittingEmptySubsequences: false)
    }
    var components: [Substring] = []
    var start = text.startIndex
    var isQuoted = false
    for index in text.indices {
      switch text[index] {
      case "\"" where isQuoted: isQuoted = false
      case "\"" where index == start: isQuoted = true
      case "." where !isQuoted:
        components.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return components + [text[start...]]
  }

  /// The index that a path begins with, if rows are arrays; nil for a path from an object.
  package static func place(of text: String) -> Int? {
    guard text.utf8.first == UInt8(ascii: "["), case .index(let place)? = (try? RemotePath(text))?.steps.first
    else { return nil }
    return place
  }

  /// The path from the row's object for a path in an attribute, which is relative to a prefix unless it begins with a dot.
  package static func rooted(_ text: String, below prefix: String?) -> String {
    if text == itself { return text }
    if text.utf8.first == UInt8(ascii: ".") { return String(text.dropFirst()) }
    guard let prefix else { return text }
    return text.utf8.first == UInt8(ascii: "[") ? prefix + text : "\(prefix).\(text)"
  }

  /// A key as part of a path: in quotes if it would otherwise be read as a path; nil if a path cannot express it.
  package static func part(_ key: String) -> String? {
    key.isEmpty ? nil : [key, "\"\(key)\""].first { (try? RemotePath($0))?.steps == [.member(key)] }
  }

  /// The path without quotes. Two keys that differ only in quotes are the same key.
  package static func unquoted(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\"")) else { return text }
    return components(of: text)
      .map { component -> String in
        guard component.first == "\"" else { return String(component) }
        let name = component.dropFirst()
        let end = name.firstIndex(of: "\"") ?? name.endIndex
        return "\(name[..<end])\(name[end...].dropFirst())"
      }
      .joined(separator: ".")
  }

  /// Removes and returns the quoted name at the start of a component; nil if the name is not quoted.
  private static func quotedName(_ component: inout Substring, at start: Int) throws(Mistake) -> String? {
    guard component.first == "\"" else { return nil }
    guard let end = component.dropFirst().firstIndex(of: "\"") else {
      throw Mistake(
        description: "the quote before “\(component.dropFirst())” is not closed",
        range: start..<(start + component.utf8.count))
    }
    let name = component[..<end].dropFirst()
    component = component[component.index(after: end)...]
    return String(name)
  }

  /// Removes and returns the first step, which leads into a list or a map.
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
        throw Mistake(description: "“\(inner)” is not a property name", range: range)
      }
      return .members(property: inner.isEmpty ? nil : String(inner))
    }
    guard !inner.isEmpty else { return .each }
    if inner.contains(":") {
      let names = inner.split(separator: ":", omittingEmptySubsequences: false)
      guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else {
        throw Mistake(description: "“\(step)” does not name the two keys of a pair", range: range)
      }
      return .pairs(name: String(names[0]), value: String(names[1]))
    }
    guard inner.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let index = Int(inner), index <= indexLimit
    else {
      throw Mistake(
        description: "“\(step)” is not a list index: indexes are 0 to \(indexLimit)",
        range: range)
    }
    // An index has only one spelling, so that keys can be compared as strings.
    guard inner.utf8.count == 1 || inner.utf8.first != UInt8(ascii: "0") else {
      throw Mistake(description: "“\(step)” has a leading zero: write “[\(index)]”", range: range)
    }
    return .index(index)
  }

  /// The maximum index. It is limited because an export writes all elements up to the index.
  private static let indexLimit = 99
}

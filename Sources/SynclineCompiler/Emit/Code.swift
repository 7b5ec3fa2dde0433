/// A piece of Swift: text that stays on one line, or a list that may be broken into a line for each element.
indirect enum Code: ExpressibleByStringInterpolation {
  case text(String)
  case list(opening: String, [Code], closing: String)
  case joined([Code])

  @inline(never)
  init(stringLiteral text: String) { self = .text(text) }

  @inline(never)
  init(stringInterpolation text: DefaultStringInterpolation) { self = .text(text.description) }

  static func literal(_ text: String) -> Code { .text(SwiftText.literal(text)) }

  @inline(never)
  static func call(_ function: String, _ arguments: [Code]) -> Code {
    .list(opening: function + "(", arguments, closing: ")")
  }

  @inline(never)
  static func array(_ elements: [Code]) -> Code {
    .list(opening: "[", elements, closing: "]")
  }

  /// Two parts such as `left = right`. If both are too long for one line, the second part moves to a new line.
  @inline(never)
  static func pair(_ left: String, _ right: Code) -> Code {
    .list(opening: left + " ", [right], closing: "")
  }

  /// A declaration of a type with its conformances.
  @inline(never)
  static func declaration(_ name: String, conformances: [String]) -> Code {
    .list(opening: name + ": ", conformances.map { .text($0) }, closing: "")
  }

  @inline(never)
  static func + (left: Code, right: Code) -> Code { .joined([left, right]) }

  /// The code on one line.
  var flat: String {
    switch self {
    case .text(let text): text
    case .list(let opening, let elements, let closing):
      opening + elements.map(\.flat).joined(separator: ", ") + closing
    case .joined(let pieces): pieces.map(\.flat).joined()
    }
  }

  /// The consecutive pieces, with nested joins flattened.
  private var pieces: [Code] {
    if case .joined(let pieces) = self { pieces.flatMap(\.pieces) } else { [self] }
  }

  /// The code as lines within a limit. The longest list is broken first, then the lists inside it. A single name or string that
  /// exceeds the limit is not broken.
  func lines(limit: Int) -> [String] {
    let flat = flat
    guard flat.count > limit else { return [flat] }
    let pieces = pieces
    let lists = pieces.indices.filter { pieces[$0].isBreakable }
    guard let broken = lists.max(by: { pieces[$0].flat.count < pieces[$1].flat.count }),
      case .list(let opening, let elements, let closing) = pieces[broken]
    else { return [flat] }
    let before = pieces[..<broken].map(\.flat).joined()
    if let call = pieces[broken].endingInList(limit: limit - before.count) {
      let rest = pieces[(broken + 1)...]
      return Code.joined([.list(opening: before + call.opening, call.elements, closing: "])")] + rest)
        .lines(limit: limit)
    }
    let isOpen = closing.isEmpty && opening.hasSuffix(" ")
    var lines = [before + (isOpen ? String(opening.dropLast()) : opening)]
    lines += Code.lines(of: elements, areArguments: closing == ")", limit: limit - 2).map { "  " + $0 }
    // The code after the list may contain another list that must be broken.
    let rest = Code.joined([.text(closing)] + pieces[(broken + 1)...]).lines(limit: limit)
    return lines + (isOpen ? rest.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty } : rest)
  }

  /// The elements of a broken list, each on its own line. Arguments stay together if they fit on one line, at least without the
  /// elements of the last one.
  private static func lines(of elements: [Code], areArguments: Bool, limit: Int) -> [String] {
    if areArguments, elements.count > 1 {
      let flat = elements.map(\.flat).joined(separator: ", ")
      if flat.count <= limit { return [flat] }
      if let call = Code.call("", elements).endingInList(limit: limit + 1) {
        return Code.list(opening: String(call.opening.dropFirst()), call.elements, closing: "]").lines(
          limit: limit)
      }
    }
    return elements.enumerated().flatMap { index, element in
      var lines = element.lines(limit: limit - 1)
      if index < elements.count - 1 { lines[lines.count - 1] += "," }
      return lines
    }
  }

  /// A call whose last argument is a list, in the form of a list: the elements are those of the argument. Nil if the part before
  /// them does not fit on one line.
  private func endingInList(limit: Int) -> (opening: String, elements: [Code])? {
    guard case .list(let opening, let arguments, ")") = self, let last = arguments.last?.pieces,
      case .list(let label, let elements, "]")? = last.last, !elements.isEmpty
    else { return nil }
    let start = (arguments.dropLast().map(\.flat) + [last.dropLast().map(\.flat).joined() + label])
      .joined(separator: ", ")
    return (opening + start).count > limit ? nil : (opening + start, elements)
  }

  private var isBreakable: Bool {
    if case .list(_, let elements, _) = self { !elements.isEmpty } else { false }
  }
}

/// Reads the values that mean null: the arguments of `@Null`, and `schema { null: […] }`.
enum NullWordResolver {
  /// The words of the target's settings.
  static func setting(_ literal: LiteralSyntax, _ bag: inout DiagnosticBag) -> [NullWord] {
    if case .list(let elements) = literal.value { return words(elements, of: "null", &bag).map(\.value) }
    bag.error(
      .invalidNullWord, "“null” takes a list of values, as in “null: [\"\", 0]”", at: literal.range,
      fixIts: NullWord(literal) == nil ? [] : [.write("[\(literal.range.text)]", for: literal.range)])
    return []
  }

  /// The words of literals. Those that are invalid are reported.
  ///
  /// - Parameter subject: the declaration with the words, for messages.
  static func words(
    _ literals: [LiteralSyntax], of subject: String, _ bag: inout DiagnosticBag
  ) -> [Located<NullWord>] {
    var words: [Located<NullWord>] = []
    // Byte by byte, as the words are compared with payloads.
    var texts: Set<[UInt8]> = []
    for (index, literal) in literals.enumerated() {
      guard let word = NullWord(literal) else {
        report(literal, of: subject, isAlone: literals.count == 1, &bag)
        continue
      }
      guard texts.insert(Array(word.text.utf8)).inserted else {
        let before = literals[index - 1].range.behind
        bag.error(
          .invalidNullWord, "“\(subject)” lists \(word.text) twice", at: literal.range,
          fixIts: [.remove(before.through(literal.range))])
        continue
      }
      words.append(Located(value: word, range: literal.range))
    }
    return words
  }

  private static func report(
    _ literal: LiteralSyntax, of subject: String, isAlone: Bool, _ bag: inout DiagnosticBag
  ) {
    var fixIts: [Diagnostic.FixIt] = []
    let why: String
    switch literal.value {
    case .null:
      why = "null is always read as null, and cannot be listed"
      if isAlone { fixIts = [.remove(literal.range)] }
    case .list, .emptyMap:
      why = "of lists and objects only the empty list can mean null: write “[]”"
      fixIts = [.write("[]", for: literal.range)]
    case .number: why = "“\(literal.range.text)” is outside the range of numbers that can be compared"
    case .word(let word):
      why = "write strings in quotes"
      fixIts = [.write(SwiftText.literal(word), for: literal.range)]
    default: why = "\(literal.kindName) is not a value of JSON; write a string, a number, a boolean or “[]”"
    }
    bag.error(.invalidNullWord, "“\(subject)”: \(why)", at: literal.range, fixIts: fixIts)
  }
}

extension NullWord {
  /// Returns nil for a literal that cannot mean null.
  init?(_ literal: LiteralSyntax) {
    switch literal.value {
    case .text(let text): self = .text(text)
    case .bool(let value): self = .bool(value)
    case .list(let elements) where elements.isEmpty: self = .emptyList
    case .number(let digits): self.init(number: digits)
    default: return nil
    }
  }

  /// Returns nil for a number that cannot be compared exactly: an integer beyond 64 bits, or a `Double` that is infinite or loses
  /// precision near 0.
  init?(number digits: String) {
    if let integer = Int64(digits) {
      self = .number(String(integer))
    } else if digits.contains(where: { ".eE".contains($0) }), let double = Double(digits),
      double.isNormal || double == 0
    {
      self = .number(Int64(exactly: double).map { String($0) } ?? "\(double)")
    } else {
      return nil
    }
  }
}

/// Resolves an enum: its cases and raw values.
struct EnumResolver {
  private let syntax: EnumSyntax
  private let rawType: Enumeration.RawType
  /// Whether the raw values can be checked.
  private let isJudged: Bool
  private var next = 0

  init(_ syntax: EnumSyntax) {
    self.syntax = syntax
    let known = Enumeration.RawType(rawValue: syntax.rawType.text)
    rawType = known ?? .string
    isJudged = known != nil && !syntax.isIncomplete
  }

  mutating func enumeration(_ bag: inout DiagnosticBag) -> Enumeration {
    if Enumeration.RawType(rawValue: syntax.rawType.text) == nil {
      bag.error(
        .invalidType, "the raw values of an enum are “String” or “Int”, not “\(syntax.rawType.text)”",
        at: syntax.rawType.range)
    }
    for attribute in syntax.attributes {
      bag.error(
        .misplacedAttribute, "“@\(attribute.name.text)” is not allowed on an enum", at: attribute.range)
    }
    if syntax.cases.isEmpty, !syntax.isIncomplete {
      bag.error(.emptyEnum, "“\(syntax.name.text)” has no cases", at: syntax.name.range)
    }
    return Enumeration(
      name: syntax.name.text, documentation: syntax.documentation, rawType: rawType, cases: cases(&bag),
      range: syntax.name.range)
  }

  private mutating func cases(_ bag: inout DiagnosticBag) -> [Enumeration.Case] {
    var names: Set<String> = []
    var rawValues: Set<DefaultValue> = []
    var cases: [Enumeration.Case] = []
    for entry in syntax.cases {
      let value = rawValue(entry, &bag)
      if !names.insert(entry.name.text).inserted {
        bag.error(
          .duplicateCase, "“\(syntax.name.text)” has the case “\(entry.name.text)” twice",
          at: entry.name.range)
        continue
      }
      if let value, !entry.isIncomplete, !rawValues.insert(value).inserted, isJudged {
        bag.error(
          .duplicateRawValue, "two cases of “\(syntax.name.text)” have the raw value \(value.summary)",
          at: entry.rawValue?.range ?? entry.name.range)
      }
      cases.append(
        .init(
          name: entry.name.text, documentation: entry.documentation,
          rawValue: value ?? .text(entry.name.text), range: entry.name.range))
    }
    return cases
  }

  /// The raw value of a case; nil if it was rejected.
  private mutating func rawValue(_ entry: EnumCaseSyntax, _ bag: inout DiagnosticBag) -> DefaultValue? {
    switch (rawType, entry.rawValue?.value) {
    case (.string, nil): return .text(entry.name.text)
    case (.string, .text(let text)): return .text(text)
    case (.int, nil):
      defer { next = next == .max ? next : next + 1 }
      return .number(String(next))
    case (.int, .number(let digits)) where Int(digits) != nil:
      let value = Int(digits) ?? 0
      next = value == .max ? value : value + 1
      return .number(String(value))
    default:
      if let literal = entry.rawValue, isJudged, !entry.isIncomplete {
        bag.error(
          .invalidRawValue, "a raw value of type \(rawType.rawValue) cannot be \(literal.quotedName)",
          at: literal.range)
      }
      return nil
    }
  }
}

extension DefaultValue {
  /// The description of the value in messages.
  fileprivate var summary: String {
    switch self {
    case .text(let text): "“\(text)”"
    case .number(let digits): digits
    case .bool, .member, .list, .emptyMap, .null, .uuid: "it has already"
    }
  }
}

/// Resolves enums: their cases and raw values.
struct EnumResolver {
  private(set) var diagnostics: [Diagnostic] = []

  static func rawType(_ syntax: EnumSyntax) -> Enumeration.RawType {
    Enumeration.RawType(rawValue: syntax.rawType.text) ?? .string
  }

  /// The enum of a declaration; one of another target is not checked here.
  mutating func enumeration(_ syntax: EnumSyntax, module: String?) -> Enumeration {
    let rawType = EnumResolver.rawType(syntax)
    if module == nil {
      if Enumeration.RawType(rawValue: syntax.rawType.text) == nil {
        error(
          .invalidType, "the raw values of an enum are “String” or “Int”, not “\(syntax.rawType.text)”",
          syntax.rawType.range)
      }
      for attribute in syntax.attributes {
        error(.misplacedAttribute, "“@\(attribute.name.text)” cannot stand on an enum", attribute.range)
      }
      if syntax.cases.isEmpty { error(.emptyEnum, "“\(syntax.name.text)” has no cases", syntax.name.range) }
    }
    var names: Set<String> = []
    var rawValues: Set<DefaultValue> = []
    var next = 0
    var cases: [Enumeration.Case] = []
    for entry in syntax.cases {
      let value = rawValue(entry, rawType, &next, reports: module == nil)
      if !names.insert(entry.name.text).inserted, module == nil {
        error(
          .duplicateCase, "“\(syntax.name.text)” has the case “\(entry.name.text)” twice", entry.name.range)
        continue
      }
      if !rawValues.insert(value).inserted, module == nil {
        error(
          .duplicateRawValue, "two cases of “\(syntax.name.text)” have the raw value \(value.summary)",
          entry.rawValue?.range ?? entry.name.range)
      }
      cases.append(
        .init(
          name: entry.name.text, documentation: entry.documentation, rawValue: value, range: entry.name.range)
      )
    }
    return Enumeration(
      name: syntax.name.text, module: module, documentation: syntax.documentation, rawType: rawType,
      cases: cases,
      range: syntax.name.range)
  }

  private mutating func rawValue(
    _ entry: EnumCaseSyntax, _ rawType: Enumeration.RawType, _ next: inout Int, reports: Bool
  ) -> DefaultValue {
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
      if reports, let literal = entry.rawValue {
        error(
          .invalidRawValue, "a raw value of type \(rawType.rawValue) cannot be \(literal.kindName)",
          literal.range)
      }
      return .text(entry.name.text)
    }
  }

  private mutating func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange) {
    diagnostics.append(Diagnostic(code: code, severity: .error, message: message, range: range))
  }
}

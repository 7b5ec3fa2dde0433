/// One rule that a schema must meet. All rules are run, and all that they find is reported together.
protocol ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport)
}

/// What the rules found.
struct ValidationReport {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func error(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [Diagnostic.Note] = [],
    fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.append(
      Diagnostic(code: code, severity: .error, message: message, range: range, notes: notes, fixIts: fixIts))
  }

  mutating func warning(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.append(
      Diagnostic(code: code, severity: .warning, message: message, range: range, fixIts: fixIts))
  }
}

enum Validation {
  private static var rules: [any ValidationRule.Type] {
    [
      NameRule.self, SwiftPropertyNameRule.self, RemoteKeyRule.self, KeyOverlapRule.self, DeleteRuleRule.self,
      MissingRowsRule.self, ParentScopeRule.self, OneToOneRule.self, TransientRule.self, DateFormatRule.self,
    ]
  }

  static func run(_ schema: Schema, imported: [Model]) -> [Diagnostic] {
    var report = ValidationReport()
    for rule in rules { rule.check(schema, imported: imported, &report) }
    return report.diagnostics
  }
}

/// One rule that a schema must meet. All rules are run, and all that they find is reported together. Of what is
/// incomplete they say nothing.
protocol ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag)
}

enum Validation {
  private static var rules: [any ValidationRule.Type] {
    [
      ColumnLimitRule.self, ContradictionRule.self, DateFormatRule.self, DeleteRuleRule.self,
      EndlessStructRule.self, IdentityRule.self, IndexRule.self, KeyOverlapRule.self, KeyPatternRule.self,
      MissingRowsRule.self,
      NameRule.self,
      OneToOneRule.self, OrderedRule.self, ParentScopeRule.self, PositionRule.self, RemoteKeyRule.self,
      RenameRule.self,
      ScalarNameRule.self,
      TypeNameRule.self,
      StampRule.self, StoredPropertyRule.self, SwiftPropertyNameRule.self, TransientRule.self,
      UnexportedMemberRule.self,
    ]
  }

  static func run(_ schema: Schema, _ bag: inout DiagnosticBag) {
    var found = DiagnosticBag()
    for rule in rules { rule.check(schema, &found) }
    // What is wrong with a property of a union is found for each of its models.
    var said: Set<Place> = []
    let hasUnions = schema.models.contains { $0.properties.contains { $0.unionPart != nil } }
    for diagnostic in found.diagnostics {
      guard !hasUnions || said.insert(Place(code: diagnostic.code, range: diagnostic.range)).inserted else {
        continue
      }
      bag.add(diagnostic)
    }
  }

  private struct Place: Hashable {
    let code: DiagnosticCode
    let range: SourceRange
  }
}

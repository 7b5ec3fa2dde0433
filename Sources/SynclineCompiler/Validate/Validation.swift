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
    let places = schema.models.flatMap(\.properties).filter { $0.unionPart != nil }.flatMap {
      [$0.range, $0.typeRange] + $0.places.values
    }
    var said: Set<Place> = []
    for diagnostic in found.diagnostics {
      let isOfUnion = places.contains { $0.contains(diagnostic.range) }
      guard !isOfUnion || said.insert(Place(code: diagnostic.code, range: diagnostic.range)).inserted else {
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

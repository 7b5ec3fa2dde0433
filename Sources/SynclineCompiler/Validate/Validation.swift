/// One rule that a schema must meet. All rules are run, and all that they find is reported together. Of what is
/// incomplete they say nothing.
protocol ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag)
}

/// A rule that a model or a struct must meet whatever else there is. It looks at nothing that is found by other models: what it
/// says of a model is remembered while other files are typed.
protocol ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag)
}

enum Validation {
  private static var modelRules: [any ModelRule.Type] {
    [ContradictionRule.self, DateFormatRule.self, KeyOverlapRule.self, PropertyNameRule.self]
  }

  /// What is wrong with models whatever else there is.
  static func problems(of models: [Model]) -> [Diagnostic] {
    var bag = DiagnosticBag()
    for rule in modelRules {
      for model in models { rule.check(model, &bag) }
    }
    return bag.diagnostics
  }

  private static var rules: [any ValidationRule.Type] {
    [
      ColumnLimitRule.self, DeleteRuleRule.self, EndlessStructRule.self, IdentityRule.self, IndexRule.self,
      KeyPatternRule.self,
      MissingRowsRule.self,
      NameRule.self,
      OneToOneRule.self, OrderedRule.self, ParentScopeRule.self, PositionRule.self, RemoteKeyRule.self,
      RenameRule.self,
      ScalarNameRule.self,
      TypeNameRule.self,
      StampRule.self, StoredPropertyRule.self, SwiftPropertyNameRule.self, TransientRule.self,
      UnexportedMemberRule.self, ValueDepthRule.self,
    ]
  }

  /// Runs all rules.
  ///
  /// - Parameter known: what is wrong with the models whatever else there is.
  static func run(_ schema: Schema, known: [Diagnostic], _ bag: inout DiagnosticBag) {
    var found = DiagnosticBag()
    known.forEach { found.add($0) }
    problems(of: schema.structs).forEach { found.add($0) }
    for rule in rules { rule.check(schema, &found) }
    // What is wrong with a property of a union is found for each of its models.
    let places = schema.models.lazy.flatMap(\.properties).filter { $0.unionPart != nil }.map {
      [$0.range, $0.typeRange] + $0.places.values
    }.reduce([], +)
    var said: Set<DiagnosticKey> = []
    for diagnostic in found.diagnostics {
      let isOfUnion = places.contains { $0.contains(diagnostic.range) }
      guard !isOfUnion || said.insert(DiagnosticKey(code: diagnostic.code, range: diagnostic.range)).inserted
      else {
        continue
      }
      bag.add(diagnostic)
    }
  }

  private struct DiagnosticKey: Hashable {
    let code: DiagnosticCode
    let range: SourceRange
  }
}

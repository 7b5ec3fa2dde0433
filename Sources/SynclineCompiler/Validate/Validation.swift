/// One rule that a schema must meet. All rules run, and all their diagnostics are reported together. Rules
/// skip incomplete declarations.
protocol ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag)
}

/// A rule that depends on one model or struct only. It must not use information from other models, because
/// its result is cached while other files are edited.
protocol ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag)
}

extension [Model] {
  /// The properties that could be read and have an attribute, each with its index and the range of the attribute.
  func properties(
    with kind: AttributeKind
  ) -> [(model: Model, position: Int, property: Property, range: SourceRange)] {
    filter { $0.propertyAttributes.contains(kind) }.flatMap { model in
      model.properties.enumerated().compactMap { position, property in
        guard !property.isIncomplete, let range = property.places[kind] else { return nil }
        return (model, position, property, range)
      }
    }
  }
}

enum Validation {
  private static var modelRules: [any ModelRule.Type] {
    [
      ContradictionRule.self, DateFormatRule.self, DeletionMarkRule.self, KeyOverlapRule.self,
      NullRule.self, OneOrManyRule.self, PathNotationRule.self, PropertyNameRule.self, StepRule.self,
    ]
  }

  /// The diagnostics of models that depend on no other model.
  static func problems(of models: [Model]) -> [Diagnostic] {
    var bag = DiagnosticBag()
    for rule in modelRules {
      for model in models { rule.check(model, &bag) }
    }
    return bag.diagnostics
  }

  private static var rules: [any ValidationRule.Type] {
    [
      BelowRule.self, ColumnLimitRule.self, DeleteRuleRule.self, EndlessStructRule.self,
      FarStepRule.self,
      IdentityMakerRule.self,
      IdentityRule.self, IndexRule.self, KeyPatternRule.self, LocalRule.self,
      LookupRule.self,
      MergedRule.self, MissingRowsRule.self,
      NameRule.self, ObjectItselfRule.self,
      OfflineRule.self,
      OneToOneRule.self, OrderedRule.self, OwnerRule.self, ParentScopeRule.self, PositionRule.self,
      RemoteKeyRule.self,
      RenameRule.self, RowListRule.self,
      ScalarNameRule.self, SingletonRule.self,
      TypeNameRule.self,
      StampRule.self, StoredPropertyRule.self, StyledKeyOverlapRule.self, SwiftPropertyNameRule.self,
      TransientRule.self,
      UnexportedMemberRule.self, UniqueRule.self, UnknownRowRule.self, ValueDepthRule.self,
    ]
  }

  /// - Parameter known: the diagnostics of the model rules.
  static func run(_ schema: Schema, known: [Diagnostic], _ bag: inout DiagnosticBag) {
    var found = DiagnosticBag()
    known.forEach { found.add($0) }
    problems(of: schema.structs).forEach { found.add($0) }
    for rule in rules { rule.check(schema, &found) }
    // A rule reports an error in a property of a union once for each of the union's models.
    let ofUnions = schema.models.filter(\.hasUnions).flatMap(\.properties).filter { $0.unionPart != nil }
    let places = Set(ofUnions.flatMap { [$0.range, $0.typeRange] + $0.places.values })
    var said: Set<DiagnosticKey> = []
    for diagnostic in found.diagnostics {
      let isNew = said.insert(DiagnosticKey(code: diagnostic.code, range: diagnostic.range)).inserted
      if !isNew, places.contains(where: { $0.contains(diagnostic.range) }) { continue }
      bag.add(diagnostic)
    }
  }

  private struct DiagnosticKey: Hashable {
    let code: DiagnosticCode
    let range: SourceRange
  }
}

import SynclineSchema

/// How the parts of a store are changed to fit another schema.
struct EvolutionPlan {
  let difference: SchemaDifference
  let definition: TableDefinition
  let formerDefinition: TableDefinition
  private let declared: DeclaredProperties
  private let formerRelations: [SchemaRelation.End: SchemaRelation]

  var old: SyncSchemaSnapshot { difference.old }
  var new: SyncSchemaSnapshot { difference.new }
  var match: SchemaMatch { difference.match }

  /// The changes of the models. The tables of edits follow them.
  var changes: [SyncSchemaChange] { difference.changes.filter { EditTable.model(of: $0.model) == nil } }

  init(from old: SyncSchemaSnapshot, to new: SyncSchemaSnapshot, _ declared: DeclaredProperties) {
    self.declared = declared
    difference = SchemaDifference(from: old, to: new.namingEdits(of: old))
    definition = TableDefinition(schema: new)
    formerDefinition = TableDefinition(schema: old)
    formerRelations = SchemaRelation.byEnd(old.relations)
  }

  /// The earlier model that a model continues; nil if it is new.
  func former(of model: String) -> SchemaModel? { match.models[model].flatMap(old.model) }

  func defaultValue(of property: SchemaProperty, in model: SchemaModel) -> String? {
    declared.defaults[.init(model: model.name, property: property.name)]
  }

  // MARK: Columns

  /// A column that is kept, perhaps with another name or type.
  struct KeptColumn {
    let model: SchemaModel
    let property: SchemaProperty
    let formerModel: SchemaModel
    let former: SchemaProperty
  }

  var keptColumns: [KeptColumn] {
    new.models.flatMap { model in
      model.properties.compactMap { keptColumn($0, of: model) }
    }
  }

  /// The earlier column that a property keeps; nil if it has none, if that refers to another model, if its values would become keys
  /// that are not identities, or if it belongs to edits of other links.
  func keptColumn(_ property: SchemaProperty, of model: SchemaModel) -> KeptColumn? {
    guard property.isStored, let end = match.former(property.name, of: model.name),
      let formerModel = old.model(end.model), let former = formerModel.property(end.property),
      former.isStored,
      match.hasSameTarget(former, property), !becomesLookup(property.name, of: model.name),
      !becomesOtherLinks(property.name, of: model.name)
    else { return nil }
    return KeptColumn(model: model, property: property, formerModel: formerModel, former: former)
  }

  /// Whether a property with values became a relationship with `by:`. Its values are not identities, so they are dropped, also
  /// from edits.
  private func becomesLookup(_ property: String, of model: String) -> Bool {
    let end = EditTable.property(of: property, in: model) ?? .init(model: model, property: property)
    guard declared.lookups.contains(end), let former = match.former(end.property, of: end.model)
    else { return false }
    return old.model(former.model)?.property(former.property)?.target == nil
  }

  /// Whether a column of edits has values that are not links of today's relationship: members of a list that became a to-one
  /// relationship, or links to another model. They are dropped, so a row's present link counts as an edit.
  private func becomesOtherLinks(_ column: String, of edits: String) -> Bool {
    guard let end = EditTable.property(of: column, in: edits),
      let former = match.former(end.property, of: end.model),
      let before = old.model(former.model)?.property(former.property),
      let now = new.model(end.model)?.property(end.property)
    else { return false }
    if case .links = before.kind, case .toOne = now.kind { return true }
    return !match.hasSameTarget(before, now)
  }

  /// The columns of an earlier model that no property keeps.
  func droppedColumns(of former: SchemaModel) -> [String] {
    guard let model = match.modelsToday[former.name].flatMap(new.model) else { return [] }
    let kept = Set(model.properties.compactMap { keptColumn($0, of: model)?.former.name })
    return former.properties.filter { $0.isStored && !kept.contains($0.name) }.map(\.name)
  }

  /// How the values of a column are converted; nil if they are unchanged.
  func conversion(of column: KeptColumn) -> ValueConversion? {
    let (from, to) = (
      formerDefinition.valueType(of: column.former), definition.valueType(of: column.property)
    )
    let type = declared.composedTypes[.init(model: column.model.name, property: column.property.name)]
    // The stored JSON has a renamed member under its earlier name, which SQL does not look for.
    let isRenamed = from != to && type?.hasRenamedMembers ?? false
    var conversion = isRenamed ? ValueConversion(from: from, to: to) : conversion(from: from, to: to)
    conversion?.type = type.map { ValueConversion.ComposedType(type: $0) }
    return conversion
  }

  private func conversion(from: SyncStoredType, to: SyncStoredType) -> ValueConversion? {
    from.isKept(as: to) ? nil : ValueConversion(from: from, to: to)
  }

  /// How a model's identities are converted; nil if they are unchanged.
  func identityConversion(of model: String) -> ValueConversion? {
    guard let former = match.models[model] else { return nil }
    return conversion(from: old.identityType(of: former), to: new.identityType(of: model))
  }

  /// How a model's identities are converted, if their stored values change.
  func changedIdentity(of model: String) -> ValueConversion? {
    identityConversion(of: model).flatMap { $0.changesValues ? $0 : nil }
  }

  /// All conversions that any column, link or pending link needs.
  var conversions: Set<ValueConversion> {
    Set(keptColumns.compactMap(conversion(of:)) + new.models.compactMap { identityConversion(of: $0.name) })
  }

  /// Whether the rows of an earlier model are identified by the same properties today.
  func keepsIdentity(of former: String) -> Bool {
    guard let model = match.modelsToday[former].flatMap(new.model), let former = old.model(former) else {
      return false
    }
    return match.keepsIdentity(model, former)
  }

  /// Whether another column than before identifies the rows of a model. Foreign keys name the column, so they change with it.
  func changesIdentityColumn(of model: String) -> Bool {
    guard let former = former(of: model), let today = new.model(model) else { return false }
    return match.properties[model]?[today.identity] != former.identity
  }

  /// Whether a model's identities are unique within another parent than before, or gained or lost a parent.
  func changesScope(_ model: SchemaModel, _ former: SchemaModel) -> Bool {
    guard let scope = model.parentScope, let formerScope = former.parentScope else {
      return model.parentScope != former.parentScope
    }
    return match.properties[model.name]?[scope] != formerScope
  }

  // MARK: Relations

  /// The earlier relation that a relation of today continues, and whether its near end is today's far end.
  func source(of relation: SchemaRelation) -> (relation: SchemaRelation, isReversed: Bool)? {
    match.source(of: relation, in: formerRelations)
  }

  /// Whether a relation of today continues the earlier relation of an end.
  func continues(_ former: SchemaRelation.End) -> Bool {
    guard let relation = formerRelations[former] else { return false }
    // Two relations that become one are refused for that reason.
    return new.relations.contains {
      source(of: $0)?.relation == relation || sources(of: $0).count > 1 && sources(of: $0).contains(relation)
    }
  }

  /// The earlier relations of both ends: two if they became one relation.
  func sources(of relation: SchemaRelation) -> [SchemaRelation] {
    match.sources(of: relation, in: formerRelations)
  }

  /// The earlier name of a relation's join table, if the links stay in it.
  func keepsTable(_ relation: SchemaRelation) -> String? {
    guard case .table = relation.storage, let source = source(of: relation), !source.isReversed,
      case .table(let former) = source.relation.storage,
      [relation.near.model, relation.farModel].allSatisfy({
        changedIdentity(of: $0) == nil && !changesIdentityColumn(of: $0)
      })
    else { return nil }
    return former
  }

  /// Whether the links of a relation must be moved.
  func moves(_ relation: SchemaRelation) -> Bool {
    guard let source = source(of: relation) else { return false }
    switch (source.relation.storage, relation.storage) {
    case (.column, .column): return source.isReversed
    case (.table, .table): return keepsTable(relation) == nil
    default: return true
    }
  }
}

extension TableDefinition {
  /// Whether the identities of a model are its row numbers.
  func isNumbered(_ model: SchemaModel) -> Bool {
    model.parentScope == nil && schema.identityType(of: model.name).integers != nil
  }
}

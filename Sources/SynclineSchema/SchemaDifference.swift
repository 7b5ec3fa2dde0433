/// The differences between two schemas that affect their stores.
package struct SchemaDifference: Sendable {
  /// The compared schemas.
  package let old, new: SyncSchemaSnapshot
  /// The renamed models and properties.
  package let match: SchemaMatch
  /// The differences: added and dropped models first, sorted by name.
  package let changes: [SyncSchemaChange]

  package init(from old: SyncSchemaSnapshot, to new: SyncSchemaSnapshot) {
    self.old = old
    self.new = new
    let match = SchemaMatch(from: old, to: new)
    self.match = match
    let kept = Set(match.models.values)
    var changes = new.models.filter { match.models[$0.name] == nil }.map {
      SyncSchemaChange(.modelAdded, $0.name)
    }
    changes += old.models.filter { !kept.contains($0.name) }.map { SyncSchemaChange(.modelDropped, $0.name) }
    let relations = SchemaRelation.byEnd(old.relations)
    let continued = Set(new.relations.compactMap { match.source(of: $0, in: relations)?.relation })
    let linked = Set(relations.filter { continued.contains($0.value) }.keys)
    for model in new.models {
      guard let former = match.models[model.name].flatMap(old.model) else { continue }
      if former.name != model.name {
        changes.append(SyncSchemaChange(.modelRenamed, model.name, from: former.name, to: model.name))
      }
      changes += ModelComparison(old: former, new: model, match: match, linkedEnds: linked).changes
    }
    for relation in new.relations {
      changes += SchemaDifference.moves(of: relation, match, relations)
      if case .column(isUnique: true) = relation.storage,
        let former = match.source(of: relation, in: relations)?.relation, former.far == nil,
        case .column(isUnique: false) = former.storage
      {
        changes.append(SyncSchemaChange(.uniqueAdded, relation.near.model, relation.near.property))
      }
    }
    self.changes = changes
  }

  private static func moves(
    of relation: SchemaRelation, _ match: SchemaMatch, _ old: [SchemaRelation.End: SchemaRelation]
  ) -> [SyncSchemaChange] {
    func move(_ end: SchemaRelation.End, from former: SchemaRelation) -> SyncSchemaChange {
      let isExact = former.place() == relation.place()
      return SyncSchemaChange(
        .relationshipMoved, end.model, end.property, from: former.place(isExact: isExact),
        to: relation.place(isExact: isExact))
    }
    var moves: [SyncSchemaChange] = []
    if let former = match.source(of: relation, in: old) {
      let isSame =
        switch (former.relation.storage, relation.storage) {
        case (.column, .column), (.table, .table): !former.isReversed
        default: false
        }
      if !isSame { moves.append(move(relation.near, from: former.relation)) }
    }
    // The far end had links of its own.
    if let far = relation.far, let other = match.sources(of: relation, in: old).dropFirst().first {
      moves.append(move(far, from: other))
    }
    return moves
  }
}

extension SchemaMatch {
  /// The earlier relation that a current relation continues, and whether its ends are swapped. A relation between other models is
  /// new.
  package func source(
    of relation: SchemaRelation, in old: [SchemaRelation.End: SchemaRelation]
  ) -> (relation: SchemaRelation, isReversed: Bool)? {
    guard let source = named(relation, in: old) else { return nil }
    let (near, far) =
      source.isReversed
      ? (source.relation.farModel, source.relation.near.model)
      : (source.relation.near.model, source.relation.farModel)
    return models[relation.near.model] == near && models[relation.farModel] == far ? source : nil
  }

  /// The earlier relations of both ends, the near one first: two if they became one relation.
  package func sources(
    of relation: SchemaRelation, in old: [SchemaRelation.End: SchemaRelation]
  ) -> [SchemaRelation] {
    var found: [SchemaRelation] = []
    for end in [relation.near, relation.far].compactMap(\.self) {
      guard let former = former(end.property, of: end.model), let relation = old[former],
        !found.contains(relation)
      else { continue }
      found.append(relation)
    }
    return found
  }

  /// The earlier relation at one of the ends of a current relation.
  private func named(
    _ relation: SchemaRelation, in old: [SchemaRelation.End: SchemaRelation]
  ) -> (relation: SchemaRelation, isReversed: Bool)? {
    if let former = former(relation.near.property, of: relation.near.model), let before = old[former] {
      return (before, before.near != former)
    }
    guard let far = relation.far, let former = former(far.property, of: far.model), let before = old[former]
    else { return nil }
    return (before, before.near == former)
  }

  /// Whether the same properties identify the rows of a model. The parts of a composite identity must also have the same stored
  /// types.
  package func keepsIdentity(_ model: SchemaModel, _ former: SchemaModel) -> Bool {
    let properties = properties[model.name] ?? [:]
    let names = model.partNames.map { properties[$0] }
    return properties[model.identity] == former.identity && names == former.partNames
      && model.partTypes == former.partTypes && model.isSingleton == former.isSingleton
  }
}

extension SchemaModel {
  /// The properties that identify a row, for messages.
  package var identityText: String {
    if isSingleton { return "@Singleton" }
    return identityParts.isEmpty ? identity : identityParts.joined(separator: ", ")
  }

  /// Whether the identity is composed of other properties, or of none.
  package var isComposite: Bool { isSingleton || !identityParts.isEmpty }

  /// The names of the properties that form the composite identity.
  package var partNames: [String] { identityParts.map { String($0.prefix { $0 != ":" }) } }

  /// The stored types of the parts. All integer types have the same stored form.
  fileprivate var partTypes: [String] {
    let integers = SyncStoredType.Scalar.allCases.filter { SyncStoredType($0).integers != nil }
    return zip(identityParts, partNames).map { part, name in
      let words = part.dropFirst(name.count).split(
        omittingEmptySubsequences: false, whereSeparator: { "[], :".contains($0) })
      return words.map { word in
        integers.contains { $0.rawValue == word } ? "Int" : String(word)
      }.joined(separator: " ") + part.filter { "[]".contains($0) }
    }
  }
}

extension SchemaRelation {
  /// The storage of the links, for messages.
  ///
  /// - Parameter isExact: whether to name the column or the join table.
  fileprivate func place(isExact: Bool = false) -> String {
    switch storage {
    case .column: isExact ? "in the column \(near.name)" : "in \(near.model)"
    case .table(let name): isExact ? "in the join table “\(name)”" : "in a join table"
    }
  }
}

/// Two versions of a model.
private struct ModelComparison {
  let old, new: SchemaModel
  let match: SchemaMatch
  /// The ends of earlier relationships whose links are kept.
  let linkedEnds: Set<SchemaRelation.End>

  var changes: [SyncSchemaChange] {
    var changes: [SyncSchemaChange] = []
    let properties = match.properties[new.name] ?? [:]
    for property in new.properties {
      guard let former = properties[property.name].flatMap(old.property) else {
        changes.append(SyncSchemaChange(.propertyAdded, new.name, property.name, to: property.type))
        // Without a default, existing rows have no value yet.
        if property.isUnique, property.hasDefault {
          changes.append(SyncSchemaChange(.uniqueAdded, new.name, property.name))
        }
        continue
      }
      changes += compare(former, property)
    }
    let kept = Set(properties.values)
    changes += old.properties.filter { !kept.contains($0.name) }.map { property in
      let isLinked = linkedEnds.contains(.init(model: old.name, property: property.name))
      return SyncSchemaChange(
        isLinked ? .endDropped : .propertyDropped, new.name, property.name, from: property.type)
    }
    func isKept(_ former: String?, as property: String?) -> Bool {
      former == property.flatMap { properties[$0] }
    }
    if !match.keepsIdentity(new, old) {
      changes.append(
        SyncSchemaChange(.identityChanged, new.name, from: old.identityText, to: new.identityText))
    }
    if !isKept(old.parentScope, as: new.parentScope) {
      changes.append(
        SyncSchemaChange(.parentScopeChanged, new.name, from: old.parentScope, to: new.parentScope ?? ""))
    }
    if old.isOffline != new.isOffline {
      changes.append(SyncSchemaChange(new.isOffline ? .offlineAdded : .offlineDropped, new.name))
    }
    return changes + indexes(properties)
  }

  private func compare(_ former: SchemaProperty, _ property: SchemaProperty) -> [SyncSchemaChange] {
    var changes: [SyncSchemaChange] = []
    if former.name != property.name {
      changes.append(
        SyncSchemaChange(.propertyRenamed, new.name, property.name, from: former.name, to: property.name))
    }
    if !isSameType(former, property) {
      changes.append(
        SyncSchemaChange(.typeChanged, new.name, property.name, from: former.type, to: property.type))
    }
    if former.isUnique != property.isUnique {
      changes.append(
        SyncSchemaChange(property.isUnique ? .uniqueAdded : .uniqueDropped, new.name, property.name))
    } else if property.isUnique, let mark = old.softDelete,
      new.softDelete.flatMap({ match.properties[new.name]?[$0] }) != mark
    {
      // The values of rows that were marked as deleted count, too.
      changes.append(SyncSchemaChange(.uniqueAdded, new.name, property.name))
    }
    guard former.isStored, property.isStored, former.isOptional != property.isOptional else { return changes }
    changes.append(
      SyncSchemaChange(property.isOptional ? .becameOptional : .becameRequired, new.name, property.name))
    return changes
  }

  private func isSameType(_ former: SchemaProperty, _ property: SchemaProperty) -> Bool {
    if case .value(let type) = former.kind, case .value(let other) = property.kind { return type == other }
    guard former.target != nil, property.target != nil else { return false }
    return match.hasSameTarget(former, property) && former.isToMany == property.isToMany
  }

  private func indexes(_ properties: [String: String]) -> [SyncSchemaChange] {
    func former(_ index: [String]) -> [String] {
      index.map { term in
        let column = String(term.prefix { $0 != "." })
        return (properties[column] ?? "") + term.dropFirst(column.count)
      }
    }
    let before = Set(old.indexes)
    let today = Set(new.indexes.map(former))
    func list(_ index: [String]) -> String { index.joined(separator: ", ") }
    return new.indexes.filter { !before.contains(former($0)) }
      .map { SyncSchemaChange(.indexAdded, new.name, list($0)) }
      + old.indexes.filter { !today.contains($0) }.map { SyncSchemaChange(.indexDropped, new.name, list($0)) }
  }
}

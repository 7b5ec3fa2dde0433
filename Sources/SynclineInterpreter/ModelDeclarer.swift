@_spi(Generated) import Syncline
import SynclineCompiler

/// Declares the models of a schema: their tables, and the functions that read and write each column.
struct ModelDeclarer {
  let schema: Schema
  let types: InterpretedTypes

  func declare() {
    for model in schema.models { declare(model) }
  }

  private func declare(_ model: Model) {
    guard let number = types.number(model.name, in: schema), let identity = model.identityProperty,
      let type = types.model(model.name, in: schema)
    else { return }
    let keyed = model.keyed
    // The compiler has checked that no two properties have the same name.
    let keys = Dictionary(
      zip(keyed.map(\.name), keyed.indices.map { SyncKey($0) }), uniquingKeysWith: { first, _ in first })
    func key(_ position: Int) -> SyncKey? {
      model.properties.indices.contains(position) ? keys[model.properties[position].name] : nil
    }
    guard let identityKey = keys[identity.name] else { return }
    let columns = keyed.compactMap { property in
      property.isStored && !property.isComposite
        ? keys[property.name].flatMap { column(property, $0) } : nil
    }
    let positions = Dictionary(
      columns.indices.map { (columns[$0].key.position, $0) }, uniquingKeysWith: { first, _ in first })
    let isPlain = { (index: Model.Index) in index.terms.allSatisfy(\.path.isEmpty) }
    func table<Row: SyncUpdatableModel>(_ row: Row.Type) -> SyncTable {
      SyncTable(
        model.name, identity: identityKey, Row.SyncID.self,
        identityParts: model.identityParts.compactMap { key($0.position) },
        parentScope: model.parentScope.flatMap(key), updatedAt: model.updatedAt.flatMap(key),
        softDelete: model.softDelete.flatMap(key),
        indexes: model.indexes.filter(isPlain).map { $0.terms.compactMap { key($0.property) } },
        valueIndexes: model.indexes.filter { !isPlain($0) }
          .map { $0.terms.compactMap { term in key(term.property)?.member(term.path) } },
        exportOrder: model.properties.filter(\.isKeyed).compactMap { keys[$0.name] },
        renamedFrom: model.renamedFrom.map(\.value), typeName: model.typeName?.value,
        below: model.below?.value,
        isOffline: model.isOffline, isIdentityMadeByServer: model.isIdentityMadeByServer,
        deletionMarks: model.deletionMarks.map(mark), isOneOrMany: model.isOneOrMany,
        keyStyle: schema.keyStyle,
        properties: keyed.compactMap { description(of: $0, in: model) })
    }
    let exported = model.properties.filter { property in
      property.isKeyed && (property.export != .never || model.exportsType(property))
    }
    Declarations.declare(
      ModelDeclaration(
        name: model.name, table: table(type), identity: identityKey, identityName: identity.name,
        remoteKeys: identity.explicitPaths(below: nil), columns: columns,
        isComposite: identity.isComposite,
        identityParts: model.identityParts.compactMap { key($0.position).flatMap { positions[$0.position] } },
        lists: keyed.filter { $0.isRelationship && !$0.isStored }.compactMap { keys[$0.name] },
        exported: exported.compactMap { property in
          guard let key = keys[property.name] else { return nil }
          if property.isComposite { return .composite(key) }
          return property.isStored ? positions[key.position].map { .column($0) } : .list(key)
        }),
      as: number)
  }

  private func mark(_ mark: Model.DeletionMark) -> SyncDeletionMark {
    SyncDeletionMark(
      snake: mark.keys(in: .snakeCase), camel: mark.keys(in: .camelCase),
      is: mark.value.map { $0.value.json(.scalar(.json)) { _ in nil } })
  }

  private func column(_ property: Property, _ key: SyncKey) -> (any ColumnCell)? {
    if let target = property.target {
      func reference<Related: SyncUpdatableModel>(_ type: Related.Type) -> any ColumnCell {
        ReferenceCell<Related>(key: key, isOptional: property.isOptional)
      }
      return types.model(target, in: schema).map { reference($0) }
    }
    if property.keepsOthers, let related = property.relatedOrder.flatMap({ types.model($0, in: schema) }) {
      // The closure names the transform, so that the payload's order is merged into the stored one.
      func keptOrder<Related: SyncUpdatableModel>(_ type: Related.Type) -> any ColumnCell {
        TransformedCell<SyncKeptOrder<Related>>(key: key, isOrder: true) { order, payload, changed in
          try payload.update(&order, for: key, by: SyncKeptOrder<Related>.self, changed: &changed)
        }
      }
      return keptOrder(related)
    }
    if let transform = transform(property) {
      func transformed<Transform: SyncTransform>(_ type: Transform.Type) -> any ColumnCell {
        TransformedCell<Transform>(key: key, isOrder: property.relatedOrder != nil)
      }
      return transformed(transform)
    }
    func value<Value: SyncScalar>(_ type: Value.Type) -> any ColumnCell {
      ValueCell(
        key: key, isOptional: property.isOptional, isPlace: property.isPosition,
        isMerged: property.isMerged,
        fallback: types.defaultValue(of: property, as: type, in: schema))
    }
    return types.read(property, in: schema).map { value($0) }
  }

  /// The transform of the runtime for a column that the compiler adds to a schema.
  private func transform(_ property: Property) -> (any SyncTransform.Type)? {
    func order<Related: SyncUpdatableModel>(of type: Related.Type) -> any SyncTransform.Type {
      property.keepsOthers ? SyncKeptOrder<Related>.self : SyncOrder<Related>.self
    }
    func type<Union: SyncUnion>(of union: Union.Type) -> any SyncTransform.Type {
      SyncUnrecognized<Union>.self
    }
    if let related = property.relatedOrder { return types.model(related, in: schema).map { order(of: $0) } }
    guard let part = property.unionPart, part.caseName == nil else { return nil }
    return types.modelUnion(part.union, in: schema).map { type(of: $0) }
  }

  private func description(of property: Property, in model: Model) -> SyncProperty? {
    guard var description = property.isRelationship ? relationship(property) : value(property, in: model)
    else { return nil }
    if let keys = property.statedKeys { description = description.withKeys(keys) }
    switch property.writtenExport {
    case .never: description = property.isLocal ? description.local() : description.notExported()
    case .identities: description = description.exportingIdentities()
    case .objects: break
    }
    if !property.keyPatterns.isEmpty {
      description = description.keyPattern(property.keyPatterns.map(\.value))
    }
    if let depth = property.oneOrManyDepth { description = description.takingOneOrMany(lists: depth) }
    return description.null(property.nulls.map(\.json)).renamed(from: property.renamedFrom.map(\.value))
  }

  private func value(_ property: Property, in model: Model) -> SyncProperty? {
    func scalar<Value: SyncScalar>(_ type: Value.Type) -> SyncProperty {
      .scalar(
        property.name, type, isOptional: property.isOptional,
        default: types.defaultValue(of: property, as: type, in: schema),
        snake: property.snakeKeys, camel: property.camelKeys)
    }
    func identity<Row: SyncUpdatableModel>(_ row: Row.Type) -> SyncProperty { scalar(Row.SyncID.self) }
    func transformed<Transform: SyncTransform>(_ type: Transform.Type) -> SyncProperty {
      scalar(SyncTransformed<Transform>.self)
    }
    var description: SyncProperty?
    if let transform = transform(property) {
      description = transformed(transform)
    } else if property.isComposite {
      description = types.model(model.name, in: schema).map { identity($0) }
    } else {
      description = types.read(property, in: schema).map { scalar($0) }
    }
    if property.isMerged { description = description?.merged() }
    if property.isUnique { description = description?.unique() }
    if property.isPosition { description = description?.takingPlace() }
    if let list = property.orderedList { description = description?.ordering(list) }
    if let format = property.dateFormat { description = description?.dateFormat(format.value) }
    return description
  }

  private func relationship(_ property: Property) -> SyncProperty? {
    guard let relationship = property.relationship, let target = property.target,
      let type = types.model(target, in: schema)
    else { return nil }
    func related<Related: SyncUpdatableModel>(_ type: Related.Type) -> SyncProperty {
      let (name, snake, camel) = (property.name, property.snakeKeys, property.camelKeys)
      switch relationship.storage {
      case .column:
        return .toOne(name, type, isOptional: property.isOptional, snake: snake, camel: camel)
      case .inverse(let column):
        return property.isToMany
          ? .toMany(name, type, by: column, snake: snake, camel: camel)
          : .toOne(name, type, by: column, snake: snake, camel: camel)
      case .link(let table, let isSource):
        let end: SyncLinkTable = isSource ? .source(of: table) : .target(of: table)
        return .toMany(name, type, through: end, snake: snake, camel: camel)
      }
    }
    var description = related(type)
    if case .column(isUnique: true) = relationship.storage { description = description.unique() }
    if relationship.hasExplicitInverse { description = description.withExplicitInverse() }
    if relationship.isOfLists { description = description.ofLists() }
    if let rule = relationship.deleteRule.flatMap({ SyncProperty.DeleteRule(rawValue: $0.rawValue) }) {
      description = description.onDelete(rule)
    }
    if let rule = relationship.missing.flatMap({ SyncProperty.MissingRule(rawValue: $0.rawValue) }) {
      description = description.whenMissing(rule)
    }
    if property.createsUnknown { description = description.creatingUnknown() }
    if let name = property.lookup { description = description.lookedUp(by: name) }
    guard let part = property.unionPart, let caseName = part.caseName,
      let union = types.modelUnion(part.union, in: schema)
    else { return description }
    func oneOf<Union: SyncUnion>(_ union: Union.Type) -> SyncProperty {
      description.oneOf(caseName, of: union, in: part.property)
    }
    return oneOf(union)
  }
}

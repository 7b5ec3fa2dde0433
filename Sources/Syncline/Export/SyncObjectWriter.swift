import SynclineNaming

/// Builds the JSON object of a row: paths become nested objects and share their parents.
public struct SyncObjectWriter {
  private let context: SyncExportContext
  private let table: SyncTable
  fileprivate var values: [Value] = []
  private let keys: [ExportKey?]
  /// The properties that are written; nil for all.
  private let only: Set<Int>?
  /// The keys of the relationships that scalars stand beside.
  private var linkedKeys: [Int: [SyncJSON]] = [:]

  /// A value and where it goes.
  fileprivate struct Value {
    let position: Int
    let place: ExportKey
    var json: SyncJSON
    /// The model whose rows are written there.
    let related: SyncTable?
    /// Whether it is a key that waits for its row.
    var isWaiting = false

    var key: String { place.text }
  }

  /// - Parameter only: the properties that are written; nil for all.
  init(context: SyncExportContext, table: SyncTable, only: Set<Int>?) {
    self.context = context
    self.table = table
    self.only = only
    keys = context.keys(of: table, only: only)
    values.reserveCapacity(keys.count)
  }

  /// The object of what was set.
  public var json: SyncJSON {
    var object = SyncJSONObject()
    let values = keysBesideLinks.isEmpty ? values : values.filter { isAgreed($0) }
    object.reserveCapacity(values.count)
    let related = values.filter { $0.related != nil }
    let rows = related.filter { $0.json.object != nil }
    let keys = related.filter { $0.json.object == nil && !$0.json.isNull }
    // What goes to one place of a list is there when the list is.
    for value in values.filter({ !$0.place.hasPlace }) + values.filter(\.place.hasPlace) {
      // No path leads into a key.
      if keys.contains(where: { value.key.hasPrefix($0.key + ".") }) {
        object[value.key] = value.json
        continue
      }
      guard let path = value.place.names else {
        // The rows of a list are in an order of their own.
        if value.related == nil, related.contains(where: { value.place.leads(into: $0.place) }) {
          object[value.key] = value.json
        } else {
          object.merge(value.json, at: value.place)
        }
        continue
      }
      if let related = rows.first(where: { value.key.hasPrefix($0.key + ".") }), value.related == nil {
        switch related.place(of: path, style: style) {
        case .free: break
        case .taken(let json) where json == value.json: continue
        // The related row has another value there: the key as a whole is read first.
        case .taken:
          object[value.key] = value.json
          continue
        }
      }
      object.merge(value.json, at: path[...])
    }
    return .object(object)
  }

  /// Writes a scalar, or null.
  ///
  /// - Throws: what a ``SyncTransform`` in it throws.
  public mutating func set<Value: SyncScalar>(_ value: Value?, for key: SyncKey) throws {
    let property = table.properties[key.position]
    let json = try value?.syncExport(form: context.configuration.form(property)) ?? .null
    guard key.position == table.identity, !property.keyPatterns.isEmpty, let identity = context.row?.identity
    else {
      return set(json, at: key.position)
    }
    set(table.identityReader.json(identity), at: key.position)
  }

  /// Writes a value that a transform writes, or null.
  ///
  /// - Throws: what the transform throws.
  public mutating func set<Transform: SyncTransform>(
    _ value: Transform.Value?, for key: SyncKey, by transform: Transform.Type
  ) throws {
    if let union = table.unionTypes[key.position]?.union {
      if let type = value as? String { setUnrecognized(type, union, at: key.position) }
      return
    }
    try set(value.map { SyncTransformed<Transform>($0) }, for: key)
  }

  /// Writes a to-one relationship: the row's object or its identity, or null; while it waits for its row, the key.
  public mutating func set<Model: SyncUpdatableModel>(_ reference: Reference<Model>?, for key: SyncKey) throws
  {
    guard isWritten(key.position) else { return }
    let link = SyncExportContext.Link(table: table, position: key.position)
    // Of a union, the first case stands for all.
    let first = firstCase(of: link)
    let isBeside = keysBesideLinks.hasScalar(beside: first)
    guard link.property.export != .never || isBeside else { return }
    let identity = reference?.id.syncIdentity
    let waiting = try context.waitingKey(link, given: identity)
    if isBeside, waiting ?? identity != nil || linkedKeys[first] == nil {
      linkedKeys[first] = link.forms(of: waiting ?? identity)
    }
    if let union = link.property.union {
      let isObject = waiting == nil && link.property.export == .objects
      let row = isObject ? try identity.map { try context.related(Model.self, identity: $0, by: link) } : nil
      set(waiting ?? identity, row, of: link, union, isWaiting: waiting != nil)
    } else if let waiting {
      set(link.json(waiting), at: key.position)
    } else if let identity {
      let isObject = link.property.export == .objects
      set(
        isObject ? try context.related(Model.self, identity: identity, by: link) : link.json(identity),
        at: key.position
      )
    } else {
      set(SyncJSON.null, at: key.position)
    }
  }

  /// Writes a relationship that is stored elsewhere: a list, or the far end of a one-to-one.
  ///
  /// Nothing is written where a row in it was told since to belong elsewhere, and waits for that: what is absent
  /// changes nothing.
  public mutating func setRelated(of owner: some SyncIdentityValue, for key: SyncKey) throws {
    guard isWritten(key.position) else { return }
    let link = SyncExportContext.Link(table: table, position: key.position)
    let isBeside = keysBesideLinks.hasScalar(beside: key.position)
    guard link.property.export != .never || isBeside, let owner = context.row,
      try !context.waiting.contradicts(table, key.position, of: owner.identity)
    else { return }
    func json(_ values: [SyncJSON]) -> SyncJSON {
      link.property.isToMany ? .array(values) : values.first ?? .null
    }
    let waiting =
      link.property.isToMany ? nil : try context.waiting.keys(table, key.position, of: owner).first
    if isBeside {
      linkedKeys[key.position] =
        try waiting.map(link.forms) ?? [
          json(context.keys(link, of: owner)), json(context.listed(link, of: owner).map(\.json)),
        ]
    }
    let isObjects = link.property.export == .objects
    if let union = link.property.union { return try setRelated(link, of: owner, union) }
    if let waiting { return set(link.json(waiting), at: key.position) }
    let values = isObjects ? try context.related(link, of: owner) : try context.keys(link, of: owner)
    guard let map = keys[key.position]?.map else { return set(json(values), at: key.position) }
    set(try members(of: map, values, link, of: owner), at: key.position)
  }

  /// Writes the rows of one case of a union that are linked elsewhere, each with its type.
  private mutating func setRelated(
    _ link: SyncExportContext.Link, of owner: RowKey, _ union: UnionPlace
  ) throws {
    guard let related = link.property.related?.syncTable else { return }
    let identities = try context.listed(link, of: owner)
    let rows = link.property.export == .objects ? try context.related(link, of: owner) : []
    let values = identities.enumerated().map { index, identity -> SyncJSON in
      // A key that waits has no row.
      let isRow = rows.indices.contains(index) && rows[index].object != nil
      return (isRow ? rows[index] : context.reference(to: identity, in: related)).typed(union)
    }
    guard !link.property.isToMany else { return set(.array(values), at: link.position) }
    let row = values.first { $0.object?.count ?? 0 > 1 }
    set(identities.first, row, of: link, union, isWaiting: false)
  }

  /// Writes what one case of a union has: the row with its type, or its identity with the type beside it.
  private mutating func set(
    _ identity: SyncIdentity?, _ row: SyncJSON?, of link: SyncExportContext.Link, _ union: UnionPlace,
    isWaiting: Bool
  ) {
    guard isWritten(link.position), let key = keys[link.position] else { return }
    let related = link.property.related?.syncTable
    let isKey = link.property.export == .identities
    let object =
      row ?? identity.flatMap { identity in related.map { context.reference(to: identity, in: $0) } }
    let json = isKey ? identity.map(link.json) : object?.typed(union)
    add(
      Value(
        position: link.position, place: key, json: json ?? .null, related: related, isWaiting: isWaiting))
    guard isKey, let type = table.unionGates[link.position]?.typePosition,
      let typeKey = table.properties[type].keys(in: style).first
    else { return }
    let name = identity.map { _ in SyncJSON.string(union.cases.cases[union.index].type) }
    add(
      Value(
        position: type, place: ExportKey(typeKey), json: name ?? .null, related: nil, isWaiting: isWaiting))
  }

  /// Writes a type that the schema does not know, where no case of the union has a row.
  private mutating func setUnrecognized(_ type: String, _ union: UnionPlace, at position: Int) {
    guard isWritten(position), !union.cases.cases.contains(where: { $0.type == type }),
      let link = table.properties.firstIndex(where: { $0.union?.property == union.property }),
      let key = keys[link]
    else { return }
    guard table.properties[link].export == .identities else {
      var object = SyncJSONObject()
      object.merge(.string(type), at: ExportKey(union.cases.key))
      return add(Value(position: link, place: key, json: .object(object), related: nil))
    }
    guard let typeKey = table.properties[position].keys(in: style).first else { return }
    add(Value(position: position, place: ExportKey(typeKey), json: .string(type), related: nil))
  }

  /// A list of rows as a map by their identities.
  private func members(
    of map: ExportedMap, _ values: [SyncJSON], _ link: SyncExportContext.Link, of owner: RowKey
  ) throws -> SyncJSON {
    let related = link.property.related?.syncTable
    let key = map.property.flatMap { name in
      related?.position(of: name).flatMap { related?.exportKey(of: $0, in: style)?.text }
    }
    var object = SyncJSONObject()
    // Rows and keys that wait, in the order of the values.
    for (identity, value) in zip(try context.listed(link, of: owner), values) {
      let name = related?.identityReader.json(identity).string ?? identity.description
      object[name] = map.value(value, key: key)
    }
    return .object(object)
  }

  private func firstCase(of link: SyncExportContext.Link) -> Int {
    guard let union = link.property.union, !union.isFirst else { return link.position }
    return table.properties.firstIndex { $0.union?.property == union.property } ?? link.position
  }

  private var keysBesideLinks: KeysBesideLinks { table.keysBesideLinks(style) }

  /// Whether a value may be written beside what the relationship says that reads its key.
  private func isAgreed(_ value: Value) -> Bool {
    // Alone it says what it says.
    guard let link = keysBesideLinks.link(beside: value.position), isWritten(link) else { return true }
    return linkedKeys[link]?.contains { KeysBesideLinks.agree(value.json, $0) } ?? false
  }

  // MARK: Keys

  private func isWritten(_ position: Int) -> Bool { only?.contains(position) ?? true }

  private var style: KeyStyle { context.configuration.keyStyle }

  /// Writes a value under the key of a property, if it has one.
  mutating func set(_ json: SyncJSON, at position: Int) {
    guard isWritten(position), let key = keys[position] else { return }
    let related = table.properties[position].related?.syncTable
    add(Value(position: position, place: key, json: json, related: related))
  }

  /// Adds a value. The cases of a union have one place, where what is there counts.
  private mutating func add(_ value: Value) {
    let property = table.properties[value.position].union?.property
    guard
      let index = values.firstIndex(where: {
        $0.position == value.position
          || (property != nil && table.properties[$0.position].union?.property == property)
      })
    else { return values.append(value) }
    // A key that waits was told later than what is linked.
    if values[index].isWaiting && !value.json.isNull { return }
    if value.isWaiting || values[index].json.isNull {
      values[index] = value
    } else if case .array(let own) = values[index].json, case .array(let others) = value.json {
      values[index].json = .array(Array(own) + Array(others))
    }
  }
}

extension SyncJSON {
  /// A row of a case of a union, which says of which type it is.
  func typed(_ union: UnionPlace) -> SyncJSON {
    guard case .object(var object) = self else { return self }
    object.setType(union.cases, union.index)
    return .object(object)
  }

  /// What two cases of a union have together.
  func joined(with other: SyncJSON) -> SyncJSON {
    if case .array(let own) = self, case .array(let others) = other {
      return .array(Array(own) + Array(others))
    }
    return isNull ? other : self
  }
}

extension SyncObjectWriter.Value {
  fileprivate enum Place {
    /// The related row has nothing there, and reads nothing from there.
    case free
    case taken(SyncJSON?)
  }

  /// What is at a path into the related row's object.
  fileprivate func place(of path: [String], style: KeyStyle) -> Place {
    let inner = path.dropFirst(place.names?.count ?? 0)
    guard let name = inner.first, let names = related?.keyTable(style).names,
      names.contains(where: { $0.elementsEqual(name.utf8) })
    else { return .free }
    var value: SyncJSON? = json
    for name in inner { value = value?[name] }
    return .taken(value)
  }
}

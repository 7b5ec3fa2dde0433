import SynclineNaming

/// Builds the JSON object of a row. Paths become nested objects, which properties with a common prefix share.
@_spi(Generated)
public struct SyncObjectWriter {
  let context: SyncExportContext
  let table: SyncTable
  var values: [Value] = []
  let keys: [ExportKey?]
  /// The properties that are written; nil for all.
  let only: Set<Int>?
  /// The list that is not written, with all its cases if it is a union's; empty if there is none.
  private let leftOut: [Int]
  /// How relationships are written; nil for the form in the schema.
  let export: SyncProperty.Export?
  /// Whether properties that are nil are left out.
  let omitsNulls: Bool
  /// The unions whose link differs from the stored row's: it is newer than a pending key of any case.
  var editedUnions: Set<String> = []
  /// The keys that relationships write, if scalars share them.
  private var linkedKeys: [Int: [SyncJSON]] = [:]

  /// A value and its key.
  struct Value {
    let position: Int
    let place: ExportKey
    var json: SyncJSON
    /// The model whose rows are written there.
    let related: SyncTable?
    /// Whether it is a pending key.
    var isWaiting = false

    var key: String { place.text }
    /// When it is written: an element of a list after the list, null after all other values, and the row of the path `.` last.
    var turn: Int {
      if place.isItself { return 3 }
      guard json.isNull else { return place.hasPlace ? 1 : 0 }
      return place.hasPlace || place.steps.contains(where: \.isMany) ? 2 : 0
    }
  }

  init(
    context: SyncExportContext, table: SyncTable, only: Set<Int>? = nil, leftOut: [Int] = [],
    as export: SyncProperty.Export? = nil, omitsNulls: Bool = false
  ) {
    self.context = context
    self.table = table
    self.only = only
    self.leftOut = leftOut
    self.export = export
    self.omitsNulls = omitsNulls
    keys = context.keys(of: table, only: only, as: export)
    values.reserveCapacity(keys.count)
  }

  /// A row that is a list: each value at its index, and null at the indexes between them. Values without an index are left out:
  /// they link to the row's parent, whose object contains the list.
  private var list: SyncJSON {
    let count = keys.reduce(0) { max($0, ($1?.placeInRow ?? -1) + 1) }
    let placed = values.filter { $0.place.placeInRow != nil }
    return SyncObjectWriter.inOrder(placed).reduce(.array(Array(repeating: .null, count: count))) {
      $0.merging($1.json, at: $1.place.steps)
    }
  }

  /// Values in the order in which they are written. Most rows have values of one turn only.
  private static func inOrder(_ values: [Value]) -> [Value] {
    let last = values.reduce(0) { max($0, $1.turn) }
    return last == 0 ? values : (0...last).flatMap { turn in values.filter { $0.turn == turn } }
  }

  /// The object with the values that were set, or a list if the model's rows are lists.
  public var json: SyncJSON {
    if table.rowPlaces > 0 { return list }
    var object = SyncJSONObject()
    let values = keysSharedWithLinks.isEmpty ? values : values.filter { isAgreed($0) }
    object.reserveCapacity(values.count)
    let related = values.filter { $0.related != nil && !$0.place.isItself }
    let rows = related.filter { $0.json.object != nil && $0.place.map == nil }
    let others = related.filter { $0.json.object == nil }
    for value in SyncObjectWriter.inOrder(values) {
      if let related = value.related, value.place.isItself {
        let row = table.withoutOwnKeys(value.json, of: related, in: style)
        // The rows of a list have their own order, so nothing is added to them.
        let paths = values.filter { $0.related == nil || !$0.place.steps.contains(where: \.isMany) }
        object.fill(from: row, besides: paths.map(\.place.steps))
        continue
      }
      // The path as one key, which is read first. A path with quotes is not, so the value is left out, which changes nothing.
      func setUndivided() {
        if value.place.isLiteral { object[value.key] = value.json }
      }
      // A foreign key or null has no members, so a value below it is written under the undivided path, unless both are null.
      if let other = others.first(where: { value.key.hasPrefix($0.key + ".") }),
        !other.json.isNull || value.json.isNull || value.place.isLiteral
      {
        if !other.json.isNull || !value.json.isNull { setUndivided() }
        continue
      }
      // The rows of a list have their own order, so nothing is merged into them.
      if value.related == nil,
        others.contains(where: { !$0.json.isNull && value.place.leads(into: $0.place) })
      {
        setUndivided()
        continue
      }
      if let row = rows.first(where: { value.place.isInside($0.place) }) {
        let inner = value.place.steps.dropFirst(row.place.steps.count)
        if row.reads(inner, style) {
          // The related row may have another value there.
          if inner.isEmpty || row.json.value(at: inner) != value.json { setUndivided() }
          continue
        }
      }
      object.merge(value.json, at: value.place)
    }
    return .object(object)
  }

  /// Writes a scalar; for nil null, or nothing.
  ///
  /// - Throws: the error of a ``SyncTransform`` in it.
  public mutating func set<Value: SyncScalar>(_ value: Value?, for key: SyncKey) throws {
    guard value != nil || !omitsNulls else { return }
    var form = context.configuration.form(table.properties[key.position])
    form.omitsNulls = omitsNulls
    let json = try value?.syncExport(form: form) ?? .null
    guard key.position == table.identity, !table.identityProperty.keyPatterns.isEmpty,
      let identity = context.row(of: table)?.identity ?? (value as? any SyncIdentityValue)?.syncIdentity
    else {
      return set(json, at: key.position)
    }
    set(table.identityReader.json(identity), at: key.position)
  }

  /// Writes a value through a transform; for nil null, or nothing.
  ///
  /// - Throws: the error of the transform.
  public mutating func set<Transform: SyncTransform>(
    _ value: Transform.Value?, for key: SyncKey, by transform: Transform.Type
  ) throws {
    if let union = table.unionTypes[key.position]?.union {
      if let type = value as? String { setUnrecognized(type, union, at: key.position) }
      return
    }
    try set(value.map { SyncTransformed<Transform>($0) }, for: key)
  }

  /// Writes a to-one relationship: the related row as an object or as its identity, or its foreign key if the link is pending;
  /// for nil null, or nothing.
  ///
  /// If a pending link has since assigned the related row of a one-to-one relationship to another row, nothing is
  /// written.
  public mutating func set<Model: SyncUpdatableModel>(_ reference: Reference<Model>?, for key: SyncKey) throws
  {
    let link = SyncExportContext.Link(table: table, position: key.position)
    // The first case of a union represents all.
    let first = firstCase(of: link)
    let isBeside = keysSharedWithLinks.hasScalar(beside: first)
    let isWritten = isWritten(key.position)
    guard isWritten ? link.property.export != .never || isBeside : isBeside && context.isDocument
    else { return }
    let identity = reference?.id.syncIdentity
    let waiting = try isOfEditedUnion(link, identity) ? nil : context.waitingKey(link, given: identity)
    // Properties that the caller names are written all the same.
    if only == nil || context.isDocument, waiting == nil, let identity, let row = context.row(of: table),
      try context.waiting.contradicts(link, of: row.identity, with: identity)
    {
      return
    }
    if isBeside, waiting != nil || identity != nil || linkedKeys[first] == nil {
      linkedKeys[first] = context.forms(of: identity, waiting: waiting, by: link)
    }
    guard isWritten else { return }
    // An object with only the identity would create the row.
    if let waiting, only == nil, !context.canWrite(waiting, of: link) { return }
    let isObject = waiting == nil && writesObjects(link)
    let row = isObject ? try identity.map { try context.related(Model.self, identity: $0, by: link) } : nil
    if let union = link.property.union {
      return set(waiting?.identity ?? identity, row, of: link, union, isWaiting: waiting != nil)
    }
    let json =
      row ?? waiting.map { context.json(waiting: $0, by: link) }
      ?? identity.map { context.json($0, by: link) }
    set(json ?? .null, at: key.position)
  }

  /// Writes a relationship that is not stored in this table: a list, or the other end of a one-to-one
  /// relationship.
  ///
  /// If a pending link has since assigned one of its rows to another owner, nothing is written, because an absent key
  /// changes nothing.
  public mutating func setRelated(of owner: some SyncIdentityValue, for key: SyncKey) throws {
    let link = SyncExportContext.Link(table: table, position: key.position)
    let isBeside = keysSharedWithLinks.hasScalar(beside: key.position)
    let isWritten = isWritten(key.position)
    guard isWritten || (isBeside && context.isDocument) else { return }
    let row = context.row(of: table) ?? RowKey(identity: owner.syncIdentity)
    guard link.property.export != .never || isBeside,
      try !link.cases.contains(where: { link in
        try context.waiting.contradicts(link, of: row.identity)
          || context.waiting.keys(link, of: row).contains { !context.canWrite($0, of: link) }
      })
    else { return }
    let waiting = link.property.isToMany ? nil : try context.waiting.keys(link, of: row).first
    if isBeside {
      linkedKeys[key.position] =
        try waiting.map { context.forms(of: nil, waiting: $0, by: link) } ?? [
          link.json(context.keys(link, of: row)), link.json(context.listed(link, of: row).map(\.json)),
        ]
    }
    guard isWritten else { return }
    if let union = link.property.union { return try setRelated(link, of: row, union) }
    if let waiting { return set(context.json(waiting: waiting, by: link), at: key.position) }
    let values = writesObjects(link) ? try context.related(link, of: row) : try context.keys(link, of: row)
    let identities = keys[key.position]?.map == nil ? [] : try context.listed(link, of: row)
    set(values, of: identities, by: link)
  }

  /// Writes the keys of some rows as a relationship, whatever is stored.
  ///
  /// - Parameter waiting: the pending keys of a list with `by:`.
  mutating func set(
    keys identities: [SyncIdentity], waiting: [WaitingLinks.Key] = [], of link: SyncExportContext.Link
  ) {
    let first = firstCase(of: link)
    let isBeside = keysSharedWithLinks.hasScalar(beside: first)
    guard link.property.isToMany else {
      if isBeside, !identities.isEmpty || linkedKeys[first] == nil {
        linkedKeys[first] = context.forms(of: identities.first, waiting: nil, by: link)
      }
      if let union = link.property.union {
        return set(identities.first, nil, of: link, union, isWaiting: false)
      }
      return set(identities.first.map { context.json($0, by: link) } ?? .null, at: link.position)
    }
    let all = identities + waiting.map(\.identity)
    let members = identities.map { identity -> SyncJSON in
      guard let union = link.property.union, let related = link.property.related?.syncTable else {
        return context.json(identity, by: link)
      }
      return context.reference(to: identity, in: related).typed(union.cases, union.index)
    }
    let values = members + waiting.map { context.json(waiting: $0, by: link) }
    if isBeside { linkedKeys[link.position] = [.array(values), .array(all.map(\.json))] }
    set(values, of: all, by: link)
  }

  /// Writes the rows and pending keys of a relationship, which may be a map with their identities as keys.
  ///
  /// - Parameter identities: in the order of the values; only needed for a map.
  private mutating func set(
    _ values: [SyncJSON], of identities: [SyncIdentity], by link: SyncExportContext.Link
  ) {
    guard let map = keys[link.position]?.map else { return set(link.json(values), at: link.position) }
    let related = link.property.related?.syncTable
    let key = map.property.flatMap { name in
      related?.position(of: name).flatMap { related?.exportKey(of: $0, in: style)?.text }
    }
    var object = SyncJSONObject()
    for (identity, value) in zip(identities, values) {
      let name = related?.identityReader.json(identity).string ?? identity.description
      object[name] = map.value(value, key: key)
    }
    set(.object(object), at: link.position)
  }

  private func firstCase(of link: SyncExportContext.Link) -> Int {
    table.unionGates[link.position]?.positions.first ?? link.position
  }

  private var keysSharedWithLinks: KeysSharedWithLinks { table.keysSharedWithLinks(style) }

  /// Whether a value may be written next to the relationship that shares its key.
  private func isAgreed(_ value: Value) -> Bool {
    // On its own it is a value. Next to a list that is left out, it would be read as that list.
    guard let link = keysSharedWithLinks.link(beside: value.position),
      isWritten(link) || leftOut.contains(link) || context.isDocument
    else { return true }
    return linkedKeys[link]?.contains { KeysSharedWithLinks.agree(value.json, $0) } ?? false
  }

  // MARK: Keys

  func isWritten(_ position: Int) -> Bool { !leftOut.contains(position) && only?.contains(position) ?? true }

  /// Whether the rows of a relationship are written whole, and not as keys.
  func writesObjects(_ link: SyncExportContext.Link) -> Bool {
    (export ?? link.property.export) == .objects && !context.isOtherEnd(link.position)
  }

  var style: KeyStyle { context.configuration.style }

  /// Writes a value under the key of a property, if it has one.
  mutating func set(_ json: SyncJSON, at position: Int) {
    guard isWritten(position), let key = keys[position] else { return }
    let related = table.properties[position].related?.syncTable
    if related != nil, omitsNulls, json.isNull { return }
    // The object itself cannot be null, so the identity in it is.
    let isNoRow = key.isItself && json.isNull
    let value = isNoRow ? related.map(context.noRow) ?? json : json
    add(Value(position: position, place: key, json: value, related: related))
  }
}

extension SyncObjectWriter.Value {
  /// Whether the related row reads the value at a path into its object.
  fileprivate func reads(_ path: ArraySlice<RemotePath.Step>, _ style: KeyStyle) -> Bool {
    guard case .member(let name)? = path.first else { return true }
    return related?.keyTable(style).position(of: name) != nil
  }
}

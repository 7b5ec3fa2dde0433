import SynclineNaming

/// Work that needs all rows of a slice: finding missing and deleted rows.
extension SliceSync {
  /// Ends reading, after the rows of all slices were read.
  func finishReading() throws {
    run.endReading()
    try rows.named.scan?.finish { [table, named = rows.named] in
      // Identities that are unique within a parent do not identify a row without it.
      table.parentScope == nil && named.containsOutsideScan(RowKey(identity: $0))
    }
    if slice.isInBody {
      // The parent may have come with another list.
      try SliceSync.checkParent(slice, rows)
    } else {
      // The rows of a union are counted at the end of each list.
      run.mode.progress?.read(bytes: .max, rows: slice.unionKey == nil ? rowCount : 0)
    }
    run.mode.progress?.begin(.linking)
    // Rows that come with the call's rows, and rows of a union, may have no identities: they were reported.
    if isWithoutIdentities, slice.part?.isMain ?? true, slice.unionKey == nil {
      throw try missingIdentities()
    }
  }

  /// How many rows there are, and how many of them have identities, in all lists of the same stored rows.
  private var count: (rows: Int, identities: Int) {
    guard let lists, isList else { return (rowCount, identityCount) }
    return lists.count(of: storedName)
  }

  private var isWithoutIdentities: Bool { count.identities == 0 && count.rows > 0 }

  private func missingIdentities() throws -> SyncError {
    let keys = table.identifyingProperties.flatMap { table.properties[$0].keys(in: run.style) }
    var hint: IdentityHint?
    // All rows are objects: syncing any other value throws.
    _ = try feed.forEachElement { tape, _ in
      hint = identityHint(in: tape.value(at: 0), keys)
      return .stop
    }
    let patterns = table.identityReader.patterns.map(\.source)
    return SyncError(.noIdentities(keys: keys, patterns: patterns, hint: hint), model: table.name)
  }

  /// Where a row may have its identity: under its key, but unreadable, under a similar key, or in the only object in it.
  private func identityHint(in row: SyncValue, _ keys: [String]) -> IdentityHint? {
    let members = row.members
    let own = Set(keys.map { NameSpelling($0).letters })
    let similar = members.first { key, value in
      own.contains(NameSpelling(key).letters) && (value.isString || value.isNumber)
    }
    if let similar, keys.contains(similar.key) {
      // The parts of a composite identity have types of their own, and the error names the patterns.
      guard !table.isComposite, table.identityReader.patterns.isEmpty else { return nil }
      return .unreadable(key: similar.key, found: similar.value.summary, expected: table.identityKind.noun)
    }
    if let similar { return table.isComposite ? nil : .key(similar.key) }
    let objects = members.filter { $0.value.isObject }
    // A path cannot be combined with lines, and does not lead into documents, changes and unions.
    guard slice.part == nil, !slice.text.isLines, objects.count == 1, let inner = objects.first,
      keys.contains(where: { inner.value.member(Array($0.utf8)) != nil })
    else { return nil }
    let path = slice.path.text
    if slice.isItem { return .inside(path: path.isEmpty ? inner.key : "\(path).\(inner.key)") }
    let isMany = slice.path.steps.contains(where: \.isMany)
    return .inside(path: "\(path)\(isMany ? "" : "[]").\(inner.key)")
  }

  /// The rows of the slice that are missing from the payload, or that it lists as deleted, once all links are settled. For a
  /// parent, these are rows that reference it after the sync, and rows that did before and reference nothing now.
  func missingRows(_ settlement: LinkSettlement) throws -> [(row: LinkedRow, policy: DeletionPolicy)] {
    let model = slice.entry.number
    let isGone = slice.gone != nil
    var missing: [LinkedRow]
    if isGone {
      missing = lists?.gone(in: number).map { LinkedRow(model, $0) } ?? []
    } else {
      guard slice.policy != .none, !isWithoutIdentities, !isHeldBack,
        let found = candidates?.identities ?? rows.named.scan?.missing
      else { return [] }
      missing = found.map { LinkedRow(model, key(of: $0)) }
        .filter { !rows.named.containsOutsideScan($0.key) }
    }
    if let scope = slice.scope, table.parentScope == nil, let column = rows.end(scope.position) {
      let parent = LinkedRow(column.target, scope.parent)
      missing = try missing.filter { row in
        let target = try settlement.target(of: row, at: column)
        return target == parent || (target == nil && !isGone)
      }
      if !isGone {
        missing += settlement.arrivals(at: parent, by: column).filter {
          !rows.isNamed($0.key) && candidates?.mayHave(arrived: $0.key.identity) ?? true
        }
      }
    }
    let policy = slice.gone?.policy ?? slice.policy
    return missing.map { ($0, policy) }
  }

  private var isHeldBack: Bool { slice.requiresRows && count.rows == 0 && slice.gone == nil }

  func reportHeldBack() {
    guard isHeldBack, slice.policy != .none, !isWithoutIdentities else { return }
    run.log.recordEmptyPayload(of: table.name, path: slice.path.text)
  }

  /// Reads the rows that are listed as deleted: identities, or objects that have them.
  func readListedAsDeleted() throws {
    guard let gone = slice.gone, let lists else { return }
    let list = PayloadSlice(text: gone.list, path: PayloadPath(), entry: slice.entry, policy: .none)
    let feed = try RowFeed(of: list, run.style)
    _ = try feed.forEachElement { tape, index in
      let value = tape.value(at: 0)
      let place = PayloadObject.Location.row(index: index ?? 0, prefix: gone.path)
      let identity =
        value.isObject ? object(tape, at: place).identity : table.identityReader.identity(in: value)
      if let identity {
        lists.addListedAsDeleted(
          key(of: identity), from: gone.begin, of: number, isPermanent: gone.policy == .hardDeleteMissing)
      } else {
        rows.counts.skipped += 1
        let object = object(tape, at: place)
        object.report("", object.noIdentity, .skippedRow)
      }
      return .kept
    }
  }

  /// Keeps rows that another part of the body lists as deleted if an object of the slice that begins later nests them, or creates
  /// them for a key. It is called before any row is applied, since rows that equal the stored ones are not looked into.
  ///
  /// - Parameter gone: the models with rows that are listed as deleted.
  func keepNestedRows(of gone: [ModelNumber: ModelLists]) throws {
    guard slice.entry.nests(run.catalog.entries.models(nesting: Set(gone.keys))) else { return }
    try forEachAppliedObject { root in
      try run.forEachObject(in: root) { nested, model in
        guard nested.level > 1, let lists = gone[model.entry.number], let row = nested.row else { return }
        lists.keep(row, from: nested.begin, in: number)
      }
    }
  }
}

extension SyncIdentityKind {
  fileprivate var noun: String {
    switch self {
    case .integer: "an integer"
    case .uuid: "a UUID"
    case .text, .composite: "a string or a whole number"
    }
  }
}

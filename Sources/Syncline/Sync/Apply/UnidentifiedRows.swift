/// Objects without identity, nested under to-one relationships: each is the row that is linked when all links of the payload
/// are decided, and stays linked to the row it stands in.
final class UnidentifiedRows {
  struct Entry {
    let place: LinkPlace
    let object: PayloadObject
    let operations: SyncRelationshipOperations
    fileprivate var tries = 0

    init(_ place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations) {
      self.place = place
      self.object = object
      self.operations = operations
    }
  }

  private unowned(unsafe) let applier: RowApplier
  private unowned(unsafe) let run: Run
  private var entries: [Entry] = []

  init(_ applier: RowApplier) {
    self.applier = applier
    run = applier.run
  }

  var isEmpty: Bool { entries.isEmpty }

  func add(_ entry: Entry) throws {
    try run.noteOrderTells()
    entries.append(entry)
  }

  /// Syncs the objects.
  ///
  /// - Parameter decideLinks: decides the links of the payload once more, now that they are synced.
  func sync(_ decideLinks: () throws -> Void) throws {
    var synced = entries
    entries = []
    for index in synced.indices { try sync(&synced[index]) }
    try applier.incomplete.finish()
    applier.links.pending.reopen()
    try decideLinks()
    // What an object says may link another row in its place.
    entries += try synced.filter { entry in
      guard let identity = entry.object.givenIdentity, entry.tries < 4 else { return false }
      return try linked(by: entry).map { $0 != identity } ?? false
    }
  }

  private func sync(_ entry: inout Entry) throws {
    entry.tries += 1
    let (end, object) = (entry.place.end, entry.object)
    guard object.level <= PayloadObject.levelLimit else { return try run.name(object) }
    // Where it has some of what identifies a row, it is not the one that is linked.
    guard !object.statesPartOfIdentity, let identity = try linked(by: entry) else {
      let reason = object.reasonForNoIdentity(of: object.value, in: end.targetTable)
      return run.log.record(
        SyncProblem(
          model: end.table.name, row: object.rowIndex, identity: entry.place.owner.identity.description,
          path: object.path, .noRowLinked(reason, model: end.targetTable.name), action: .ignoredObject))
    }
    object.givenIdentity = identity
    let mode = RowMode.nested(entry.operations, policies: [])
    _ = try applier.apply(object, identity, in: run.rows(end.target), mode)
  }

  private func linked(by entry: Entry) throws -> SyncIdentity? {
    entry.place.end.isColumn
      ? try run.target(of: entry.place) : try run.members(of: entry.place).first
  }
}

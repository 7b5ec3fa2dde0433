/// Objects without identity, nested under to-one relationships: each is the row that is linked when all links of the payload
/// are decided, and stays linked to the row it stands in.
final class UnidentifiedRows {
  struct Entry {
    let place: LinkPlace
    let object: PayloadObject
    let operations: SyncRelationshipOperations

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

  func add(_ entry: Entry) throws {
    try run.logLinks()
    entries.append(entry)
  }

  /// Applies the objects to the rows that are linked when all else is decided, and keeps those links.
  ///
  /// - Returns: whether there were any.
  func answer(_ settlement: LinkSettlement) throws -> Bool {
    let open = entries
    entries = []
    var isAnswered = false
    for entry in open {
      let object = entry.object
      guard !object.statesPartOfIdentity, let row = try settlement.linked(by: entry.place) else {
        entries.append(entry)
        continue
      }
      isAnswered = true
      settlement.statements.fix(entry.place, row)
      object.givenIdentity = row.key.identity
      guard object.level <= PayloadObject.levelLimit else {
        try run.name(object)
        continue
      }
      let mode = RowMode.nested(entry.operations, policies: [])
      _ = try applier.apply(object, row.key.identity, in: run.rows(row.model), mode)
    }
    if isAnswered { try applier.incomplete.finish() }
    return isAnswered
  }

  /// Reports the objects that are no row.
  func reportUnanswered() {
    for entry in entries { report(entry) }
  }

  private func report(_ entry: Entry) {
    let (end, object) = (entry.place.end, entry.object)
    let reason = object.reasonForNoIdentity(of: object.value, in: end.targetTable)
    run.log.record(
      SyncProblem(
        model: end.table.name, row: object.rowIndex, identity: entry.place.owner.identity.description,
        path: object.path, .noRowLinked(reason, model: end.targetTable.name), action: .ignoredObject))
  }
}

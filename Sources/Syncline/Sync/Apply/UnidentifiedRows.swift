/// Objects without identity, nested under to-one relationships. Each is applied to the row that is linked when all links of the
/// payload are decided, and this link is kept.
final class UnidentifiedRows {
  struct Entry {
    let place: LinkPlace
    let object: PayloadObject
  }

  /// How often the call restarts with the rows that were found. Those after the limit are applied in the order of being found.
  private static let roundLimit = 16

  private unowned(unsafe) let applier: RowApplier
  private unowned(unsafe) let run: Run
  private var entries: [Entry] = []

  init(_ applier: RowApplier) {
    self.applier = applier
    run = applier.run
  }

  func add(_ entry: Entry) throws {
    try run.logLinks()
    // The item does not contain the identity of this row, so an edit of the row may not be reset.
    if run.resetsNamedEdits { throw Restart.resettingEdits }
    entries.append(entry)
  }

  /// Applies each object to the row that is linked once all other statements are decided, and keeps these links.
  ///
  /// - Returns: whether there were any.
  func answer(_ settlement: LinkSettlement) throws -> Bool {
    var answered: [(entry: Entry, row: LinkedRow)] = []
    var open: [Entry] = []
    for entry in entries {
      if !entry.object.statesPartOfIdentity, let row = try settlement.linked(by: entry.place),
        !run.rows(row.model).isToBeDeletedPermanently(row.key)
      {
        answered.append((entry, row))
      } else {
        open.append(entry)
      }
    }
    try merge(answered)
    entries = open
    for (entry, row) in answered {
      let object = entry.object
      settlement.statements.fix(entry.place, row)
      object.givenIdentity = row.key.identity
      guard object.level <= PayloadObject.levelLimit else {
        try run.name(object)
        continue
      }
      let mode = RowMode.nested(run.operations, policies: [])
      _ = try applier.apply(object, row.key.identity, in: run.rows(row.model), mode, isCounted: false)
    }
    if !answered.isEmpty { try applier.incomplete.finish() }
    return !answered.isEmpty
  }

  /// Restarts with the rows that were found if other objects may concern the same rows. Then the object that begins last wins.
  private func merge(_ answered: [(entry: Entry, row: LinkedRow)]) throws {
    let areAlone = answered.allSatisfy { entry, row in
      !entry.object.hasNestedRows && !run.rows(row.model).isNamed(row.key)
    }
    if areAlone || run.mode.answerRestarts == UnidentifiedRows.roundLimit { return }
    let answers = answered.map { entry, row in
      let (place, begin) = (entry.place, entry.object.begin)
      return (UnidentifiedPlace(end: place.end, owner: place.owner.identity, begin: begin), row)
    }
    throw Restart.answering(Dictionary(answers) { $1 })
  }

  /// Reports the objects for which no row is linked.
  func reportUnanswered() {
    for entry in entries {
      let (object, target) = (entry.object, entry.place.end.targetTable)
      let reason = object.reasonForNoIdentity(of: object.value, in: target)
      run.report(
        .noRowLinked(reason, model: target.name), at: entry.place, ProblemPlace(object, "").kept,
        .ignoredObject)
    }
  }
}

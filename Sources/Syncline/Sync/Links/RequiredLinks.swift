/// Required links of new rows whose targets are not there yet.
final class RequiredLinks {
  private struct Entry {
    let place: LinkPlace
    let target: SyncIdentity
    let error: SyncError
  }

  private unowned(unsafe) let run: SyncRun
  private var entries: [Entry] = []

  init(_ run: SyncRun) {
    self.run = run
  }

  var isEmpty: Bool { entries.isEmpty }

  func add(_ place: LinkPlace, target: SyncIdentity, error: SyncError) {
    entries.append(Entry(place: place, target: target, error: error))
  }

  /// Checks the links.
  ///
  /// - Parameter isLast: whether links that rows which go now may free are checked too.
  /// - Throws: the error of a row whose link leads nowhere. Where invalid rows are skipped, the row is removed again.
  func check(isLast: Bool) throws {
    // Rows that are refused for now may bring others.
    guard isLast || run.refused.isEmpty else { return }
    let held = isLast ? [] : run.pairs.heldPlaces
    let unchecked = entries
    entries = []
    for entry in unchecked {
      let (end, row) = (entry.place.end, entry.place.owner)
      if held.contains(entry.place) {
        entries.append(entry)
        continue
      }
      guard try run.target(of: entry.place) == entry.target, try !run.rows(end.target).exists(entry.target)
      else { continue }
      guard run.skipsInvalidRows else { throw entry.error }
      try run.noteOrderTells()
      let model = run.rows(end.owner)
      try model.deleteRow(row)
      model.counts.skipped += 1
      run.log.record(
        SyncProblem(
          model: end.table.name, row: nil, identity: row.identity.description, path: end.name,
          reason: entry.error.description, action: .skippedRow))
    }
  }
}

/// Required links of new rows whose targets are not there yet.
final class RequiredLinks {
  private struct Entry {
    let place: LinkPlace
    let target: SyncIdentity
    let error: SyncError
  }

  /// How often rows are skipped one after the other, before all are skipped at once that require skipped ones.
  private static let roundLimit = 16

  private unowned(unsafe) let run: Run
  private let pairs: OneToOneLinks
  private var entries: [Entry] = []

  init(_ run: Run, _ pairs: OneToOneLinks) {
    self.run = run
    self.pairs = pairs
  }

  var isEmpty: Bool { entries.isEmpty }

  func add(_ place: LinkPlace, target: SyncIdentity, error: SyncError) {
    entries.append(Entry(place: place, target: target, error: error))
  }

  /// What is wrong with a row whose link leads nowhere, where it did not when the row was made.
  func error(of place: LinkPlace) -> SyncError? { entries.last { $0.place == place }?.error }

  /// Checks the links.
  ///
  /// - Parameters:
  ///   - isLast: whether links that rows which go now may free are checked too.
  ///   - mayBringMore: whether rows are refused for now, which may bring others.
  /// - Throws: the error of a row whose link leads nowhere. Where invalid rows are skipped, ``RowsToSkip`` with all of them.
  func check(isLast: Bool, mayBringMore: Bool = false) throws {
    guard isLast || !mayBringMore else { return }
    let held = isLast ? [] : pairs.heldPlaces
    let unchecked = entries
    entries = []
    var failed: [Entry] = []
    for entry in unchecked {
      if held.contains(entry.place) {
        entries.append(entry)
      } else if try leadsNowhere(entry) {
        try run.logLinks()
        guard run.skipsInvalidRows else { throw entry.error }
        failed.append(entry)
      }
    }
    guard !failed.isEmpty else { return }
    var rows = run.rowsToSkip()
    for entry in failed { rows.add(entry.place.owner, of: entry.place.end.owner, error: entry.error) }
    // Each round finds the rows that require those of the last one. A chain of rows of one model may be long.
    if rows.rounds > RequiredLinks.roundLimit { try addHolders(of: failed, to: &rows) }
    throw rows
  }

  private func leadsNowhere(_ entry: Entry) throws -> Bool {
    try run.target(of: entry.place) == entry.target && !run.rows(entry.place.end.target).exists(entry.target)
  }

  /// Adds the new rows that require rows which are skipped, and those that require them in turn.
  private func addHolders(of failed: [Entry], to rows: inout RowsToSkip) throws {
    var found = failed.map { (model: run.rows($0.place.end.owner), row: $0.place.owner) }
    while let (model, row) = found.popLast() {
      for reference in model.entry.references where !reference.end.isOptional {
        let holders = run.rows(reference.end.owner)
        for holder in try holders.holderKeys(of: row.identity, at: reference.end.position)
        where holders.journal.isInserted(holder) {
          let error = SyncError(
            RowProblem(
              model: holders.table.name, property: reference.end.name, identity: "\(holder.identity)",
              reason: .noRow(model: model.table.name, identity: "\(row.identity)")))
          if rows.add(holder, of: reference.end.owner, error: error) { found.append((holders, holder)) }
        }
      }
    }
  }
}

/// Fast path for to-one keys that equal the stored links and pending links.
extension RowApplier {
  /// Whether the keys of a row's object equal the stored links and pending links. If so, the pending ones are noted.
  ///
  /// - Parameter stored: the stored row.
  func areKeysAsStored(
    _ object: PayloadObject, _ row: RowKey, stored: ReadStatement, in model: ModelRows
  ) throws -> Bool {
    guard run.operations == .all else { return false }
    for case let end? in model.entry.ends where end.isColumn {
      let reading = object.toOne(end.key, target: end.targetTable)
      if case .absent = reading.decision { continue }
      let place = LinkPlace(end: end, owner: row)
      guard !run.isDecided(place) else { return false }
      let current = SyncIdentity(stored.column(end.position))
      switch (reading.decision, try links.pending.stored.entry(of: place)) {
      case (.null, .none) where current == nil: continue
      case (.key(let target), .none) where current == target: continue
      case (.key(let target), .waits(let awaited)) where awaited == target && current != target:
        // The scan matched the row just now, so no earlier object of the payload has stated the link.
        links.pending.waitAgain(
          place, for: target, begin: reading.begin, ProblemPlace(object, reading.key))
      default: return false
      }
    }
    return true
  }
}

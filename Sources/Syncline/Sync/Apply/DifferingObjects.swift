/// Counts objects whose values differ from those of another object of the same row. They are merged, but may be a sign of a key
/// that does not identify rows.
///
/// Only rows that a later object wrote are checked. At the end of the payload their objects are read twice more: to merge their
/// values, and to find those that differ from the result. So a row takes only the memory of its values.
final class DifferingObjects {
  private unowned(unsafe) let run: Run
  private var rows: [ModelNumber: Set<RowKey>] = [:]
  /// Settings for reading the objects again without reporting their problems again.
  private(set) lazy var settings = PayloadSettings(
    style: run.style, outputFormat: run.payloadSettings.outputFormat,
    readsKeysAsIdentities: run.payloadSettings.readsKeysAsIdentities,
    hasNullIdentities: run.payloadSettings.hasNullIdentities)

  init(_ run: Run) {
    self.run = run
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Notes that an object other than the first one wrote a row.
  func note(_ row: RowKey, in model: ModelRows) {
    rows[model.entry.number, default: []].insert(row)
  }

  /// Merges the values of noted rows from an object of the payload and those nested in it.
  func merge(_ object: PayloadObject) throws {
    try forEachNoted(in: object) { object, row, model in try model.syncer?.merge(object, of: row) }
  }

  /// Counts the objects that differ from the merged values.
  func count(_ object: PayloadObject) throws {
    try forEachNoted(in: object) { object, row, model in
      if try model.syncer?.differs(object, of: row) == true { model.counts.merged += 1 }
    }
  }

  private func forEachNoted(
    in object: PayloadObject, _ body: (PayloadObject, RowKey, ModelRows) throws -> Void
  ) throws {
    try run.forEachObject(in: object) { object, model in
      guard let rows = rows[model.entry.number], let row = object.row, rows.contains(row),
        object.level == 1 || run.mode.operations.contains(.update)
      else { return }
      try body(object, row, model)
    }
  }
}

/// Counts the objects of a payload that say other values than another object of their row: they are merged, which may be the
/// sign of a key that does not identify rows.
///
/// Only rows are looked at that a later object wrote. When the payload ends their objects are read twice more: what they say
/// together, and which of them say something else. So a row takes no more room than its values.
final class DifferingObjects {
  private unowned(unsafe) let run: Run
  private var rows: [ModelNumber: Set<RowKey>] = [:]
  /// How objects are read, so that what is wrong with them is not reported once more.
  private(set) lazy var settings = PayloadSettings(
    style: run.style, outputFormat: run.payloadSettings.outputFormat,
    readsKeysAsIdentities: run.payloadSettings.readsKeysAsIdentities)

  init(_ run: Run) {
    self.run = run
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Notes that a row was written by another object than its first.
  func note(_ row: RowKey, in model: ModelRows) {
    rows[model.entry.number, default: []].insert(row)
  }

  /// Takes over what an object of the payload, and those nested in it, say of noted rows.
  func merge(_ object: PayloadObject) throws {
    try forEachNoted(in: object) { object, row, model in try model.syncer?.merge(object, of: row) }
  }

  /// Counts what differs from that.
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

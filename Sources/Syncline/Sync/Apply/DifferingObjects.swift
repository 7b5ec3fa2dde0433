/// Counts objects that give a property another value than an earlier object of the same row. They are merged, but may be a sign
/// of a key that does not identify rows.
///
/// Only rows that a later object wrote are checked. At the end of the payload their objects are read once more, so a row takes
/// only the memory of its values. Values that are merged are meant to come in several objects, and are not compared.
final class DifferingObjects {
  private unowned(unsafe) let run: Run
  private var rows: [ModelNumber: Set<RowKey>] = [:]
  /// The rows whose objects differ, in the order in which they were found.
  private var found: [LinkedRow: SyncUnreadKeys.Merged] = [:]
  private var order: [LinkedRow] = []
  /// Settings for reading the objects again without reporting their problems again.
  private(set) lazy var settings = run.settings(leavesOutMerged: true)

  init(_ run: Run) {
    self.run = run
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Notes that an object other than the first one wrote a row.
  func note(_ row: RowKey, in model: ModelRows) {
    rows[model.entry.number, default: []].insert(row)
  }

  /// Counts an object of the payload, and those nested in it, that differ from an earlier object of their row.
  func count(_ object: PayloadObject) throws {
    try run.forEachObject(in: object) { object, model in
      guard let rows = rows[model.entry.number], let row = object.row, rows.contains(row),
        object.level == 1 || run.mode.operations.contains(.update),
        let stated = try model.syncer?.state(object, of: row), !stated.differing.isEmpty
      else { return }
      model.counts.merged += 1
      note(stated, of: row, in: model)
    }
  }

  private func note(_ stated: StatedObjects, of row: RowKey, in model: ModelRows) {
    guard run.configuration.unreadKeys.rowLimit > 0 else { return }
    let row = LinkedRow(model.entry.number, row)
    if found[row] == nil {
      guard order.count < SyncUnreadKeys.keyLimit else { return }
      order.append(row)
    }
    let properties = stated.allDiffering.map { position in
      let property = model.table.properties[position]
      return property.union?.property ?? property.name
    }
    found[row] = SyncUnreadKeys.Merged(
      model: model.table.name, identity: row.key.identity.description, objects: stated.count,
      properties: Set(properties).sorted())
  }

  /// The rows whose objects differ, and the properties in which they do.
  var merged: [SyncUnreadKeys.Merged] { order.compactMap { found[$0] } }
}

/// Counts objects that give a property another value than an earlier object of the same row. They are merged, but may be a sign
/// of a key that does not identify rows.
///
/// Only rows that a later object wrote are checked. At the end of the payload their objects are read once more, so a row takes only
/// the memory of its values. Properties with `@Merged` are not compared, since several objects are expected to have different
/// values for them.
final class DifferingObjects {
  private unowned(unsafe) let run: Run
  private var rows: Set<LinkedRow> = []
  /// The rows whose objects differ, and the properties in which they do.
  private(set) var merged: [SyncUnreadKeys.Merged] = []
  private var indexes: [LinkedRow: Int] = [:]
  /// Settings for reading the objects again without reporting their problems again.
  private(set) lazy var settings = run.settings(leavesOutMerged: true)

  init(_ run: Run) {
    self.run = run
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Notes that an object other than the first one wrote a row.
  func note(_ row: RowKey, in model: ModelRows) { rows.insert(LinkedRow(model.entry.number, row)) }

  /// Counts an object of the payload, and those nested in it, that differ from an earlier object of their row.
  func count(_ object: PayloadObject) throws {
    try run.forEachObject(in: object) { object, model in
      guard let row = object.row, rows.contains(LinkedRow(model.entry.number, row)),
        object.level <= PayloadObject.levelLimit,
        object.level == 1 || run.operations.contains(model.journal.isInserted(row) ? .insert : .update),
        let stated = try model.syncer?.state(object, of: row), !stated.differing.isEmpty
      else { return }
      model.counts.merged += 1
      list(row, of: model, stated)
    }
  }

  private func list(_ row: RowKey, of model: ModelRows, _ stated: StatedObjects) {
    guard run.configuration.unreadKeys.rowLimit > 0 else { return }
    let place = LinkedRow(model.entry.number, row)
    let index = indexes[place] ?? merged.count
    guard index < SyncUnreadKeys.keyLimit else { return }
    let properties = stated.allDiffering.map { position in
      let property = model.table.properties[position]
      return property.union?.property ?? property.name
    }
    indexes[place] = index
    let found = SyncUnreadKeys.Merged(
      model: model.table.name, identity: row.identity.description, objects: stated.count,
      properties: Set(properties).sorted())
    merged.replaceSubrange(index..<min(index + 1, merged.count), with: CollectionOfOne(found))
  }
}

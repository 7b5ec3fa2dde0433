/// Thrown where a payload has several objects of a row that cannot be applied one after the other: the sync begins again,
/// and merges the objects of the rows of some tables before it compares them with what is stored.
struct RowsToMerge: Error {
  let tables: Set<ObjectIdentifier>
}

/// The rows that a payload has several objects of, in the tables whose rows are merged.
///
/// Those are the stamped and marked ones, where the objects of a row are not the same, and those with new rows that took
/// several objects to make, which state one relationship differently; and all where links are decided when all is known.
/// Of all other rows the objects may be applied one after the other: what is stored in the end is the same.
final class RepeatedRows {
  private struct Entry {
    var count = 0
    /// Whether the store did not have the row before the call.
    let isNew: Bool
    /// The objects; none when the row's values were synced.
    var objects: [PayloadObject] = []
    /// Whether the stored row is as new as all objects together.
    var isStale = false
  }

  private var entries: [ModelNumber: [RowKey: Entry]] = [:]
  private let operations: SyncRelationshipOperations
  private let tables: Set<ObjectIdentifier>
  private let differing: DifferingObjects

  init(_ mode: Run.Mode, _ differing: DifferingObjects) {
    tables = mode.mergedTables
    operations = mode.operations
    self.differing = differing
  }

  /// Counts the objects of rows in an object of the payload. It is called for all of them before ``collect``.
  func count(in object: PayloadObject, of run: Run) throws {
    try run.forEachObject(in: object) { object, model in
      guard tables.contains(ObjectIdentifier(model.table)), let row = object.row else { return }
      let number = model.entry.number
      let isNew = try entries[number]?[row]?.isNew ?? !model.exists(row.identity)
      guard hasValues(object, isNew: isNew) else { return }
      entries[number, default: [:]][row, default: Entry(isNew: isNew)].count += 1
    }
  }

  /// Keeps the objects of the rows that have several.
  func collect(from object: PayloadObject, of run: Run) throws {
    try run.forEachObject(in: object) { object, model in
      guard let row = object.row, let entry = entries[model.entry.number]?[row], entry.count > 1,
        hasValues(object, isNew: entry.isNew)
      else { return }
      entries[model.entry.number]?[row]?.objects.append(try object.setAside(in: run))
    }
  }

  /// Whether the values of an object have a say: those of a nested one where the operations let it make or change its row.
  private func hasValues(_ object: PayloadObject, isNew: Bool) -> Bool {
    object.level == 1 || (operations.contains(isNew ? .insert : .update) && !object.isIdentityAlone)
  }

  /// The object that begins last in the text, with the earlier ones behind it.
  private static func merged(_ objects: [PayloadObject]) -> PayloadObject? {
    objects.sorted { $0.value.node.offset < $1.value.node.offset }.reduce(nil) { earlier, object in
      object.earlier = earlier
      return object
    }
  }

  /// Prepares one of a row's objects: the first one that is met reads its values from all of them, the others have but
  /// their links and nested rows.
  func prepare(_ object: PayloadObject, _ row: RowKey, in model: ModelRows) {
    guard let entry = entries[model.entry.number]?[row], entry.count > 1,
      hasValues(object, isNew: entry.isNew)
    else { return }
    guard let merged = RepeatedRows.merged(entry.objects) else {
      object.values = .synced(isStale: entry.isStale)
      return
    }
    entries[model.entry.number]?[row]?.objects = []
    merged.scope = object.scope
    merged.givenIdentity = object.givenIdentity
    object.values = .merged(merged)
    differing.note(row, in: model)
  }

  func noteStale(_ row: RowKey, in model: ModelRows) {
    entries[model.entry.number]?[row]?.isStale = true
  }
}

extension Run {
  /// What is thrown where a row of a stamped or marked table has other objects; nil where they are merged already.
  func unmergedRows(of table: SyncTable) -> RowsToMerge? {
    guard table.isMerged, !merges(table) else { return nil }
    return RowsToMerge(tables: Set(catalog.tables.filter(\.isMerged).map { ObjectIdentifier($0) }))
  }

  /// Begins again, and merges the rows of a table, where several objects of a new row state one relationship: applied
  /// together they would lose the rows that are nested in one of them.
  func mergeParts(of object: PayloadObject, in table: SyncTable) throws {
    guard !merges(table) else { return }
    for position in table.properties.indices where table.properties[position].isRelationship {
      guard object.partCount(stating: SyncKey(position)) > 1 else { continue }
      throw RowsToMerge(tables: [ObjectIdentifier(table)])
    }
  }

  private func merges(_ table: SyncTable) -> Bool { mode.mergedTables.contains(ObjectIdentifier(table)) }
}

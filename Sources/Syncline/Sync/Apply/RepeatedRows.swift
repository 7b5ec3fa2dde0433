/// Thrown where a payload has several objects of a row that cannot be applied one after the other: the sync begins again,
/// and merges the objects of the rows of some tables before it compares them with what is stored.
struct RowsToMerge: Error {
  let tables: Set<ObjectIdentifier>
}

/// The rows that a payload has several objects of, in the tables whose rows are merged.
///
/// Those are the stamped and marked ones, where the objects of a row are not the same, and those with new rows that took
/// several objects to make, which state one relationship differently. Of all other rows the objects may be applied one
/// after the other: what is stored in the end is the same.
final class RepeatedRows {
  private struct Entry {
    var count = 0
    /// The last object so far, which has the earlier ones behind it; nil when the row's values were synced.
    var object: PayloadObject?
    /// Whether the stored row is as new as all objects together.
    var isStale = false
  }

  private var entries: [ModelNumber: [RowKey: Entry]] = [:]
  /// Whether the operations let nested objects change known rows: else their values have no say.
  private let mergesNested: Bool
  private let tables: Set<ObjectIdentifier>
  private let differing: DifferingObjects

  init(_ mode: Run.Mode, _ differing: DifferingObjects) {
    tables = mode.mergedTables
    mergesNested = mode.operations.contains(.update)
    self.differing = differing
  }

  /// Counts the objects of rows in an object of the payload. It is called for all of them before ``collect``.
  func count(in object: PayloadObject, of run: Run) throws {
    try run.forEachObject(in: object) { object, model in
      guard let row = row(of: object, in: model) else { return }
      entries[model.entry.number, default: [:]][row, default: Entry()].count += 1
    }
  }

  /// Keeps the objects of the rows that have several.
  func collect(from object: PayloadObject, of run: Run) throws {
    try run.forEachObject(in: object) { object, model in
      guard let row = row(of: object, in: model),
        let entry = entries[model.entry.number]?[row], entry.count > 1
      else { return }
      let kept = try object.setAside(in: run)
      kept.earlier = entry.object
      entries[model.entry.number]?[row]?.object = kept
    }
  }

  private func row(of object: PayloadObject, in model: ModelRows) -> RowKey? {
    guard tables.contains(ObjectIdentifier(model.table)),
      object.level == 1 || (mergesNested && !object.isIdentityAlone)
    else {
      return nil
    }
    return object.row
  }

  /// Prepares one of a row's objects: the first one that is met reads its values from all of them, the others have but
  /// their links and nested rows.
  func prepare(_ object: PayloadObject, _ row: RowKey, in model: ModelRows) {
    guard let entry = entries[model.entry.number]?[row], entry.count > 1,
      object.level == 1 || (mergesNested && !object.isIdentityAlone)
    else { return }
    guard let merged = entry.object else {
      object.values = .synced(isStale: entry.isStale)
      return
    }
    entries[model.entry.number]?[row]?.object = nil
    merged.scope = object.scope
    merged.givenIdentity = object.givenIdentity
    object.values = .merged(merged)
    differing.note(row, in: model)
  }

  func noteStale(_ row: RowKey, in model: ModelRows) {
    entries[model.entry.number]?[row]?.isStale = true
  }
}

extension SyncTable {
  /// Whether objects of one row that are not the same have to be merged before they are compared with what is stored.
  var isMerged: Bool { updatedAt != nil || softDelete != nil }
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

/// The rows with several objects in the payload, in tables whose rows are merged.
///
/// They are collected for tables with `@UpdatedAt`, `@SoftDelete`, `@Merged` or `@Ordered`, and for all tables if links are decided
/// at the end of the payload. In other tables, applying the objects one after the other has the same result.
final class RepeatedRows {
  private struct Entry {
    var count = 0
    /// Whether the store did not have the row before the call.
    let isNew: Bool
    /// The row's objects; empty once its values were synced.
    var objects: [PayloadObject] = []
    /// Whether the stored row is at least as new as all objects together.
    var isStale = false
  }

  private var entries: [LinkedRow: Entry] = [:]
  private let mode: Run.Mode
  private let differing: DifferingObjects

  init(_ mode: Run.Mode, _ differing: DifferingObjects) {
    self.mode = mode
    self.differing = differing
  }

  /// Counts an object and those nested in it for their rows. It is called for the whole payload before ``collect``.
  func count(in object: PayloadObject, of run: Run) throws {
    try run.forEachObject(in: object) { object, model in
      guard mode.merges(model.table), let key = object.row else { return }
      let row = LinkedRow(model.entry.number, key)
      let isNew = try entries[row]?.isNew ?? !model.isStored(key)
      if hasValues(object, isNew: isNew) { entries[row, default: Entry(isNew: isNew)].count += 1 }
    }
  }

  func collect(from object: PayloadObject, of run: Run) throws {
    try run.forEachObject(in: object) { object, model in
      guard let key = object.row, case let row = LinkedRow(model.entry.number, key), isMerged(object, row)
      else { return }
      let copy = try object.setAside(in: run)
      entries[row]?.objects.append(copy)
    }
  }

  /// Whether the values of an object are merged with those of other objects. A separate function, so that no other reference to the
  /// row's list of objects exists while it grows. Otherwise each append would copy the list.
  private func isMerged(_ object: PayloadObject, _ row: LinkedRow) -> Bool {
    guard let entry = entries[row], entry.count > 1 else { return false }
    return hasValues(object, isNew: entry.isNew)
  }

  /// Whether an object's values count: those of a nested one do if it is applied, and may insert or update its row.
  private func hasValues(_ object: PayloadObject, isNew: Bool) -> Bool {
    let level = object.level
    return level == 1
      || level <= PayloadObject.levelLimit && mode.operations.contains(isNew ? .insert : .update)
        && !object.isIdentityAlone
  }

  /// Prepares one of a row's objects. The first one that is applied gets the values of all objects; the others apply only their
  /// links and nested rows.
  func prepare(_ object: PayloadObject, _ row: RowKey, in model: ModelRows) {
    let place = LinkedRow(model.entry.number, row)
    guard isMerged(object, place), let entry = entries[place] else { return }
    // The object that begins last in the payload, with the earlier ones linked to it.
    let objects = entry.objects.sorted { $0.begin < $1.begin }
    for (earlier, next) in zip(objects, objects.dropFirst()) { next.earlier = earlier }
    guard let merged = objects.last else {
      object.values = .synced(isStale: entry.isStale)
      return
    }
    entries[place]?.objects = []
    // An object nested in its own row may state another identity or owner, which is ignored. Composite identities have the scope.
    if !model.table.isComposite || merged.scope == nil { merged.scope = object.scope }
    merged.givenIdentity = object.givenIdentity ?? row.identity
    merged.givenPart = object.givenPart
    object.values = .merged(merged)
    differing.note(row, in: model)
  }

  func noteStale(_ row: RowKey, in model: ModelRows) {
    entries[LinkedRow(model.entry.number, row)]?.isStale = true
  }
}

extension Run {
  /// Whether the objects of a table's rows must be merged, but this run does not merge them.
  func needsMerging(of table: SyncTable) -> Bool { table.isMerged && !mode.mergesAny }
}

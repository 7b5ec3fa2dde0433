import Foundation

/// Finds the rows that a payload marks as deleted, before any object is applied: `@Deleted`.
///
/// The objects of a row are merged first: of several that state a mark, the one that begins last in the payload decides.
final class DeletionFinder {
  /// A value of a row: the one of the object that begins last.
  private struct Last<Value> {
    private(set) var value: Value?
    private var begin = 0

    mutating func note(_ value: Value?, at begin: Int) {
      guard let value, self.begin <= begin else { return }
      (self.value, self.begin) = (value, begin)
    }
  }

  private struct Statements {
    /// Whether each of the model's marks marks the row.
    var marks: [Last<Bool>]
    var stamp = Last<Date>()
    var time = Last<Date>()
    /// Whether it is a row of the call's own list, and not only nested in others.
    var isOwn = false
    /// The parent that the call gives it.
    var scope: PayloadObject.Scope?
  }

  private unowned(unsafe) let run: Run
  private let settings: PayloadSettings
  private var rows: [LinkedRow: Statements] = [:]
  /// Whether statements may have been skipped, since an object that marks their row was read after them.
  private var isIncomplete = false
  private let deleted: DeletedRows
  /// Whether the slice that is read has the call's own rows, and whether they nest rows that may be deleted.
  private var slice = (isOwn: true, nests: false)
  /// Whether rows may be in several slices.
  private let hasSlices: Bool

  private init(_ run: Run, hasSlices: Bool) {
    self.run = run
    self.hasSlices = hasSlices
    settings = run.settings()
    deleted = DeletedRows(includesKeys: run.mode.isDocument)
  }

  /// The rows that the slices of a payload mark as deleted; nil if there are none.
  static func deletedRows(in slices: [SliceSync], of run: Run) throws -> DeletedRows? {
    let models = run.catalog.deletingModels
    guard !models.isEmpty, slices.contains(where: { models.contains($0.slice.entry.number) }) else {
      return nil
    }
    let finder = DeletionFinder(run, hasSlices: slices.count > 1)
    try finder.read(slices)
    if finder.rows.isEmpty { return nil }
    if finder.isIncomplete { try finder.read(slices) }
    return try finder.decided()
  }

  private func read(_ slices: [SliceSync]) throws {
    let models = run.catalog.deletingModels
    for sync in slices where models.contains(sync.slice.entry.number) {
      slice = (sync.slice.part?.isMain ?? true, sync.slice.entry.nests(models))
      do {
        try read(sync)
      } catch is JSONError {
        // It is reported when the rows are read.
      }
    }
  }

  private func read(_ sync: SliceSync) throws {
    let (model, nests) = (sync.rows, slice.nests)
    var reused: PayloadObject?
    var count = 0
    _ = try sync.feed.forEachElement { tape, _ in
      count += 1
      if count & 63 == 0 { try run.checkCancellation() }
      guard tape.value(at: 0).isObject else { return .done }
      let known = reused?.tape === tape ? reused : nil
      known?.move(to: 0)
      let object = known ?? sync.object(tape, at: .item(prefix: ""), settings)
      reused = object
      // The deletion marks of skipped rows are ignored.
      if nests {
        try run.forEachObject(in: object, note)
      } else if !run.skipsRows || !run.mode.skipped.contains(object, in: model.entry.number) {
        note(object, model)
      }
      return .done
    }
  }

  /// Records an object's statements about its row, if any object marks the row.
  private func note(_ object: PayloadObject, _ model: ModelRows) {
    let table = model.table
    guard !table.deletionMarks.isEmpty, object.level <= PayloadObject.levelLimit, let key = object.row else {
      return
    }
    let row = LinkedRow(model.entry.number, key)
    let marks = table.deletionMarks.indices.map { object.isMarked(by: $0) }
    let known = rows[row]
    guard known != nil || marks.contains(true) else {
      if slice.nests || hasSlices || table.updatedAt != nil || table.softDelete != nil { isIncomplete = true }
      return
    }
    var statements = known ?? Statements(marks: Array(repeating: Last(), count: marks.count))
    if run.skipsInvalidRows, marks.contains(true) { noteRows(around: object) }
    for (index, isMarked) in marks.enumerated() { statements.marks[index].note(isMarked, at: object.begin) }
    statements.stamp.note(table.updatedAt.flatMap(object.date), at: object.begin)
    statements.time.note(table.softDelete.flatMap(object.date), at: object.begin)
    if object.level == 1, slice.isOwn {
      statements.isOwn = true
      statements.scope = object.scope
    }
    rows[row] = statements
  }

  private func noteRows(around object: PayloadObject) {
    var inner = object
    while case .nested(let outer, _, _) = inner.place {
      if let row = outer.row, let table = outer.table { deleted.addMarkingRow(row, of: table) }
      inner = outer
    }
  }

  private func decided() throws -> DeletedRows? {
    let marked = rows.filter { $0.value.marks.contains { $0.value == true } }
    for (row, statements) in marked { try decide(row.key, statements, in: run.rows(row.model)) }
    return marked.isEmpty ? nil : deleted
  }

  private func decide(_ row: RowKey, _ statements: Statements, in model: ModelRows) throws {
    let table = model.table
    let isKept = !statements.isOwn && !run.operations.contains(.delete)
    guard let stored = try model.storedValues(of: row) else {
      return deleted.add(row, of: table, .skipped(isKept: false))
    }
    // The stored row is newer than the deletion.
    if let position = table.updatedAt, let stamp = statements.stamp.value,
      let current = Date.syncLoad(stored[position]), Instant(stamp) < Instant(current)
    {
      return deleted.add(row, of: table, .ignored)
    }
    // If the stored row has another parent than the call's, the deletion is about its former place.
    if let scope = statements.scope, table.parentScope == nil, scope.position < table.columnCount,
      SyncIdentity(stored[scope.position]) != scope.parent,
      !run.mode.countedMarks.contains(LinkedRow(model.entry.number, row))
    {
      return deleted.ignore(row, of: table, model.entry.number, outside: scope)
    }
    deleted.add(
      row, of: table,
      table.softDelete == nil ? .skipped(isKept: isKept) : .applied(at: statements.time.value))
    if !isKept { deleted.delete(LinkedRow(model.entry.number, row)) }
  }
}

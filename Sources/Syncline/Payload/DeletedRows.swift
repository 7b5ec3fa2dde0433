import Foundation

/// The rows that a payload marks as deleted: `@Deleted`. They are found before any object of the payload is applied, so that all
/// objects of such a row are treated the same, whichever of them has the mark.
final class DeletedRows {
  /// What happens to the objects of a marked row.
  enum Treatment {
    /// They are not applied: the row is deleted, or is not stored. `isKept` if the operations do not let it be deleted.
    case skipped(isKept: Bool)
    /// They are applied, and the row is marked as deleted at the payload's date, if it has one: `@SoftDelete`.
    case applied(at: Date?)
    /// The objects' marks have no effect, since the stored row is newer, or now has another parent.
    case ignored
  }

  /// Whether a key of a marked row is ignored, like an object of it. In a JSON:API document a key represents the included object.
  /// In other payloads, the links of such keys are pending.
  let includesKeys: Bool
  /// By table.
  private var treatments: [ObjectIdentifier: [RowKey: Treatment]] = [:]
  /// The rows to delete, or to mark.
  private(set) var deletions: [LinkedRow] = []
  /// The marked rows that were stored under another parent than the call's before it, with the place of the parent's key.
  private(set) var elsewhere: [(row: LinkedRow, scope: PayloadObject.Scope)] = []
  /// The rows whose objects nest an object with a mark.
  private var markingRows: [ObjectIdentifier: Set<RowKey>] = [:]

  init(includesKeys: Bool) {
    self.includesKeys = includesKeys
  }

  func add(_ row: RowKey, of table: SyncTable, _ treatment: Treatment) {
    treatments[ObjectIdentifier(table), default: [:]][row] = treatment
  }

  /// Ignores the mark of a row that is stored outside of the call's parent.
  func ignore(_ row: RowKey, of table: SyncTable, _ model: ModelNumber, outside scope: PayloadObject.Scope) {
    add(row, of: table, .ignored)
    elsewhere.append((LinkedRow(model, row), scope))
  }

  /// Passes over the objects of ignored rows that the payload also lists as deleted: then the newer stored row does not stay, and
  /// a link to it would wait until the next payload.
  func skipIgnored(of table: SyncTable, _ model: ModelNumber, where isGone: (RowKey) -> Bool) {
    let table = ObjectIdentifier(table)
    // A row of another parent than the call's stays.
    let others = Set(elsewhere.lazy.map(\.row).filter { $0.model == model }.map(\.key))
    for case (let row, .ignored) in treatments[table] ?? [:] where isGone(row) && !others.contains(row) {
      treatments[table]?[row] = .skipped(isKept: false)
    }
  }

  func delete(_ row: LinkedRow) { deletions.append(row) }

  func addMarkingRow(_ row: RowKey, of table: SyncTable) {
    markingRows[ObjectIdentifier(table), default: []].insert(row)
  }

  /// Whether an object of a row nests an object with a mark. If the row is skipped, the mark does not count.
  func isMarking(_ row: RowKey, of table: SyncTable) -> Bool {
    markingRows[ObjectIdentifier(table)]?.contains(row) ?? false
  }

  /// The treatment of a row's objects; nil if the payload does not mark the row.
  func treatment(of row: RowKey, in table: SyncTable) -> Treatment? {
    treatments[ObjectIdentifier(table)]?[row]
  }

  /// Whether the payload marks a row, and the mark is not ignored. If so, no object of the row creates a link.
  func contains(_ row: RowKey, in table: SyncTable) -> Bool {
    switch treatment(of: row, in: table) {
    case .skipped, .applied: true
    case .ignored, nil: false
    }
  }

  /// Whether an object, and those nested in it, are not applied since the payload marks its row.
  func leavesOut(_ object: PayloadObject) -> Bool {
    guard let table = object.table, let row = object.row else { return false }
    return switch treatment(of: row, in: table) {
    case .skipped, .ignored: true
    case .applied, nil: false
    }
  }

  /// Whether the payload marks rows of a table.
  func concerns(_ table: SyncTable) -> Bool { treatments[ObjectIdentifier(table)] != nil }

  /// When a row was deleted, if the payload says so.
  func date(of row: RowKey, in table: SyncTable) -> Date? {
    if case .applied(let date) = treatment(of: row, in: table) { date } else { nil }
  }
}

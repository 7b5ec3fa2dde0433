import GRDB

/// What one sync writes to the rows of one model. Its counts, and whether anything is different from before, follow from it
/// alone.
final class RowJournal {
  private let named: NamedRows
  /// Whether any statement wrote a row. What was written may have been undone since.
  private(set) var hasWritten = false
  /// How often known rows were written.
  private(set) var writeCount = 0
  /// The known rows that were written or whose membership changed.
  private var changes: [RowKey: Change] = [:]
  /// Rows of the payload that could not be kept.
  private var skipped: Set<RowKey> = []
  private(set) var deleted: Set<RowKey> = []
  /// Known rows that this sync deleted, by a payload that does not name them or by the delete rules.
  private var deletedCount = 0
  /// Rows that were marked as deleted: they count as that alone.
  private var softDeleted: Set<RowKey> = []

  /// The rows that were inserted, deleted since or not; nil where nobody wants to know which.
  private var insertions: [RowKey]?

  /// What became of a known row.
  private struct Change {
    /// The hash of the row's columns as they were before the sync: a change that is undone is none.
    var original: Int?
    var isWritten = false
    var hasOtherMembers = false
    var isReactivated = false

    var isChange: Bool { isWritten || hasOtherMembers || isReactivated }
  }

  /// - Parameter listsRows: keeps which rows were inserted, for a list of all changes.
  init(_ named: NamedRows, listsRows: Bool) {
    self.named = named
    insertions = listsRows ? [] : nil
  }

  // MARK: Recording

  /// - Parameter isInOrder: the row follows all others that were inserted so, in the payload's order.
  func recordInsertion(_ row: RowKey, isInOrder: Bool) {
    hasWritten = true
    if !deleted.isEmpty { deleted.remove(row) }
    named.insertNew(row, isInOrder: isInOrder)
    insertions?.append(row)
  }

  /// Records that a row was written. Written back to what it was, it is unchanged.
  func recordUpdate(_ row: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]) {
    hasWritten = true
    writeCount += 1
    guard !isInserted(row) else { return }
    var change = changes[row] ?? Change()
    let original = change.original ?? old.fingerprint
    change.original = original
    change.isWritten = new.fingerprint != original
    changes[row] = change
  }

  func recordReactivation(_ row: RowKey) {
    guard !isInserted(row) else { return }
    changes[row, default: Change()].isReactivated = true
  }

  /// Records that a known row's list gained or lost a member, or that its column was cleared with the row it led to.
  func recordMembership(_ row: RowKey) {
    guard !isInserted(row) else { return }
    changes[row, default: Change()].hasOtherMembers = true
  }

  /// Records that a row of the payload, which is named, could not be kept.
  func recordSkip(_ row: RowKey) { skipped.insert(row) }

  func recordDeletion(_ row: RowKey) {
    hasWritten = true
    if !isInserted(row) { deletedCount += 1 }
    deleted.insert(row)
  }

  func recordSoftDeletion(_ row: RowKey) {
    hasWritten = true
    softDeleted.insert(row)
  }

  // MARK: Asking

  func isInserted(_ row: RowKey) -> Bool { named.containsNew(row) && !deleted.contains(row) }

  /// Whether a known row was written, or has other members.
  func isChanged(_ row: RowKey) -> Bool { !changes.isEmpty && changes[row] != nil }
  func isSkipped(_ row: RowKey) -> Bool { skipped.contains(row) }

  /// Whether anything is different from before the sync.
  var hasNetChanges: Bool {
    !softDeleted.isEmpty || deleted.contains { !named.containsNew($0) }
      || named.newCount > deleted.count(where: named.containsNew)
      || changes.contains { $0.value.isChange && !deleted.contains($0.key) }
  }

  /// What is different from before the sync, row by row.
  var changedRows: SyncChanges.Table {
    var table = SyncChanges.Table()
    for (row, change) in changes where change.isChange { table.record(row, .updated) }
    for row in softDeleted { table.record(row, .updated) }
    for row in insertions ?? [] { table.record(row, .inserted) }
    for row in deleted { table.record(row, named.containsNew(row) ? nil : .deleted) }
    return table
  }

  /// Counts each row once.
  ///
  /// - Parameter isNamed: whether the payload holds a row.
  func count(in counts: inout SyncReport.Counts, isNamed: (RowKey) -> Bool) {
    counts.inserted = named.newCount
    counts.unchanged = named.knownCount
    counts.deleted = deletedCount
    for row in softDeleted where !named.containsNew(row) && !deleted.contains(row) {
      counts.softDeleted += 1
      if isNamed(row) { counts.unchanged -= 1 }
    }
    for row in deleted {
      if named.containsNew(row) { counts.inserted -= 1 } else if isNamed(row) { counts.unchanged -= 1 }
    }
    for (row, change) in changes where !deleted.contains(row) && !softDeleted.contains(row) {
      guard change.isChange else { continue }
      if change.isReactivated { counts.reactivated += 1 } else { counts.updated += 1 }
      if isNamed(row) { counts.unchanged -= 1 }
    }
    for row in skipped where !named.containsNew(row) && !deleted.contains(row) && !softDeleted.contains(row) {
      if changes[row]?.isChange != true { counts.unchanged -= 1 }
    }
  }
}

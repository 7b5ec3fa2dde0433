import GRDB

/// Records the writes of one sync to the rows of one model. The counts of the report are computed from it, and whether anything
/// changed.
final class RowJournal {
  private let named: NamedRows
  /// Whether any statement wrote a row. The write may have been undone since.
  private(set) var hasWritten = false
  /// How often existing rows were written.
  private(set) var writeCount = 0
  /// The existing rows that were written or whose membership changed.
  @exclusivity(unchecked) private var changes = RowTable<Change>()
  /// Rows of the payload that could not be kept.
  private var skipped: Set<RowKey> = []
  private(set) var deleted: Set<RowKey> = []
  /// How many existing rows this sync deleted, because the payload lacks them or by the delete rules.
  private var deletedCount = 0
  /// Rows that were marked as deleted. They are counted only as such.
  private var softDeleted: Set<RowKey> = []

  /// The rows that were inserted, even if deleted since; nil if changes are not listed.
  @exclusivity(unchecked) private var insertions: [RowKey]?

  private struct Change {
    /// The hash of the row's columns before the sync. A change that is undone is not counted.
    var original = 0
    var flags: Flags = []

    var isChange: Bool { !flags.isDisjoint(with: [.isWritten, .hasOtherMembers, .isReactivated]) }
  }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let hasOriginal = Flags(rawValue: 1)
    static let isWritten = Flags(rawValue: 2)
    static let hasOtherMembers = Flags(rawValue: 4)
    static let isReactivated = Flags(rawValue: 8)
  }

  /// - Parameter listsRows: whether to keep the inserted rows, for a list of all changes.
  init(_ named: NamedRows, listsRows: Bool) {
    self.named = named
    insertions = listsRows ? [] : nil
  }

  // MARK: Recording

  func recordInsertion(_ row: RowKey, isInOrder: Bool) {
    hasWritten = true
    if !deleted.isEmpty { deleted.remove(row) }
    named.insertNew(row, isInOrder: isInOrder)
    insertions?.append(row)
  }

  /// Records that a row was written. If its former columns are written back, it is unchanged.
  func recordUpdate(_ row: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]) {
    hasWritten = true
    writeCount += 1
    guard !isInserted(row) else { return }
    let number = changes.number(adding: row, Change())
    if changes[number].flags.insert(.hasOriginal).inserted { changes[number].original = old.fingerprint }
    if new.fingerprint == changes[number].original {
      changes[number].flags.remove(.isWritten)
    } else {
      changes[number].flags.insert(.isWritten)
    }
  }

  func recordReactivation(_ row: RowKey) { note(.isReactivated, of: row) }

  /// Records that an existing row's list gained or lost a member, or that its column was cleared because its target was deleted.
  func recordMembership(_ row: RowKey) { note(.hasOtherMembers, of: row) }

  private func note(_ flag: Flags, of row: RowKey) {
    guard !isInserted(row) else { return }
    let number = changes.number(adding: row, Change())
    changes[number].flags.insert(flag)
  }

  /// Records that a row of the payload could not be kept. It must be named.
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

  /// Whether an existing row was written, or has other members.
  func isChanged(_ row: RowKey) -> Bool { changes.number(of: row) != nil }
  func isSkipped(_ row: RowKey) -> Bool { skipped.contains(row) }

  private var changedNumbers: some Sequence<Int> {
    (0..<changes.count).lazy.filter { self.changes[$0].isChange }
  }

  /// The existing rows that have other values than before, or that are no longer marked as deleted.
  var updatedRows: some Sequence<RowKey> {
    changedNumbers.lazy.filter { !self.changes[$0].flags.isDisjoint(with: [.isWritten, .isReactivated]) }
      .map { self.changes.row($0) }
  }

  /// Whether anything differs from before the sync.
  var hasNetChanges: Bool {
    !softDeleted.isEmpty || deleted.contains { !named.containsNew($0) }
      || named.newCount > deleted.count(where: named.containsNew)
      || changedNumbers.contains { !deleted.contains(changes.row($0)) }
  }

  /// The rows that differ from before the sync.
  var changedRows: SyncChanges.Table {
    var table = SyncChanges.Table()
    for number in changedNumbers { table.record(changes.row(number), .updated) }
    for row in softDeleted { table.record(row, .updated) }
    for row in insertions ?? [] { table.record(row, .inserted) }
    for row in deleted { table.record(row, named.containsNew(row) ? nil : .deleted) }
    return table
  }

  /// Takes a row out of the counts, since it stays as it was before the sync.
  func undo(_ row: RowKey, in counts: inout SyncReport.Counts, isNamed: Bool) {
    if named.containsNew(row) {
      if !deleted.contains(row) { counts.inserted -= 1 }
    } else if deleted.contains(row) {
      counts.deleted -= 1
    } else if softDeleted.contains(row) {
      counts.softDeleted -= 1
    } else if let change = changes.number(of: row).map({ changes[$0] }), change.isChange {
      if change.flags.contains(.isReactivated) { counts.reactivated -= 1 } else { counts.updated -= 1 }
    } else if isNamed, !skipped.contains(row) {
      counts.unchanged -= 1
    }
  }

  /// Counts each row once.
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
    for number in changedNumbers {
      let row = changes.row(number)
      if deleted.contains(row) || softDeleted.contains(row) { continue }
      if changes[number].flags.contains(.isReactivated) {
        counts.reactivated += 1
      } else {
        counts.updated += 1
      }
      if isNamed(row) { counts.unchanged -= 1 }
    }
    for row in skipped where !named.containsNew(row) && !deleted.contains(row) && !softDeleted.contains(row) {
      if changes.number(of: row).map({ changes[$0].isChange }) != true { counts.unchanged -= 1 }
    }
  }
}

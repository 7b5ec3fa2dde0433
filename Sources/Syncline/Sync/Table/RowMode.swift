/// Syncs the rows of a model whose type it knows.
protocol RowSyncing: AnyObject {
  /// Syncs an object of the payload: updates its row, or inserts it.
  func sync(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode) throws -> RowOutcome
  /// Adds an object to the values that the row's objects have stated, in payload order; returns nil for rows that are not stored.
  func state(_ object: PayloadObject, of row: RowKey) throws -> StatedObjects?
}

/// How a row of a payload is synced.
struct RowMode {
  /// Whether the row's own values are updated, and whether a new row is inserted. Both are always true for a top-level row.
  var updatesFields = true
  var inserts = true
  var policies: [ChildPolicy] = []

  static func nested(_ operations: SyncRelationshipOperations, policies: [ChildPolicy]) -> RowMode {
    RowMode(
      updatesFields: operations.contains(.update), inserts: operations.contains(.insert), policies: policies)
  }
}

enum RowOutcome {
  /// The store had the row.
  case known
  case inserted
  /// The row is not stored, but another part of the payload may insert it. Links to it are pending.
  case waits
  /// The row is not kept: the operations leave it out, or it is skipped.
  case left
}

/// The differences between a row's objects so far.
struct StatedObjects {
  var count: Int
  /// The properties to which the last object gave another value than an earlier one.
  var differing: Set<Int>
  /// The properties to which any object gave another value than an earlier one.
  var allDiffering: Set<Int>
}

extension SyncTable {
  /// Whether objects of one row that differ must be merged before they are compared with the store.
  var isMerged: Bool { updatedAt != nil || softDelete != nil || hasMergedValues || hasOrders }

  /// Whether an object may count as equal to its row although its values differ. An older stamp changes nothing, and a list has the
  /// order of any longer list that contains its rows in the same sequence.
  var isComparedLoosely: Bool { updatedAt != nil || hasOrders }
}

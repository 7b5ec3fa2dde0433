/// Syncs the rows of a model whose type it knows.
protocol RowSyncing: AnyObject {
  /// Syncs an object of the payload: updates its row, or inserts it.
  func sync(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode) throws -> RowOutcome
  /// Adds one of a row's objects to what its objects have said, in the order of the payload; nil for rows that are not stored.
  func state(_ object: PayloadObject, of row: RowKey) throws -> StatedObjects?
}

/// How a row of a payload is synced.
struct RowMode {
  /// Whether the row's own values are updated, and whether a new row is inserted. Both are always true for a top-level row.
  var updatesFields = true
  var inserts = true
  let operations: SyncRelationshipOperations
  var policies: [ChildPolicy] = []

  /// The mode for a row that is nested in another.
  static func nested(_ operations: SyncRelationshipOperations, policies: [ChildPolicy]) -> RowMode {
    RowMode(
      updatesFields: operations.contains(.update), inserts: operations.contains(.insert),
      operations: operations, policies: policies)
  }
}

/// The outcome for an object of the payload.
enum RowOutcome {
  /// The store had the row.
  case known
  case inserted
  /// The row is not stored, and may come with another part of the payload: links to it are pending.
  case waits
  /// The row is not kept: the operations leave it out, or it is skipped.
  case left

  var isStored: Bool {
    switch self {
    case .known, .inserted: true
    case .waits, .left: false
    }
  }
}

/// What a row's objects so far have said, as far as they differ.
struct StatedObjects {
  /// The number of objects.
  var count: Int
  /// The properties to which the last object gave another value than an earlier one.
  var differing: Set<Int>
  /// The properties to which any object did.
  var allDiffering: Set<Int>
}

extension SyncTable {
  /// Whether objects of one row that differ must be merged before they are compared with the store.
  var isMerged: Bool { updatedAt != nil || softDelete != nil || hasMergedValues || hasOrders }

  /// Whether an object that states something else may equal a row that an earlier object changed: of stamps the newer one counts,
  /// and a list has the order of any longer one with its rows in the same sequence.
  var isComparedLoosely: Bool { updatedAt != nil || hasOrders }
}

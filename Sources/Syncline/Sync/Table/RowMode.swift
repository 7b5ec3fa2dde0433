/// What syncs the rows of a model of known type.
protocol RowSyncing: AnyObject {
  /// Syncs an object of the payload: updates the row it names, or inserts it.
  func sync(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode) throws -> RowOutcome
  /// Takes over the values of one of a row's objects, where they may differ.
  func merge(_ object: PayloadObject, of row: RowKey) throws
  /// Whether an object says another value than all of the row's objects together do.
  func differs(_ object: PayloadObject, of row: RowKey) throws -> Bool
}

/// How a row of a payload is synced.
struct RowMode {
  /// How the row's own values are treated: a top row's always apply.
  var updatesFields = true
  var inserts = true
  let operations: SyncRelationshipOperations
  var policies: [ChildPolicy] = []

  /// How a row is synced that is nested in another.
  static func nested(_ operations: SyncRelationshipOperations, policies: [ChildPolicy]) -> RowMode {
    RowMode(
      updatesFields: operations.contains(.update), inserts: operations.contains(.insert),
      operations: operations, policies: policies)
  }
}

/// What became of an object of the payload.
enum RowOutcome {
  /// The store had the row.
  case known
  case inserted
  /// The row is not stored, and may come with another part of the payload: links to it wait.
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

extension SyncTable {
  /// Whether objects of one row that are not the same have to be merged before they are compared with what is stored.
  var isMerged: Bool { updatedAt != nil || softDelete != nil }
}

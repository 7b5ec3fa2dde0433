/// The local edits of a model's rows that are not pushed yet, for views.
///
/// ```swift
/// for try await edits in container.pendingEdits(for: Task.self) {
///   badge = edits.count
///   print(edits[task] == .rejected ? "not accepted" : "")
/// }
/// ```
public struct SyncPendingEdits<Model: SyncUpdatableModel>: Sendable {
  private let states: [RowKey: SyncPendingState]
  /// The changes that the server rejected, in the order in which they are pushed.
  public let rejected: [SyncPendingChange<Model>]

  /// The number of changes that are not pushed, including rejected ones and those of rows that were removed
  /// from their table.
  public var count: Int { states.count }
  /// Whether everything is pushed.
  public var isEmpty: Bool { states.isEmpty }

  /// No edits.
  init() { (states, rejected) = ([:], []) }

  init(_ changes: PendingChanges) throws {
    let all = try changes.all(of: Model.self)
    states = Dictionary(all.map { ($0.edit.row, $0.state) }, uniquingKeysWith: { first, _ in first })
    rejected = try all.filter { $0.state == .rejected }.compactMap { try SyncPendingChange($0, in: changes) }
  }

  /// The state of the push of a row; nil if it has no edits. It needs no query.
  public subscript(row: Model) -> SyncPendingState? {
    // Rows whose identities are unique only within a parent have the parent in a column.
    guard !states.isEmpty else { return nil }
    do { return states[try row.rowKey] } catch { return nil }
  }
}

extension SyncPendingEdits: Equatable where Model: Equatable {}

extension SyncContainer {
  /// Returns the local edits of a model's rows that are not pushed: the current ones, and new ones after each commit that
  /// changes them. Use it together with the rows of a list, to show which of them are pending.
  ///
  /// Each value takes one read, whose time depends on the number of edited rows, not on the number of rows that
  /// are shown.
  public func pendingEdits<Model: SyncUpdatableModel>(
    for model: Model.Type
  ) -> SyncValues<SyncPendingEdits<Model>> {
    values { [catalog, configuration] database in
      try SyncPendingEdits(
        PendingChanges(database: database, catalog: catalog, configuration: configuration))
    }
  }

  /// Returns the number of changes that are not pushed: the current number, and a new one after each commit that changes it.
  /// Rejected changes and those of rows that were removed from their table are included. For a model without `@Offline` the number
  /// is always 0.
  ///
  /// ```swift
  /// for try await count in container.pendingCount(for: Task.self) { badge = count }
  /// ```
  public func pendingCount<Model: SyncUpdatableModel>(for model: Model.Type) -> SyncValues<Int> {
    values { [catalog, configuration] database in
      try PendingChanges(database: database, catalog: catalog, configuration: configuration)
        .all(of: model).count
    }
  }
}

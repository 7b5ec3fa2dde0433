import Foundation
import GRDB

/// Exports. Each has two forms of one name: in async code the one that is awaited, which waits for its turn to read
/// without holding a thread, and in synchronous code the one that blocks. Within a read or a write of the database, and in a
/// `progress:` handler, the one that blocks would wait for itself: it throws ``SyncError/reentrantCall(reason:)``.
extension SyncContainer {
  /// A row as JSON that an API takes, with the rows related to it.
  ///
  /// ```swift
  /// let body = try await container.export(task)
  /// ```
  ///
  /// The row is written as it is given; it need not be stored. Relationships are read from the store. How far they are
  /// followed, and how links that wait for their rows are written: <doc:Exports>.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncUpdatableModel>(_ model: Model) async throws -> SyncJSON {
    try await readExport { try $0.json(model) }
  }

  /// A row as JSON that an API takes. Blocks until it is read.
  ///
  /// - Throws: the database's error.
  public func export<Model: SyncUpdatableModel>(_ model: Model) throws -> SyncJSON {
    try blockingExport { try $0.json(model) }
  }

  /// All rows of a model, ordered by identity, of one state of the store.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncUpdatableModel>(as model: Model.Type) async throws -> [SyncJSON] {
    try await readExport { try $0.rows(model) }
  }

  /// All rows of a model, ordered by identity. Blocks until they are read.
  ///
  /// - Throws: the database's error.
  public func export<Model: SyncUpdatableModel>(as model: Model.Type) throws -> [SyncJSON] {
    try blockingExport { try $0.rows(model) }
  }

  /// The rows of one parent, ordered by identity.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the relationship is none of the model's,
  ///   ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>
  ) async throws -> [SyncJSON] {
    let scope = try parentScope(relationship, parent)
    return try await readExport { try $0.rows(model, parent: scope) }
  }

  /// The rows of one parent, ordered by identity. Blocks until they are read.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the relationship is none of the model's, or the
  ///   database's error.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>
  ) throws -> [SyncJSON] {
    let scope = try parentScope(relationship, parent)
    return try blockingExport { try $0.rows(model, parent: scope) }
  }

  /// The rows of one parent, ordered by identity.
  ///
  /// - Throws: what the form with the parent's identity throws.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent, relationship: KeyPath<Model, Link>
  ) async throws -> [SyncJSON] {
    let scope = try parentScope(relationship, parent[keyPath: Link.Parent.syncIdentity])
    return try await readExport { try $0.rows(model, parent: scope) }
  }

  /// The rows of one parent, ordered by identity. Blocks until they are read.
  ///
  /// - Throws: what the form with the parent's identity throws.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent, relationship: KeyPath<Model, Link>
  ) throws -> [SyncJSON] {
    try export(as: model, parent: parent[keyPath: Link.Parent.syncIdentity], relationship: relationship)
  }

  // MARK: Reading

  func parentScope<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ relationship: KeyPath<Model, Link>, _ parent: Link.Parent.SyncID
  ) throws -> ParentScope {
    let scope = ParentScope(relationship, parent.syncIdentity)
    guard scope.relationship != nil else {
      throw SyncError(.noParentRelationship, model: Model.databaseTableName)
    }
    return scope
  }

  func blockingExport<Result>(_ body: (SyncExportContext) throws -> Result) throws -> Result {
    do {
      return try database.snapshot {
        try body(SyncExportContext($0, catalog: catalog, configuration: configuration))
      }
    } catch {
      throw SyncError.ofSync(error, isCancelled: false)
    }
  }

  /// Reads without holding a thread of the caller's; a cancelled task ends it.
  func readExport<Result: Sendable>(
    _ body: @escaping @Sendable (SyncExportContext) throws -> Result
  ) async throws -> Result {
    let cancellation = CancellationFlag()
    do {
      try _Concurrency.Task.checkCancellation()
      return try await withTaskCancellationHandler {
        try await database.snapshot { [catalog, configuration] database in
          try body(
            SyncExportContext(
              database, catalog: catalog, configuration: configuration, cancellation: cancellation))
        }
      } onCancel: {
        cancellation.set()
      }
    } catch {
      throw SyncError.ofSync(error, isCancelled: cancellation.isSet)
    }
  }
}

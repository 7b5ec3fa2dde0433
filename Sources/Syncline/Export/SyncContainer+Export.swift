import Foundation
import GRDB

/// Exports. Each has an awaited and a blocking form. The awaited form, for async code, waits for its turn to read without holding
/// a thread. The blocking form is for synchronous code. Inside a database access, and in a `progress:` handler, it would wait for
/// itself: it throws ``SyncError/reentrantCall(reason:)``.
extension SyncContainer {
  /// Returns a row as JSON for an API, with its related rows.
  ///
  /// ```swift
  /// let body = try await container.export(task)
  /// ```
  ///
  /// The properties are those of the given value, which need not be stored. To-many relationships and related rows are read
  /// from the store. <doc:Exports> describes how related rows and pending links are written.
  ///
  /// - Parameters:
  ///   - model: the row.
  ///   - nulls: whether properties that are nil are written as null or left out; nil for the default of the
  ///     configuration.
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncUpdatableModel>(
    _ model: Model, nulls: SyncExportNulls? = nil
  ) async throws -> SyncJSON {
    try await readExport(of: Model.syncTable, nulls: nulls) { try $0.json(model) }
  }

  /// Returns a row as JSON for an API. Blocks until its relationships are read.
  ///
  /// - Throws: the database's error.
  public func export<Model: SyncUpdatableModel>(
    _ model: Model, nulls: SyncExportNulls? = nil
  ) throws -> SyncJSON {
    try blockingExport(of: Model.syncTable, nulls: nulls) { try $0.json(model) }
  }

  /// Returns all rows of a model from one state of the store, ordered by `@Position` or identity.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncUpdatableModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil
  ) async throws -> [SyncJSON] {
    try await readExport(of: Model.syncTable, nulls: nulls) { try $0.rows(model) }
  }

  /// Returns all rows of a model, ordered by `@Position` or identity. Blocks until they are read.
  ///
  /// - Throws: the database's error.
  public func export<Model: SyncUpdatableModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil
  ) throws -> [SyncJSON] {
    try blockingExport(of: Model.syncTable, nulls: nulls) { try $0.rows(model) }
  }

  /// Returns the rows of one parent, ordered by `@Position` or identity.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the key path is not a stored relationship of the model,
  ///   ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil
  ) async throws -> [SyncJSON] {
    let scope = try parentScope(relationship, parent)
    return try await readExport(of: Model.syncTable, nulls: nulls) { try $0.rows(model, parent: scope) }
  }

  /// Returns the rows of one parent, ordered by `@Position` or identity. Blocks until they are read.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the key path is not a stored relationship of the model, or the
  ///   database's error.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil
  ) throws -> [SyncJSON] {
    let scope = try parentScope(relationship, parent)
    return try blockingExport(of: Model.syncTable, nulls: nulls) { try $0.rows(model, parent: scope) }
  }

  /// Returns the rows of one parent, ordered by `@Position` or identity.
  ///
  /// - Throws: the same errors as the form with the parent's identity.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil
  ) async throws -> [SyncJSON] {
    let scope = try parentScope(relationship, parent[keyPath: Link.Parent.syncIdentity])
    return try await readExport(of: Model.syncTable, nulls: nulls) { try $0.rows(model, parent: scope) }
  }

  /// Returns the rows of one parent, ordered by `@Position` or identity. Blocks until they are read.
  ///
  /// - Throws: the same errors as the form with the parent's identity.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil
  ) throws -> [SyncJSON] {
    try export(
      as: model, parent: parent[keyPath: Link.Parent.syncIdentity], relationship: relationship,
      nulls: nulls)
  }

  // MARK: Reading

  func parentScope<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ relationship: KeyPath<Model, Link>, _ parent: Link.Parent.SyncID
  ) throws -> ParentScope {
    let scope = ParentScope(relationship, parent.syncIdentity)
    // A handwritten model has no columns that a list could be selected by.
    guard let name = scope.relationship, Model.syncTable.position(of: name) != nil else {
      throw SyncError(.noParentRelationship, model: Model.databaseTableName)
    }
    return scope
  }

  /// - Parameters:
  ///   - table: the table of the rows, whose target has the style of the keys.
  ///   - nulls: what is written for nil; nil for what the configuration says.
  func blockingExport<Result>(
    of table: SyncTable?, nulls: SyncExportNulls?, _ body: (SyncExportContext) throws -> Result
  ) throws -> Result {
    let configuration = configuration.ofCall(about: table)
    return try readStore {
      try body(SyncExportContext($0, catalog: catalog, configuration: configuration, nulls: nulls))
    }
  }

  /// Reads without blocking the caller's thread. A cancelled task ends the read.
  func readExport<Result: Sendable>(
    of table: SyncTable?, nulls: SyncExportNulls?,
    _ body: @escaping @Sendable (SyncExportContext) throws -> Result
  ) async throws -> Result {
    let cancellation = CancellationFlag()
    let configuration = configuration.ofCall(about: table)
    do {
      try _Concurrency.Task.checkCancellation()
      return try await withTaskCancellationHandler {
        try await database.snapshot { [catalog] database in
          try body(
            SyncExportContext(
              database, catalog: catalog, configuration: configuration, nulls: nulls,
              cancellation: cancellation))
        }
      } onCancel: {
        cancellation.set()
      }
    } catch {
      throw SyncError.ofSync(error, isCancelled: cancellation.isSet)
    }
  }
}

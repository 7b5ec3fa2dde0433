import Foundation
import GRDB
import Syncline
import SynclineInterpreter

extension TextStore {
  // MARK: Syncs

  /// Syncs a list of rows, or an item if the payload is an object.
  @discardableResult
  package func sync(
    _ payload: String, as name: String? = nil, operations: SyncRelationshipOperations = .all,
    policy: DeletionPolicy? = nil, requestedAt moment: SyncMoment? = nil
  ) async throws -> SyncReport {
    payload.hasPrefix("{")
      ? try await sync(item: payload, as: name, operations: operations)
      : try await sync(list: payload, as: name, operations: operations, policy: policy, requestedAt: moment)
  }

  /// Syncs a list of rows from a payload.
  @discardableResult
  package func sync(
    list: String, at path: String? = nil, as name: String? = nil,
    operations: SyncRelationshipOperations = .all, policy: DeletionPolicy? = nil,
    requestedAt moment: SyncMoment? = nil
  ) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(
        payload: list, at: path, as: model, relationshipOperations: operations, deletionPolicy: policy,
        requestedAt: moment)
    }
    return try await sync(model(name))
  }

  @discardableResult
  package func sync(
    item: String, at path: String? = nil, as name: String? = nil,
    operations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(item: item, at: path, as: model, relationshipOperations: operations)
    }
    return try await sync(model(name))
  }

  @discardableResult
  package func sync(changes: String, as name: String? = nil) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(changes: changes, as: model)
    }
    return try await sync(model(name))
  }

  /// Syncs a list and a list of changes from one response body.
  @discardableResult
  package func sync(
    body: String, list: String, changes: String, as name: String? = nil
  ) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      try await container.sync(payload: body) { parts in
        parts.list(list, as: model)
        parts.changes(changes, as: model)
      }
    }
    return try await sync(model(name))
  }

  @discardableResult
  package func sync(jsonAPI document: String, as name: String? = nil) async throws -> SyncReport {
    try await container.sync(jsonAPI: document, as: model(name))
  }

  /// Syncs pages.
  ///
  /// - Parameter cursor: the cursor that the pages begin at.
  @discardableResult
  package func sync(
    pages: [SyncPage], as name: String? = nil, from cursor: String? = nil, policy: DeletionPolicy? = nil
  ) async throws -> SyncReport {
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      let stream = AsyncStream<SyncPage> { continuation in
        for page in pages { continuation.yield(page) }
        continuation.finish()
      }
      return try await container.sync(
        pages: stream, as: model, startingAt: cursor, deletionPolicy: policy)
    }
    return try await sync(model(name))
  }

  // MARK: Cursors

  /// Stores a cursor without rows.
  package func setCursor(_ cursor: String, of name: String? = nil) async throws {
    func set<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      try await container.sync(changes: SyncResponse(#"{"deleted": []}"#, cursor: cursor), as: model)
    }
    try await set(model(name))
  }

  package func cursor(of name: String? = nil) async throws -> String? {
    try await container.cursor(for: model(name))
  }

  // MARK: Rows

  /// The stored rows with the property names of the schema, ordered by identity.
  package func rows(of name: String? = nil) throws -> [SyncJSON] {
    try container.storedRows(of: model(name))
  }

  /// The values of the given properties of each row.
  package func values(of name: String, _ properties: String...) throws -> [[SyncJSON]] {
    try rows(of: name).map { row in properties.map { row[$0] ?? .null } }
  }

  /// The rows of a query. Each is a string with its values separated by spaces, and `-` for NULL.
  package func rows(_ sql: String) async throws -> [String] {
    try await container.database.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "-")" }.joined(separator: " ")
      }
    }
  }

  package func run(_ sql: String) async throws {
    try await container.database.write { try $0.execute(sql: sql) }
  }

  /// Makes all rows of a model the members of a to-many relationship, in each row of its owner.
  package func setAllMembers(_ relationship: String, of owner: String, to related: String) async throws {
    func set<Owner: SyncGeneratedModel, Related: SyncUpdatableModel>(
      _ owner: Owner.Type, _ related: Related.Type
    ) async throws {
      try await container.database.write { database in
        let members = try Related.fetchAll(database).map { $0[keyPath: Related.syncIdentity] }
        for row in try Owner.fetchAll(database) {
          try row.membership(Owner.path(toMany: relationship, Related.self)).set(members, database)
        }
      }
    }
    try await set(generatedModel(owner), model(related))
  }

  // MARK: Exports

  /// The exported rows.
  package func export(_ name: String? = nil) async throws -> String {
    SyncJSON.array(try await exportedRows(of: name)).description
  }

  package func exportedRows(of name: String? = nil) async throws -> [SyncJSON] {
    try await container.export(as: model(name))
  }

  /// The exported rows as text, written directly from the columns.
  package func exportData(_ name: String? = nil) async throws -> String {
    String(decoding: try await container.exportData(as: model(name)), as: UTF8.self)
  }

  /// The method and the body of each change that is not pushed yet, in the order of pushing.
  package func pushes(of name: String? = nil) async throws -> [String] {
    func pushes<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [String] {
      try await container.pendingChanges(for: model).map {
        "\($0.method) \(String(decoding: $0.body, as: UTF8.self))"
      }
    }
    return try await pushes(model(name))
  }

  /// The request body for the change that SQL makes to the only row of a model.
  package func change(_ name: String? = nil, by sql: String) async throws -> SyncJSON {
    func change<Model: SyncGeneratedModel>(_ model: Model.Type) async throws -> SyncJSON {
      let (old, edited) = try await container.database.write { database in
        let old = try Model.fetchOne(database)
        try database.execute(sql: sql)
        return (old, try Model.fetchOne(database))
      }
      guard let old, let edited else { return .null }
      return try await container.export(edited, changedFrom: old)
    }
    return try await change(generatedModel(name))
  }

  /// The rows as a JSON:API document.
  package func exportDocument(_ name: String? = nil) async throws -> SyncJSON {
    try await container.exportJSONAPI(as: generatedModel(name))
  }

  private func generatedModel(_ name: String?) throws -> any SyncGeneratedModel.Type {
    let model = try model(name)
    guard let generated = model as? any SyncGeneratedModel.Type else {
      throw SyncError.invalidPayload(model: "\(model)", reason: "the model is not generated")
    }
    return generated
  }
}

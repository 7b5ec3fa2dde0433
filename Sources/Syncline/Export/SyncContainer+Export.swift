import Foundation
import GRDB

extension SyncContainer {
  /// A row as JSON that an API takes, with the rows related to it.
  ///
  /// The row is written as it is given; it need not be stored. Relationships are read from the store.
  ///
  /// - Throws: the database's error.
  public func export<Model: SyncUpdatableModel>(_ model: Model) throws -> SyncJSON {
    try database.read { try exportContext($0).json(model) }
  }

  /// All rows of a model, ordered by identity.
  public func export<Model: SyncUpdatableModel>(as model: Model.Type) throws -> [SyncJSON] {
    try database.read { database in
      var rows: [SyncJSON] = []
      try exportContext(database).all(model) { rows.append($0) }
      return rows
    }
  }

  /// The rows of one parent, ordered by identity.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>
  ) throws -> [SyncJSON] {
    let scope = ParentScope(relationship, parent.syncIdentity)
    guard scope.relationship != nil else {
      throw SyncError.invalidPayload(
        model: Model.databaseTableName, reason: "the relationship to the parent is none of the model's")
    }
    return try database.read { database in
      var rows: [SyncJSON] = []
      try exportContext(database).all(model, parent: scope) { rows.append($0) }
      return rows
    }
  }

  /// The rows of one parent, ordered by identity.
  public func export<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent, relationship: KeyPath<Model, Link>
  ) throws -> [SyncJSON] {
    try export(as: model, parent: parent[keyPath: Link.Parent.syncIdentity], relationship: relationship)
  }

  /// All rows of a model as the text of a JSON array, ordered by identity.
  public func exportData<Model: SyncUpdatableModel>(as model: Model.Type) throws -> Data {
    try database.read { database in
      var writer = JSONWriter()
      try writer.writeList { writeElement in
        try exportContext(database).all(model) { row in try writeElement(row) }
      }
      return Data(writer.bytes)
    }
  }

  private func exportContext(_ database: Database) -> SyncExportContext {
    SyncExportContext(database, catalog, configuration)
  }
}

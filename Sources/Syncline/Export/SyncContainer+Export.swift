import Foundation
import GRDB

extension SyncContainer {
  /// A row as JSON that an API takes, with the rows related to it.
  ///
  /// The row is written as it is given; it need not be stored. Relationships are read from the store. A row that is met
  /// inside of itself, and what is behind 128 rows nested in each other, is written as its identity alone.
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
    let scope = try parentScope(relationship, parent)
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
  ///
  /// The text is written from the columns of the rows, without making values of them: the way to send many.
  public func exportData<Model: SyncUpdatableModel>(as model: Model.Type) throws -> Data {
    try database.read { Data(try exportContext($0).text(model)) }
  }

  /// The rows of one parent as the text of a JSON array, ordered by identity.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the relationship is none of the model's.
  public func exportData<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>
  ) throws -> Data {
    let scope = try parentScope(relationship, parent)
    return try database.read { Data(try exportContext($0).text(model, parent: scope)) }
  }

  private func parentScope<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ relationship: KeyPath<Model, Link>, _ parent: Link.Parent.SyncID
  ) throws -> ParentScope {
    let scope = ParentScope(relationship, parent.syncIdentity)
    guard scope.relationship != nil else {
      throw SyncError.invalidPayload(
        model: Model.databaseTableName, reason: "the relationship to the parent is none of the model's")
    }
    return scope
  }

  private func exportContext(_ database: Database) -> SyncExportContext {
    SyncExportContext(database, catalog, configuration)
  }
}

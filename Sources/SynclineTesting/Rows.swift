import Syncline

extension SyncContainer {
  /// The stored rows of a model, one object each, ordered by identity.
  ///
  /// Each stored property has its Swift name as key. A to-one relationship is the related identity or null, and a to-many
  /// relationship the sorted identities. Dates are ISO 8601 in UTC with milliseconds, UUIDs uppercase, and data base64.
  ///
  /// ```swift
  /// #expect(try container.rows(of: Tag.self) == [["id": 1, "name": "urgent", "tasks": [1, 2]]])
  /// ```
  ///
  /// For tests only: it blocks until the rows are read, in asynchronous code too.
  ///
  /// - Throws: the database's error.
  public func rows<Model: SyncUpdatableModel>(of model: Model.Type) throws -> [SyncJSON] {
    try storedRows(of: model)
  }
}

import Syncline

extension SyncContainer {
  /// The stored rows of a model, one object each, ordered by identity.
  ///
  /// Every stored property stands under its Swift name: a to-one as the related identity or null, a to-many as
  /// the sorted identities, dates as ISO 8601 in UTC with milliseconds, UUIDs upper-case, data as base64.
  ///
  /// ```swift
  /// #expect(try container.rows(of: Tag.self) == [["id": 1, "name": "urgent", "tasks": [1, 2]]])
  /// ```
  ///
  /// It blocks until the rows are read, in asynchronous code too: for tests.
  ///
  /// - Throws: the database's error.
  public func rows<Model: SyncUpdatableModel>(of model: Model.Type) throws -> [SyncJSON] {
    try storedRows(of: model)
  }
}

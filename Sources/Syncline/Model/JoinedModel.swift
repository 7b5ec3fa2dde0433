import GRDB

extension Row {
  /// The model that a request joined under an association's key. GRDB's `row["project"]` creates a row first, which makes it
  /// twice as slow.
  ///
  /// ```swift
  /// struct TaskInfo: FetchableRecord {
  ///   let task: Task
  ///   let project: Project
  ///
  ///   init(row: Row) throws {
  ///     task = try Task(row: row)
  ///     project = try row.joined(forKey: "project")
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when nothing was joined under the key, or a column's value does not
  ///   fit its property.
  @inlinable
  public func joined<Model: SyncGeneratedModel>(
    _ type: Model.Type = Model.self, forKey key: String
  ) throws -> Model {
    if let model = try joinedIfPresent(type, forKey: key) { return model }
    throw SyncError.notJoined(Model.syncTable, key)
  }

  /// The model that a request joined under an association's key; nil if no row was joined.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when a column's value does not fit its property.
  @inlinable
  public func joinedIfPresent<Model: SyncGeneratedModel>(
    _ type: Model.Type = Model.self, forKey key: String
  ) throws -> Model? {
    try SyncColumnDecoder(joined: key, in: self, Model.syncTable).map { try Model(columns: $0) }
  }
}

extension SyncColumnDecoder {
  /// Nil if no row was joined.
  @usableFromInline
  init?(joined key: String, in row: Row, _ table: SyncTable) throws {
    if let layout = try RowLayout.ofJoined(key, in: row, table) {
      self.init(statement: layout.statement, layout.columns)
      // An outer join without a match gives only nulls. The identity is checked first.
      guard hasValue(at: table.identity) || table.columns.indices.contains(where: hasValue) else {
        return nil
      }
    } else {
      // The row holds its own values.
      guard let joined = row.scopesTree[key], joined.containsNonNullValue else { return nil }
      self.init(storedIn: joined, table)
    }
  }

  private func hasValue(at position: Int) -> Bool { !column(SyncKey(position)).isNull }
}

extension SyncError {
  @usableFromInline
  static func notJoined(_ table: SyncTable, _ key: String) -> SyncError {
    SyncError(RowProblem(model: table.name, reason: .notJoined(key: key)))
  }
}

import GRDB

extension Row {
  /// The model that a request joined under an association's key, read without making a row of it, which is what makes
  /// GRDB's `row["project"]` twice as slow.
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
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when nothing was joined under the key, or a column holds what
  ///   its property cannot.
  @inlinable
  public func joined<Model: SyncGeneratedModel>(
    _ type: Model.Type = Model.self, forKey key: String
  ) throws -> Model {
    if let model = try joinedIfPresent(type, forKey: key) { return model }
    throw SyncError.notJoined(Model.syncTable, key)
  }

  /// The model that a request joined under an association's key; nil where it joined none.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when a column holds what its property cannot.
  @inlinable
  public func joinedIfPresent<Model: SyncGeneratedModel>(
    _ type: Model.Type = Model.self, forKey key: String
  ) throws -> Model? {
    try SyncColumnDecoder(joined: key, in: self, Model.syncTable).map { try Model(columns: $0) }
  }
}

extension SyncColumnDecoder {
  /// Nil where no row was joined.
  @usableFromInline
  init?(joined key: String, in row: Row, _ table: SyncTable) throws {
    if let layout = try RowLayout.ofJoined(key, in: row, table) {
      self.init(statement: layout.statement, layout.columns)
      // An outer join that found no row has nulls alone, that of the identity first.
      guard hasValue(at: table.identity) || table.columns.indices.contains(where: hasValue) else {
        return nil
      }
    } else {
      // It holds its values itself.
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

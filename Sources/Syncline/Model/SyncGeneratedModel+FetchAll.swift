import GRDB

/// Fetching all rows of a request. GRDB's own loop is generic code of its module, which copies each model through its metadata.
extension SyncGeneratedModel {
  /// All rows of the table.
  ///
  /// - Throws: the errors of ``SyncGeneratedModel/init(row:)``, or the database's error.
  @inlinable
  public static func fetchAll(_ db: Database) throws -> [Self] { try all().fetchAll(db) }
}

extension FetchRequest where RowDecoder: SyncGeneratedModel {
  /// All rows of the request.
  ///
  /// - Throws: the errors of ``SyncGeneratedModel/init(row:)``, or the database's error.
  @inlinable
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    let request = try makePreparedRequest(db, forSingleResult: false)
    // Only GRDB can fetch the rows of `including(all:)`.
    guard !request.prefetches else { return try RowDecoder.fetchAll(db, self) }
    var models: [RowDecoder] = []
    // GRDB steps the statement, so it throws its own errors, and `CancellationError`.
    try Row.fetchCursor(request.statement, adapter: request.adapter).forEach { row in
      models.append(try row.record())
    }
    return models
  }
}

extension Row {
  /// Calls the initializer of the type, which may be its own. In an extension of `SyncGeneratedModel`, `init(row:)` is always
  /// the default one.
  @inlinable
  func record<Record: FetchableRecord>() throws -> Record { try Record(row: self) }
}

extension PreparedRequest {
  /// Whether GRDB fetches other rows after those of the statement. It keeps this internal; a request that reflection does not
  /// recognize is left to GRDB.
  @usableFromInline
  var prefetches: Bool {
    guard let fetch = Mirror(reflecting: self).descendant("supplementaryFetch") else { return true }
    return !Mirror(reflecting: fetch).children.isEmpty
  }
}

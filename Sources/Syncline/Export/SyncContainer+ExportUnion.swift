import Foundation

/// Exports of the rows of all models of a union.
extension SyncContainer {
  /// Returns all rows of the models of a union: model by model in the order of its cases, each ordered by `@Position` or
  /// identity. The object of each row contains its type.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func export<Union: SyncUnion>(
    as union: Union.Type, nulls: SyncExportNulls? = nil
  ) async throws -> [SyncJSON] {
    try await readExport(of: Union.syncCases.table, nulls: nulls) { try $0.rows(of: Union.syncCases) }
  }

  /// Returns all rows of the models of a union. Blocks until they are read.
  ///
  /// - Throws: the database's error.
  public func export<Union: SyncUnion>(
    as union: Union.Type, nulls: SyncExportNulls? = nil
  ) throws -> [SyncJSON] {
    try blockingExport(of: Union.syncCases.table, nulls: nulls) { try $0.rows(of: Union.syncCases) }
  }

  /// Returns all rows of the models of a union as the text of a JSON array.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func exportData<Union: SyncUnion>(
    as union: Union.Type, nulls: SyncExportNulls? = nil
  ) async throws -> Data {
    try await readExport(of: Union.syncCases.table, nulls: nulls) {
      try SyncJSON.array($0.rows(of: Union.syncCases)).data()
    }
  }

  /// Returns all rows of the models of a union as the text of a JSON array. Blocks until they are read.
  ///
  /// - Throws: the database's error.
  public func exportData<Union: SyncUnion>(
    as union: Union.Type, nulls: SyncExportNulls? = nil
  ) throws -> Data {
    try blockingExport(of: Union.syncCases.table, nulls: nulls) {
      try SyncJSON.array($0.rows(of: Union.syncCases)).data()
    }
  }
}

extension SyncExportContext {
  fileprivate func rows(of union: SyncUnionCases<any SyncUpdatableModel.Type>) throws -> [SyncJSON] {
    try union.cases.enumerated().flatMap { index, entry in
      try rows(entry.element).map { $0.typed(union, index) }
    }
  }
}

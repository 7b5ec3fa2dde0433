/// Default implementations for handwritten models, which GRDB reads and stores.
extension SyncUpdatableModel {
  /// The table of a handwritten model.
  public static var syncTable: SyncTable { SyncTable(handwritten: Self.self) }

  public func encodeColumns(to encoder: SyncColumnEncoder) throws {}

  public init(columns: SyncColumnDecoder) throws {
    throw SyncError(RowProblem(model: Self.databaseTableName, reason: .isReadFromRows))
  }
}

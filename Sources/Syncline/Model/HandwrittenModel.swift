/// What a model written by hand does not write: it is read and stored by GRDB.
extension SyncUpdatableModel {
  /// The table of a model written by hand.
  public static var syncTable: SyncTable { SyncTable(handwritten: Self.self) }

  public func encodeColumns(to encoder: SyncColumnEncoder) throws {}

  public init(columns: SyncColumnDecoder) throws {
    throw SyncError(RowProblem(model: Self.databaseTableName, reason: .isReadFromRows))
  }
}

import GRDB

/// Reads a row's columns in the order of its ``SyncTable``, from a statement or a row of GRDB.
public struct SyncColumnDecoder {
  /// The statement whose current row is read.
  @usableFromInline let handle: SQLiteStatement?
  /// The row of GRDB that is read in place of a statement; models written by hand read it themselves.
  let row: Row?
  /// The values of a `Decoder` that are read in place of both.
  @usableFromInline let coded: CodedColumns?
  private let table: SyncTable?

  /// - Parameter table: the row's, for errors.
  init(handle: SQLiteStatement, of table: SyncTable) {
    self.handle = handle
    row = nil
    coded = nil
    self.table = table
  }

  init(_ row: Row, _ table: SyncTable) {
    handle = nil
    self.row = row
    coded = nil
    self.table = table
  }

  init(_ coded: CodedColumns) {
    handle = nil
    row = nil
    self.coded = coded
    table = nil
  }

  /// The value of a required property.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column holds none of this type.
  @inlinable
  public func decode<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value {
    let value: Value?
    if let handle {
      value = Value.syncLoad(SyncColumn(handle: handle, index: Int32(truncatingIfNeeded: key.position)))
    } else if let coded {
      return try coded.decode(type, key)
    } else {
      value = Value.syncLoad(stored(key))
    }
    guard let value else { throw mismatch(type, key) }
    return value
  }

  /// The value of an optional property; nil for null.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column holds none of this type.
  @inlinable
  public func decodeIfPresent<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value? {
    let value: Value?
    if let handle {
      let column = SyncColumn(handle: handle, index: Int32(truncatingIfNeeded: key.position))
      if column.isNull { return nil }
      value = Value.syncLoad(column)
    } else if let coded {
      return try coded.decodeIfPresent(type, key)
    } else {
      let stored = stored(key)
      if stored.isNull { return nil }
      value = Value.syncLoad(stored)
    }
    guard let value else { throw mismatch(type, key) }
    return value
  }

  /// The reference of a required to-one relationship.
  public func decode<Model: SyncModelable>(_ type: Reference<Model>.Type, _ key: SyncKey) throws -> Reference<
    Model
  > {
    Reference(id: try decode(Model.SyncID.self, key))
  }

  /// The reference of an optional to-one relationship.
  public func decodeIfPresent<Model: SyncModelable>(
    _ type: Reference<Model>.Type, _ key: SyncKey
  ) throws -> Reference<Model>? {
    try decodeIfPresent(Model.SyncID.self, key).map { Reference(id: $0) }
  }

  /// The value of a property in the row of GRDB, found by its name; null where there is none.
  @usableFromInline
  func stored(_ key: SyncKey) -> DatabaseValue {
    guard let row, let table else { return .null }
    return row[table.properties[key.position].name] ?? .null
  }

  @usableFromInline
  func mismatch(_ type: Any.Type, _ key: SyncKey) -> SyncError {
    // A statement knows the names of its columns.
    let property =
      handle.map { SyncColumn(handle: $0, index: Int32(truncatingIfNeeded: key.position)).name }
      ?? table?.properties[key.position].name
    return SyncError(
      RowProblem(model: table?.name ?? "", property: property ?? "", reason: .columnHolds(noType: "\(type)")))
  }
}

extension ReadStatement {
  /// The columns of the current row, which are those of a table.
  func decoder(of table: SyncTable) -> SyncColumnDecoder { SyncColumnDecoder(handle: handle, of: table) }
}

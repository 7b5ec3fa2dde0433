import GRDB

/// Reads a row's columns in the order of its ``SyncTable``, from a statement, a GRDB row or a `Decoder`.
public struct SyncColumnDecoder {
  /// The statement whose current row is read.
  private let statement: SQLiteStatement?
  private let columns: ColumnMap?
  // The map's own buffer: reading it through the map would count references for each column.
  private let indices: UnsafeBufferPointer<Int32>
  /// The source that is read instead of a statement.
  @usableFromInline let stored: StoredColumns?
  @usableFromInline let coded: CodedColumns?

  init(statement: SQLiteStatement, _ columns: ColumnMap) {
    self.statement = statement
    self.columns = columns
    indices = columns.indices
    (stored, coded) = (nil, nil)
  }

  init(_ coded: CodedColumns) {
    (statement, columns, stored) = (nil, nil, nil)
    indices = UnsafeBufferPointer(start: nil, count: 0)
    self.coded = coded
  }

  @usableFromInline
  init(_ row: Row, _ table: SyncTable) throws {
    if let layout = try RowLayout.of(row, table) {
      self.init(statement: layout.statement, layout.columns)
    } else {
      self.init(storedIn: row, table)
    }
  }

  /// - Parameter row: a row that holds its own values.
  init(storedIn row: Row, _ table: SyncTable) {
    (statement, columns, coded) = (nil, nil, nil)
    indices = UnsafeBufferPointer(start: nil, count: 0)
    stored = StoredColumns(row, table)
  }

  /// The value of a required property.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column does not hold a value of this type.
  @inlinable
  public func decode<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value {
    if let coded { return try coded.decode(type, key) }
    if let stored {
      if let value = Value.syncLoad(stored[key]) { return value }
    } else if let value = Value.syncLoad(column(key)) {
      return value
    }
    throw mismatch(type, key)
  }

  /// The value of an optional property; nil for null.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column does not hold a value of this type.
  @inlinable
  public func decodeIfPresent<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value? {
    if let coded { return try coded.decodeIfPresent(type, key) }
    if let stored {
      let value = stored[key]
      if value.isNull { return nil }
      if let value = Value.syncLoad(value) { return value }
    } else {
      let column = column(key)
      if column.isNull { return nil }
      if let value = Value.syncLoad(column) { return value }
    }
    throw mismatch(type, key)
  }

  /// The reference of a required to-one relationship.
  @inlinable
  public func decode<Model: SyncModelable>(_ type: Reference<Model>.Type, _ key: SyncKey) throws -> Reference<
    Model
  > {
    Reference(id: try decode(Model.SyncID.self, key))
  }

  /// The reference of an optional to-one relationship.
  @inlinable
  public func decodeIfPresent<Model: SyncModelable>(
    _ type: Reference<Model>.Type, _ key: SyncKey
  ) throws -> Reference<Model>? {
    try decodeIfPresent(Model.SyncID.self, key).map { Reference(id: $0) }
  }

  /// Whether each property has a column.
  var hasAllColumns: Bool { stored?.hasAllColumns ?? indices.allSatisfy { $0 >= 0 } }

  /// The column of a property in the statement's row.
  @usableFromInline
  func column(_ key: SyncKey) -> SyncColumn {
    guard let statement, key.position < indices.count else { return SyncColumn.absent }
    return SyncColumn(handle: statement, index: indices[key.position])
  }

  /// The error for a column without a value of the type.
  @usableFromInline
  func mismatch(_ type: Any.Type, _ key: SyncKey) -> any Error {
    if let fault = SQLFault.take() { return fault }
    if let stored { return stored.mismatch(type, key) }
    let isThere = columns?.hasColumn(key.position) ?? false
    return SyncError(
      RowProblem(
        model: columns?.model ?? "", property: columns?.names[key.position] ?? "", noType: type,
        found: isThere ? column(key).databaseValue : nil))
  }
}

/// The columns of a GRDB row that holds its own values: a copy, or a row created from values.
@usableFromInline
final class StoredColumns {
  private let row: Row
  private let table: SyncTable
  /// Whether the row begins with the table's columns. If not, each is looked up by its name.
  private let isInOrder: Bool

  init(_ row: Row, _ table: SyncTable) {
    self.row = row
    self.table = table
    isInOrder = row.count >= table.columnCount && zip(row, table.columns).allSatisfy { $0.0 == $1.name }
  }

  /// The value of a property; null if there is none.
  @usableFromInline
  subscript(key: SyncKey) -> DatabaseValue {
    isInOrder ? row[key.position] : row[table.properties[key.position].name] ?? .null
  }

  var hasAllColumns: Bool { isInOrder || table.columns.allSatisfy { row.hasColumn($0.name) } }

  func mismatch(_ type: Any.Type, _ key: SyncKey) -> SyncError {
    let name = table.properties[key.position].name
    return SyncError(
      RowProblem(
        model: table.name, property: name, noType: type, found: row.hasColumn(name) ? self[key] : nil))
  }
}

extension RowProblem {
  /// A column holds a value that does not fit its property; `found` is nil if the column is missing.
  fileprivate init(model: String, property: String, noType type: Any.Type, found: DatabaseValue?) {
    self.init(
      model: model, property: property,
      reason: found.map { .columnHolds(found: $0.summary, noType: "\(type)") } ?? .noColumn)
  }
}

extension ReadStatement {
  /// The columns of the current row of a statement that selects a table's columns in order.
  func decoder(of table: SyncTable) -> SyncColumnDecoder {
    SyncColumnDecoder(statement: handle, table.ownColumns)
  }
}

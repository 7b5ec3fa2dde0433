import GRDB

/// Reads a row's columns in the order of its ``SyncTable``, from a statement, a GRDB row or a `Decoder`.
public struct SyncColumnDecoder {
  /// The statement whose current row is read.
  @usableFromInline let statement: SQLiteStatement?
  // The map's own buffer: reading it through the map would count references for each column.
  @usableFromInline let indices: UnsafeBufferPointer<Int32>
  /// One reference, because each row copies the decoder.
  @usableFromInline let source: Source

  /// What the columns are read from.
  @usableFromInline
  enum Source {
    /// The statement, in which a map has found them.
    case statement(ColumnMap)
    case stored(StoredColumns)
    case coded(CodedColumns)
  }

  init(statement: SQLiteStatement, _ columns: ColumnMap) {
    self.statement = statement
    indices = columns.indices
    source = .statement(columns)
  }

  /// - Parameter source: no statement.
  init(_ source: Source) {
    statement = nil
    indices = UnsafeBufferPointer(start: nil, count: 0)
    self.source = source
  }

  /// - Parameter row: a row that holds its own values.
  init(storedIn row: Row, _ table: SyncTable) { self.init(.stored(StoredColumns(row, table))) }

  @usableFromInline
  init(_ row: Row, _ table: SyncTable) throws {
    if let layout = try RowLayout.of(row, table) {
      self.init(statement: layout.statement, layout.columns)
    } else {
      self.init(storedIn: row, table)
    }
  }

  /// The value of a required property.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column does not hold a value of this type.
  @_spi(Generated)
  @inlinable
  public func decode<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value {
    switch source {
    case .statement: if let value = Value.syncLoad(column(key)) { return value }
    case .stored(let columns): if let value = Value.syncLoad(columns[key]) { return value }
    case .coded(let columns): return try columns.decode(type, key)
    }
    throw mismatch(type, key)
  }

  /// The value of an optional property; nil for null.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column does not hold a value of this type.
  @_spi(Generated)
  @inlinable
  public func decodeIfPresent<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value? {
    switch source {
    case .statement:
      let column = column(key)
      if column.isNull { return nil }
      if let value = Value.syncLoad(column) { return value }
    case .stored(let columns):
      let value = columns[key]
      if value.isNull { return nil }
      if let value = Value.syncLoad(value) { return value }
    case .coded(let columns): return try columns.decodeIfPresent(type, key)
    }
    throw mismatch(type, key)
  }

  /// The reference of a required to-one relationship.
  @_spi(Generated)
  @inlinable
  public func decode<Model: SyncModelable>(_ type: Reference<Model>.Type, _ key: SyncKey) throws -> Reference<
    Model
  > {
    Reference(id: try decode(Model.SyncID.self, key))
  }

  /// The reference of an optional to-one relationship.
  @_spi(Generated)
  @inlinable
  public func decodeIfPresent<Model: SyncModelable>(
    _ type: Reference<Model>.Type, _ key: SyncKey
  ) throws -> Reference<Model>? {
    try decodeIfPresent(Model.SyncID.self, key).map { Reference(id: $0) }
  }

  /// Whether each property has a column.
  var hasAllColumns: Bool {
    if case .stored(let columns) = source { return columns.hasAllColumns }
    return indices.allSatisfy { $0 >= 0 }
  }

  /// The column of a property in the statement's row.
  @_spi(Generated)
  @inlinable
  public func column(_ key: SyncKey) -> SyncColumn {
    guard let statement, key.position < indices.count else { return SyncColumn.absent }
    return SyncColumn(handle: statement, index: indices[key.position])
  }

  /// The error for a column without a value of the type.
  @_spi(Generated)
  @usableFromInline
  func mismatch(_ type: Any.Type, _ key: SyncKey) -> any Error {
    if let fault = SQLFault.take() { return fault }
    var (model, property): (String, String) = ("", "")
    var found: DatabaseValue?
    switch source {
    case .statement(let columns):
      (model, property) = (columns.model, columns.names[key.position])
      if columns.hasColumn(key.position) { found = column(key).databaseValue }
    case .stored(let columns):
      (model, property) = (columns.table.name, columns.table.properties[key.position].name)
      if columns.row.hasColumn(property) { found = columns[key] }
    case .coded: break
    }
    let name = (type as? any SyncScalar.Type)?.syncTypeName ?? "\(type)"
    return SyncError(
      RowProblem(
        model: model, property: property,
        reason: found.map { .columnHolds(found: $0.summary, noType: name) } ?? .noColumn))
  }
}

/// The columns of a GRDB row that holds its own values: a copy, or a row created from values.
@usableFromInline
final class StoredColumns {
  let row: Row
  let table: SyncTable
  /// Whether the row begins with the table's columns. If not, each is looked up by its name.
  private let isInOrder: Bool

  init(_ row: Row, _ table: SyncTable) {
    self.row = row
    self.table = table
    isInOrder = row.count >= table.columnCount && zip(row, table.columns).allSatisfy { $0.0 == $1.name }
  }

  /// The value of a property; null if there is none.
  @_spi(Generated)
  @usableFromInline
  subscript(key: SyncKey) -> DatabaseValue {
    isInOrder ? row[key.position] : row[table.properties[key.position].name] ?? .null
  }

  var hasAllColumns: Bool { isInOrder || table.columns.allSatisfy { row.hasColumn($0.name) } }
}

extension ReadStatement {
  /// The columns of the current row of a statement that selects a table's columns in order.
  func decoder(of table: SyncTable) -> SyncColumnDecoder {
    SyncColumnDecoder(statement: handle, table.ownColumns)
  }
}

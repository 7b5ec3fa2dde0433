import GRDBSQLite

/// Writing values from their columns.
extension RowWriter {
  func write(column value: ExportPlan.Part, of row: Row, to output: inout JSONWriter) throws {
    let column = row.column(value.position)
    if column.isNull {
      guard value.isOptional else { throw row.mismatch(at: value.position) }
      return output.writeNull()
    }
    if let identities = value.identities, let identity = SyncIdentity(column) {
      return try output.write(identities.json(identity))
    }
    if let scalar = value.scalar, output.write(scalar, column) { return }
    let property = row.table.properties[value.position]
    guard let json = try property.storedJSON?(column, context.configuration.form(property)) else {
      throw row.mismatch(at: value.position)
    }
    try output.write(json)
  }

  /// Whether a scalar equals the key of the relationship that shares its key.
  func agrees(_ value: ExportPlan.Part, with position: Int, in row: Row) throws -> Bool {
    let scalar = row.column(value.position)
    let link = SyncExportContext.Link(table: row.table, position: position)
    guard let key = try waitingKeys(link, of: row).first ?? SyncIdentity(row.column(position)) else {
      return scalar.isNull
    }
    guard !key.isStored(in: scalar) else { return true }
    guard let stated = SyncIdentity(scalar)?.description else { return false }
    return stated == key.description
      || stated == link.property.keyReader?.json(key).string
  }
}

extension JSONWriter {
  /// Writes a value as it is stored. If its property must convert it, writes nothing and returns false.
  @inline(__always)
  mutating func write(_ scalar: ColumnKind, _ column: SyncColumn) -> Bool {
    switch (scalar, column.type) {
    case (.integer(let range), SQLITE_INTEGER) where range.contains(column.int64):
      write(integer: column.int64)
    case (.bool, SQLITE_INTEGER): write(bool: column.int64 != 0)
    case (.double, SQLITE_FLOAT): return write(double: column.double)
    case (.text, SQLITE_TEXT): return write(text: column.text)
    case (.date, SQLITE_TEXT): return write(storedDate: column.text)
    default: return false
    }
    return true
  }
}

import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement whose parameters are bound one by one, without an array of arguments.
///
/// If SQLite refuses a value, because it is too long or memory is exhausted, the next statement throws the error.
@_spi(Generated)
public struct SyncStatement {
  let handle: SQLiteStatement

  @usableFromInline
  func bind(_ value: Int64, at index: Int32) {
    SQLFault.note(sqlite3_bind_int64(handle, index, value))
  }

  func bind(_ value: Double, at index: Int32) {
    SQLFault.note(sqlite3_bind_double(handle, index, value))
  }

  @usableFromInline
  func bindNull(at index: Int32) {
    SQLFault.note(sqlite3_bind_null(handle, index))
  }

  func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    bind(text, at: index, SyncStatement.transient)
  }

  /// Binds text without copying it. The text must stay valid until the statement has run.
  func bind(lastingText text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    bind(text, at: index, nil)
  }

  @inline(__always)
  private func bind(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int32, _ destructor: sqlite3_destructor_type?
  ) {
    // A nil address would bind NULL.
    guard let base = text.baseAddress else {
      return SQLFault.note(sqlite3_bind_text(handle, index, "", 0, SyncStatement.transient))
    }
    base.withMemoryRebound(to: CChar.self, capacity: text.count) { base in
      SQLFault.note(
        sqlite3_bind_text64(handle, index, base, UInt64(text.count), destructor, UInt8(SQLITE_UTF8)))
    }
  }

  func bind(blob: UnsafeRawBufferPointer, at index: Int32) {
    if let base = blob.baseAddress, !blob.isEmpty {
      SQLFault.note(
        sqlite3_bind_blob64(handle, index, base, UInt64(blob.count), SyncStatement.transient))
    } else {
      SQLFault.note(sqlite3_bind_zeroblob(handle, index, 0))
    }
  }

  func bind(_ value: DatabaseValue, at index: Int32) {
    switch value.storage {
    case .null: bindNull(at: index)
    case .int64(let value): bind(value, at: index)
    case .double(let value): bind(value, at: index)
    case .string(var text): text.withUTF8 { bind(text: $0, at: index) }
    case .blob(let data): data.withUnsafeBytes { bind(blob: $0, at: index) }
    }
  }

  /// Binds values to the parameters in order.
  func bind(_ values: [DatabaseValue]) {
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
  }

  /// Makes SQLite copy the value before the call returns.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A column of a statement's current row. A missing column is null.
@_spi(Generated)
public struct SyncColumn {
  /// Read from the statement once, because each access searches for the column and takes a lock.
  @usableFromInline let value: OpaquePointer?

  @inlinable static var absent: SyncColumn { SyncColumn(value: nil) }

  @inlinable
  init(value: OpaquePointer?) {
    self.value = value
  }

  @inlinable
  init(handle: SQLiteStatement, index: Int32) {
    value = index < 0 ? nil : sqlite3_column_value(handle, index)
  }

  @inlinable var type: Int32 { value.map { sqlite3_value_type($0) } ?? SQLITE_NULL }
  @inlinable var isNull: Bool { type == SQLITE_NULL }
  @inlinable var isInteger: Bool { type == SQLITE_INTEGER }
  @inlinable var isDouble: Bool { type == SQLITE_FLOAT }
  @inlinable var isText: Bool { type == SQLITE_TEXT }
  var isBlob: Bool { type == SQLITE_BLOB }
  @inlinable var int64: Int64 { value.map { sqlite3_value_int64($0) } ?? 0 }
  @inlinable var double: Double { value.map { sqlite3_value_double($0) } ?? 0 }

  /// The bytes of a text column, valid until the next step of the statement. If memory is exhausted, the buffer has no address,
  /// and the next statement throws the error.
  @inlinable
  var text: UnsafeBufferPointer<UInt8> {
    guard let start = sqlite3_value_text(value) else { return SyncColumn.noText() }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  var string: String { String(decoding: text, as: UTF8.self) }

  @usableFromInline
  static func noText() -> UnsafeBufferPointer<UInt8> {
    SQLFault.note(SQLITE_NOMEM)
    return UnsafeBufferPointer(start: nil, count: 0)
  }

  /// The bytes of a blob column, valid until the next step of the statement.
  var blob: UnsafeRawBufferPointer {
    guard let start = sqlite3_value_blob(value) else {
      // An empty blob has no address.
      if sqlite3_value_bytes(value) != 0 { SQLFault.note(SQLITE_NOMEM) }
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  @usableFromInline var databaseValue: DatabaseValue {
    switch type {
    case SQLITE_INTEGER: int64.databaseValue
    case SQLITE_FLOAT: double.databaseValue
    case SQLITE_TEXT: string.databaseValue
    case SQLITE_BLOB: Data(blob).databaseValue
    default: .null
    }
  }
}

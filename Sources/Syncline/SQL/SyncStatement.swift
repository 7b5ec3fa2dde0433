import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement whose parameters are bound one by one, without an array of arguments.
public struct SyncStatement {
  let handle: SQLiteStatement

  @usableFromInline
  func bind(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(handle, index, value)
  }

  func bind(_ value: Double, at index: Int32) {
    sqlite3_bind_double(handle, index, value)
  }

  @usableFromInline
  func bindNull(at index: Int32) {
    sqlite3_bind_null(handle, index)
  }

  func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    // A nil address would bind NULL.
    guard let base = text.baseAddress else {
      sqlite3_bind_text(handle, index, "", 0, SyncStatement.transient)
      return
    }
    base.withMemoryRebound(to: CChar.self, capacity: text.count) { base in
      _ = sqlite3_bind_text64(
        handle, index, base, UInt64(text.count), SyncStatement.transient, UInt8(SQLITE_UTF8))
    }
  }

  /// Binds text that stays where it is until the statement has run; it is not copied.
  func bind(lastingText text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    guard let base = text.baseAddress else { return bind(text: text, at: index) }
    base.withMemoryRebound(to: CChar.self, capacity: text.count) { base in
      _ = sqlite3_bind_text64(handle, index, base, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    }
  }

  func bind(blob: UnsafeRawBufferPointer, at index: Int32) {
    if let base = blob.baseAddress, !blob.isEmpty {
      sqlite3_bind_blob64(handle, index, base, UInt64(blob.count), SyncStatement.transient)
    } else {
      sqlite3_bind_zeroblob(handle, index, 0)
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

  /// Tells SQLite to copy what it is given before the call returns.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A column of a statement's current row.
public struct SyncColumn {
  let handle: SQLiteStatement
  let index: Int32

  @usableFromInline
  init(handle: SQLiteStatement, index: Int32) {
    self.handle = handle
    self.index = index
  }

  var type: Int32 { sqlite3_column_type(handle, index) }
  @usableFromInline var isNull: Bool { type == SQLITE_NULL }
  @usableFromInline var int64: Int64 { sqlite3_column_int64(handle, index) }
  var isText: Bool { type == SQLITE_TEXT }
  var double: Double { sqlite3_column_double(handle, index) }
  var name: String { sqlite3_column_name(handle, index).map { String(cString: $0) } ?? "" }

  /// The bytes of a text column, valid until the statement moves on.
  var text: UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, index)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }

  /// The bytes of a blob column, valid until the statement moves on.
  var blob: UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, index)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }

  var databaseValue: DatabaseValue {
    switch type {
    case SQLITE_INTEGER: int64.databaseValue
    case SQLITE_FLOAT: double.databaseValue
    case SQLITE_TEXT: String(decoding: text, as: UTF8.self).databaseValue
    case SQLITE_BLOB: Data(blob).databaseValue
    default: .null
    }
  }
}

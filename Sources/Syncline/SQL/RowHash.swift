import GRDB
import GRDBSQLite

extension ReadStatement {
  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// A hash of the columns of the current row from one up to a number, by their stored types and bytes, without Unicode
  /// equivalence.
  func hash(ofColumns end: Int, from first: Int = 0) -> Int {
    var hasher = Hasher()
    for index in first..<end {
      let column = column(index)
      let type = column.type
      hasher.combine(UInt8(truncatingIfNeeded: type))
      switch type {
      case SQLITE_INTEGER: hasher.combine(column.int64)
      case SQLITE_FLOAT: hasher.combine(column.double.bitPattern)
      case SQLITE_TEXT:
        let text = UnsafeRawBufferPointer(column.text)
        hasher.combine(text.count)
        hasher.combine(bytes: text)
      case SQLITE_BLOB:
        let blob = column.blob
        hasher.combine(blob.count)
        hasher.combine(bytes: blob)
      default: break
      }
    }
    return hasher.finalize()
  }
}

extension DatabaseValue {
  /// Whether two values are equal. Unlike with `==`, strings are compared byte by byte.
  func isStoredLike(_ other: DatabaseValue) -> Bool {
    if case .string(let left) = storage, case .string(let right) = other.storage {
      return left.isIdentical(to: right)
    }
    return self == other
  }
}

extension [DatabaseValue] {
  /// A hash of the stored types and bytes, without Unicode equivalence. Null and zero differ.
  var fingerprint: Int {
    var hasher = Hasher()
    for value in self {
      switch value.storage {
      case .null: hasher.combine(0 as UInt8)
      case .int64(let value):
        hasher.combine(1 as UInt8)
        hasher.combine(value)
      case .double(let value):
        hasher.combine(2 as UInt8)
        hasher.combine(value)
      case .string(let text):
        hasher.combine(3 as UInt8)
        hasher.combine(text.utf8.count)
        hasher.combine(String.UTF8Key(text))
      case .blob(let data):
        // `Data` hashes only its first bytes.
        hasher.combine(4 as UInt8)
        hasher.combine(data.count)
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
    }
    return hasher.finalize()
  }
}

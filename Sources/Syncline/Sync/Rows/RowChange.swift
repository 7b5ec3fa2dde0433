import GRDB

/// What became of a known row.
struct RowChange {
  /// The hash of the row's columns as they were before the sync: a change that is undone is none.
  var original: Int?
  var isWritten = false
  var hasOtherMembers = false
  var isReactivated = false

  var isChange: Bool { isWritten || hasOtherMembers || isReactivated }
}

/// What became of an object of the payload.
enum RowOutcome {
  /// The store had the row.
  case known
  case inserted
  /// The row is not stored, and may come with another part of the payload: links to it wait.
  case waits
  /// The row is not kept: the operations leave it out, or it is skipped.
  case left

  var isStored: Bool {
    switch self {
    case .known, .inserted: true
    case .waits, .left: false
    }
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
        // Data itself hashes its first bytes only.
        hasher.combine(4 as UInt8)
        hasher.combine(data.count)
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
    }
    return hasher.finalize()
  }
}

import GRDBSQLite

/// Hashes with a random seed, so that payloads cannot provoke collisions.
extension SyncIdentity {
  static let hashSeed = UInt64.random(in: .min ... .max)

  var hash: UInt64 { hash(from: SyncIdentity.hashSeed) }

  /// The hash of the identity in a column.
  static func hash(of column: SyncColumn) -> UInt64 {
    switch column.type {
    case SQLITE_TEXT: hash(of: UnsafeRawBufferPointer(column.text))
    case SQLITE_BLOB: hash(of: column.blob)
    default: mix(UInt64(bitPattern: column.int64), hashSeed)
    }
  }

  /// The hash of the identity with the given stored bytes.
  static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 { hash(bytes, from: hashSeed) }

  func hash(from seed: UInt64) -> UInt64 {
    switch self {
    case .integer(let value): return SyncIdentity.mix(UInt64(bitPattern: value), seed)
    case .uuid(let uuid):
      return withUnsafeBytes(of: uuid.uuid) { SyncIdentity.hash($0, from: seed) }
    case .text(let text):
      var string = text.string
      return string.withUTF8 { SyncIdentity.hash(UnsafeRawBufferPointer($0), from: seed) }
    }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer, from seed: UInt64) -> UInt64 {
    var hash = mix(UInt64(truncatingIfNeeded: bytes.count), seed)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), hash)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mix(rest, hash)
  }

  /// Multiplies to 128 bits and folds them, so that every bit of the value affects every bit of the hash.
  private static func mix(_ value: UInt64, _ seed: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ (seed << 1 | 1))
    return product.high ^ product.low
  }
}

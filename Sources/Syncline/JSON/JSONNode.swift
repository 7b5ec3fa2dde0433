/// One position in scanned JSON: the kind, offset and length of a value or key.
///
/// A container is followed by its contents; `next` is the position of the node after all of them. An object's
/// contents alternate between a key (a string node) and its value.
struct JSONNode {
  enum Kind: UInt8 {
    case null, `false`, `true`, number, string, array, object
  }

  /// The offset in the low 48 bits, the kind above, the flag in the top byte.
  private var word: UInt64
  /// The length in bytes of a scalar's content (of a string without its quotes) or of a whole container.
  private(set) var length: UInt32
  /// The position of the node that follows this one and its contents.
  var next: UInt32

  /// The limit of offsets that fit in a node: 256 TiB.
  static let offsetLimit = 1 << 48

  init(kind: Kind, offset: Int, length: UInt32, next: UInt32, flag: Bool = false) {
    word = UInt64(truncatingIfNeeded: offset) | UInt64(kind.rawValue) << 48 | (flag ? 1 << 56 : 0)
    self.length = length
    self.next = next
  }

  @inline(__always) var offset: Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF_FFFF) }
  @inline(__always) var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: word >> 48)) ?? .null }
  /// Whether a string has escapes; false for other kinds.
  @inline(__always) var flag: Bool { word >> 56 != 0 }

  mutating func close(length: UInt32, next: UInt32) {
    self.length = length
    self.next = next
  }
}

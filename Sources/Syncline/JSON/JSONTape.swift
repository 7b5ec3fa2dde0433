/// The positions of one or more scanned JSON values, and the bytes they point into.
///
/// The bytes may be borrowed: they are valid until the tape is closed. After that the tape reads as empty.
final class JSONTape {
  private(set) var bytes: UnsafePointer<UInt8>
  private(set) var isOpen = true
  private(set) var nodes: UnsafeMutablePointer<JSONNode>
  private(set) var count = 0
  private var capacity: Int
  private let ownedBytes: UnsafeMutablePointer<UInt8>?
  /// The size of a copy of the bytes; 0 for borrowed ones.
  let byteCount: Int
  /// The order of the values in the payload.
  @exclusivity(unchecked) var order = PayloadOrder()

  /// A tape over bytes that the caller keeps alive until ``close()``.
  init(borrowing bytes: UnsafePointer<UInt8>, capacity: Int = 256) {
    self.bytes = bytes
    self.capacity = max(capacity, 16)
    nodes = .allocate(capacity: self.capacity)
    ownedBytes = nil
    byteCount = 0
  }

  /// A tape with the value at an offset of the bytes, which the caller keeps alive until ``close()``.
  convenience init(
    scanning bytes: UnsafePointer<UInt8>, count: Int, at offset: Int, outerDepth: Int = 0, capacity: Int = 256
  ) throws(JSONError) {
    self.init(borrowing: bytes, capacity: capacity)
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    try scanner.scanValue(onto: self, outerDepth: outerDepth)
  }

  /// A tape over a copy of the text.
  init(copying text: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
    copy.initialize(from: text, count: text.count)
    bytes = UnsafePointer(copy)
    ownedBytes = copy
    byteCount = text.count
    capacity = 16 + text.count / 16
    nodes = .allocate(capacity: capacity)
  }

  /// A tape with the value of a copy of the text.
  convenience init(scanningCopyOf text: [UInt8]) throws(JSONError) {
    self.init(copying: text)
    var scanner = JSONScanner(bytes, count: byteCount)
    try scanner.scanValue(onto: self)
  }

  var isOwner: Bool { ownedBytes != nil }

  deinit {
    nodes.deallocate()
    ownedBytes?.deallocate()
  }

  /// Ends the borrowing of the bytes.
  func close() {
    isOpen = false
  }

  /// Removes the positions, and keeps the capacity.
  func clear() {
    count = 0
  }

  /// The buffer of a tape while a scanner writes to it, so that appending needs no reference counting.
  struct Writer {
    private(set) var nodes: UnsafeMutablePointer<JSONNode>
    private(set) var count: Int
    fileprivate private(set) var capacity: Int

    fileprivate init(_ tape: JSONTape) {
      (nodes, count, capacity) = (tape.nodes, tape.count, tape.capacity)
    }

    @inline(__always)
    mutating func append(_ node: JSONNode) {
      if count == capacity { grow() }
      (nodes + count).initialize(to: node)
      count += 1
    }

    private mutating func grow() {
      let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: nodes, count: count)
      nodes.deallocate()
      nodes = larger
      capacity *= 2
    }
  }

  /// A writer that appends to the tape. The tape must not be used until ``reclaim(_:)`` returns the buffer.
  func writer() -> Writer { Writer(self) }

  /// Takes the buffer back from a writer.
  func reclaim(_ writer: Writer) {
    (nodes, count, capacity) = (writer.nodes, writer.count, writer.capacity)
  }

  /// The value at a position that the scanner recorded.
  @inline(__always)
  func value(at position: Int) -> SyncValue {
    SyncValue(bytes: bytes, nodes: UnsafePointer(nodes), position: position)
  }
}

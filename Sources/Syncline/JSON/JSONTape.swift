/// The positions of one or more scanned JSON values, and the bytes they point into.
///
/// The bytes may be borrowed: they are valid until the tape is closed, after which it reads as empty.
final class JSONTape {
  private(set) var bytes: UnsafePointer<UInt8>
  private(set) var isOpen = true
  private(set) var nodes: UnsafeMutablePointer<JSONNode>
  private(set) var count = 0
  private var capacity: Int
  private let ownedBytes: UnsafeMutablePointer<UInt8>?
  /// How many bytes a copy has; 0 for borrowed ones.
  let byteCount: Int

  /// A tape over bytes that the caller keeps alive until ``close()``.
  init(borrowing bytes: UnsafePointer<UInt8>, capacity: Int = 256) {
    self.bytes = bytes
    self.capacity = max(capacity, 16)
    nodes = .allocate(capacity: self.capacity)
    ownedBytes = nil
    byteCount = 0
  }

  /// A tape over a copy of the bytes.
  init(copying source: UnsafeRawBufferPointer) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(source.count, 1))
    if let base = source.baseAddress {
      copy.initialize(from: base.assumingMemoryBound(to: UInt8.self), count: source.count)
    }
    bytes = UnsafePointer(copy)
    ownedBytes = copy
    byteCount = source.count
    capacity = 16 + source.count / 16
    nodes = .allocate(capacity: capacity)
  }

  /// A tape over its own text, whose offsets count from an offset in another text.
  init(_ text: [UInt8], at offset: Int) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
    copy.initialize(from: text, count: text.count)
    bytes = UnsafePointer(copy) - offset
    ownedBytes = copy
    byteCount = text.count
    capacity = 16 + text.count / 16
    nodes = .allocate(capacity: capacity)
  }

  /// Whether the bytes are the tape's own.
  var isOwner: Bool { ownedBytes != nil }

  deinit {
    nodes.deallocate()
    ownedBytes?.deallocate()
  }

  /// Ends the loan of the bytes.
  func close() {
    isOpen = false
  }

  /// Forgets the positions, and keeps the room.
  func clear() {
    count = 0
  }

  /// The room of a tape while a scanner writes to it: appending counts no references.
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

  /// A writer that goes on behind what is there. The tape is not to be used until it is given back.
  func writer() -> Writer { Writer(self) }

  /// Takes over what a writer wrote.
  func takeBack(_ writer: Writer) {
    (nodes, count, capacity) = (writer.nodes, writer.count, writer.capacity)
  }

  /// The value at a position that the scanner recorded.
  @inline(__always)
  func value(at position: Int) -> SyncValue {
    SyncValue(bytes: bytes, nodes: UnsafePointer(nodes), position: position)
  }
}

import Foundation

/// Writes JSON text.
@_spi(Generated)
public struct JSONWriter {
  typealias Drain = (UnsafeRawBufferPointer) throws -> Void

  private(set) var bytes: [UInt8] = []
  private let drain: Drain?
  /// The size at which the text is passed to `drain`.
  static let partSize = 1 << 18

  /// - Parameter drain: receives the text in parts, which the writer then releases.
  init(drain: Drain? = nil) {
    self.drain = drain
    if drain != nil { bytes.reserveCapacity(Self.partSize * 2) }
  }

  /// Passes the text to `drain` if there is enough of it.
  @inline(__always)
  mutating func drainIfFull() throws {
    if bytes.count >= Self.partSize { try drainAll() }
  }

  mutating func drainAll() throws {
    guard let drain, !bytes.isEmpty else { return }
    try bytes.withUnsafeBytes(drain)
    bytes.removeAll(keepingCapacity: bytes.count < Self.partSize * 4)
  }

  mutating func write(_ json: SyncJSON, depth: Int = 0) throws {
    switch json {
    case .null: writeNull()
    case .bool(let value): write(bool: value)
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let text): write(string: text)
    case .array(let elements):
      try checkDepth(depth)
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        try write(element, depth: depth + 1)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      try checkDepth(depth)
      bytes.append(UInt8(ascii: "{"))
      for (index, (key, value)) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(string: key)
        bytes.append(UInt8(ascii: ":"))
        try write(value, depth: depth + 1)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Removes the text, and keeps the capacity.
  mutating func clear() { bytes.removeAll(keepingCapacity: bytes.count < Self.partSize) }

  mutating func write(byte: UInt8) { bytes.append(byte) }
  mutating func write(_ text: [UInt8]) { bytes.append(contentsOf: text) }
  mutating func write(bytes text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }
  mutating func writeNull() { write("null") }
  mutating func write(bool: Bool) { write(bool ? "true" : "false") }

  mutating func write(integer: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = integer.magnitude
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if integer < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Writes a finite number with the fewest digits that give the same double; false for any other.
  mutating func write(double: Double) -> Bool {
    guard double.isFinite else { return false }
    if let integer = SyncNumber.integer(writtenFor: double) {
      write(integer: integer)
    } else {
      bytes.append(contentsOf: double.description.utf8)
    }
    return true
  }

  /// Writes UTF-8 as a string. If it is invalid, writes nothing and returns false.
  mutating func write(text: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = bytes.count
    if writeString(text, isVerified: false) { return true }
    bytes.removeLast(bytes.count - count)
    return false
  }

  private func checkDepth(_ outerDepth: Int) throws {
    guard outerDepth < JSONScanner.depthLimit else {
      throw SyncError(RowProblem(reason: .tooDeep(limit: JSONScanner.depthLimit)))
    }
  }

  /// Writes an array. The body passes its elements one by one.
  mutating func writeList(_ body: ((SyncJSON) throws -> Void) throws -> Void) throws {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    var writer = self
    bytes = []
    try body { element in
      if !isFirst { writer.bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      try writer.write(element, depth: 1)
      try writer.drainIfFull()
    }
    self = writer
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A name as the key of an object, and the colon after it.
  static func key(_ name: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(string: name)
    writer.write(byte: UInt8(ascii: ":"))
    return writer.bytes
  }

  mutating func write(string: String) {
    var text = string
    text.withUTF8 { _ = writeString($0, isVerified: true) }
  }

  /// Returns false at a byte that is not UTF-8, unless the text is known to be UTF-8.
  @inline(__always)
  private mutating func writeString(_ utf8: UnsafeBufferPointer<UInt8>, isVerified: Bool) -> Bool {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    var index = 0
    while index < utf8.count {
      index += JSONText.plainPrefix(utf8, from: index)
      guard index < utf8.count else { break }
      let byte = utf8[index]
      if byte >= 0x80, !isVerified, let base = utf8.baseAddress {
        let length = JSONText.sequenceLength(base + index, limit: utf8.count - index)
        guard length > 0 else { return false }
        index += length
        continue
      }
      index += 1
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<(index - 1)]))
      start = index
      writeEscape(of: byte)
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    bytes.append(UInt8(ascii: "\""))
    return true
  }

  private mutating func writeEscape(of byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      write("u00")
      let digits: StaticString = "0123456789abcdef"
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 0xF)])
    default: bytes.append(byte)
    }
  }
}

extension SyncJSON: CustomStringConvertible {
  /// The value as compact JSON.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for more than 512 levels of nesting.
  public func data() throws -> Data {
    Data(try utf8())
  }

  func utf8() throws -> [UInt8] {
    var writer = JSONWriter()
    try writer.write(self)
    return writer.bytes
  }

  /// The value as compact JSON.
  public var description: String {
    (try? utf8()).map { String(decoding: $0, as: UTF8.self) } ?? "(too deep)"
  }
}

/// The JSON text of a value in stored form, while it is written.
///
/// A payload's value is written in stored form without creating a Swift value. So an unchanged value is compared, and a new one
/// inserted, by its bytes.
@_spi(Generated)
public struct SyncStoredText {
  private(set) var writer = JSONWriter()

  /// Calls the body with the text, which is valid during the call.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    writer.bytes.withUnsafeBufferPointer(body)
  }

  /// Removes the text, and keeps the capacity.
  mutating func clear() { writer.clear() }

  /// Writes a value. Returns false if it is nested too deeply.
  mutating func write(_ json: SyncJSON) -> Bool { (try? writer.write(json)) != nil }

  mutating func write(byte: Unicode.Scalar) { writer.write(byte: UInt8(ascii: byte)) }
  mutating func write(_ bytes: [UInt8]) { writer.write(bytes) }
  mutating func write(bytes: UnsafeBufferPointer<UInt8>) { writer.write(bytes: bytes) }
  mutating func write(integer: Int64) { writer.write(integer: integer) }
  mutating func write(bool: Bool) { writer.write(bool: bool) }

  /// Writes a string of a payload unchanged.
  mutating func write(string value: SyncValue) {
    write(byte: "\"")
    write(bytes: value.content)
    write(byte: "\"")
  }

  /// Writes a moment with all its digits.
  mutating func write(_ instant: Instant) {
    write(byte: "\"")
    let fields = instant.fields
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      var count = 0
      func output(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
      }
      Instant.write(fields, separator: UInt8(ascii: "T"), to: output)
      output(UInt8(ascii: "."))
      Instant.write(fields.microsecond, digits: 6, to: output)
      output(UInt8(ascii: "Z"))
      write(bytes: UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
    write(byte: "\"")
  }
}

/// A reusable buffer in which payload values are written in stored form.
final class StoredTextScratch {
  private var text = SyncStoredText()

  /// Calls the body with the stored text of a value. Returns nil if the value must be reported, or has another type.
  func withText<Result>(
    of value: SyncValue, _ form: SyncForm,
    _ transcribe: (SyncValue, SyncForm, inout SyncStoredText) -> Bool,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    text.clear()
    return transcribe(value, form, &text) ? text.withBytes(body) : nil
  }
}

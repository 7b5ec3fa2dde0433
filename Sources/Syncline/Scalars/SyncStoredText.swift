/// The JSON text of a value in stored form, while it is written.
///
/// A payload's value is written in stored form without creating a Swift value. So an unchanged value is compared, and a new one
/// inserted, by its bytes.
@_spi(Generated)
public typealias SyncStoredText = JSONWriter

extension SyncStoredText {
  /// Writes a value. Returns false if it is nested too deeply.
  mutating func writes(_ json: SyncJSON) -> Bool { (try? write(json)) != nil }

  mutating func write(byte: Unicode.Scalar) { write(byte: UInt8(ascii: byte)) }

  /// Writes a string of a payload unchanged.
  mutating func write(string value: SyncValue) {
    write(byte: "\"")
    write(bytes: value.content)
    write(byte: "\"")
  }

  /// Writes a moment with all its digits.
  mutating func write(_ instant: Instant) {
    write(byte: "\"")
    instant.writeISO8601(fractionDigits: 6) { write(byte: $0) }
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
    return transcribe(value, form, &text) ? text.bytes.withUnsafeBufferPointer(body) : nil
  }
}

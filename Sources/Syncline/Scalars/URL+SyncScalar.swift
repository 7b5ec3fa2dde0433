import Foundation
import GRDB

extension URL: SyncScalar {}

@_spi(Generated)
extension URL {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<URL> {
    value.isString ? SyncReading(value.withText(URL.init(payloadText:))) : .unreadable
  }

  /// A URL, absolute or relative, with its non-ASCII characters percent-encoded.
  private init?(payloadText text: UnsafeBufferPointer<UInt8>) {
    var nonASCII = 0
    for byte in text {
      guard byte > 0x20, byte != 0x7F else { return nil }
      if byte >= 0x80 { nonASCII += 1 }
    }
    guard !text.isEmpty else { return nil }
    if nonASCII == 0 {
      self.init(string: JSONText.string(text))
      return
    }
    guard !JSONText.string(text).unicodeScalars.contains(where: URL.isBlankOrControl) else { return nil }
    let encoded = String(unsafeUninitializedCapacity: text.count + nonASCII * 2) { output in
      var count = 0
      func write(_ byte: UInt8) {
        output[count] = byte
        count += 1
      }
      for byte in text {
        guard byte >= 0x80 else {
          write(byte)
          continue
        }
        write(UInt8(ascii: "%"))
        write(hexadecimalDigit(byte >> 4))
        write(hexadecimalDigit(byte & 0xF))
      }
      return count
    }
    self.init(string: encoded)
  }

  /// Whether a scalar above ASCII is white space or a control character. The slow table of white space is used only within its
  /// range.
  private static func isBlankOrControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80...0xA0: true
    case 0x1680...0x3000: scalar.properties.isWhitespace
    default: false
    }
  }

  public static var syncValueForNull: URL? { nil }

  public static func syncIsSame(_ left: URL, _ right: URL) -> Bool {
    left.absoluteString.isIdentical(to: right.absoluteString)
  }

  public var syncDatabaseValue: DatabaseValue { absoluteString.databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> URL? {
    String.fromDatabaseValue(stored).flatMap { URL(string: $0) }
  }
  public func syncExport(form: SyncForm) -> SyncJSON { .string(absoluteString) }
}

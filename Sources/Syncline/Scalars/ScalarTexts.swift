import Foundation
import GRDB

extension String: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<String> {
    SyncReading(value.scalarText)
  }

  public static var syncValueForNull: String? { "" }

  public static func syncIsSame(_ left: String, _ right: String) -> Bool {
    left.isIdentical(to: right)
  }

  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> String? { fromDatabaseValue(stored) }
  public func syncExport(format: SyncDateFormat) -> SyncJSON { .string(self) }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    var text = self
    text.withUTF8 { statement.bind(text: $0, at: index) }
  }

  public static func syncLoad(_ column: SyncColumn) -> String? {
    column.isNull ? nil : String(decoding: column.text, as: UTF8.self)
  }
}

extension UUID: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<UUID> {
    guard value.isString else { return .unreadable }
    return SyncReading(value.withText(UUID.init(text:)))
  }

  /// Reads the 36-character form in any letter case.
  init?(text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isComplete = withUnsafeMutableBytes(of: &bytes) { output in
      var index = 0
      for byte in 0..<16 {
        if byte == 4 || byte == 6 || byte == 8 || byte == 10 {
          guard text[index] == UInt8(ascii: "-") else { return false }
          index += 1
        }
        guard let high = hexadecimalValue(text[index]), let low = hexadecimalValue(text[index + 1]) else {
          return false
        }
        output[byte] = high << 4 | low
        index += 2
      }
      return true
    }
    guard isComplete else { return nil }
    self.init(uuid: bytes)
  }

  public static var syncValueForNull: UUID? {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> UUID? { fromDatabaseValue(stored) }
  public func syncExport(format: SyncDateFormat) -> SyncJSON { .string(uuidString) }
}

extension URL: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<URL> {
    value.isString ? SyncReading(value.withText(URL.init(payloadText:))) : .unreadable
  }

  /// A URL, relative or not, with its non-ASCII characters percent-encoded.
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
        write(URL.hexadecimalDigit(byte >> 4))
        write(URL.hexadecimalDigit(byte & 0xF))
      }
      return count
    }
    self.init(string: encoded)
  }

  /// Whether a scalar that is not ASCII is one. The table of blanks, which is slow, is asked between its first and last.
  private static func isBlankOrControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80...0xA0: true
    case 0x1680...0x3000: scalar.properties.isWhitespace
    default: false
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }

  public static var syncValueForNull: URL? { nil }

  public static func syncIsSame(_ left: URL, _ right: URL) -> Bool {
    left.absoluteString.isIdentical(to: right.absoluteString)
  }

  public var syncDatabaseValue: DatabaseValue { absoluteString.databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> URL? {
    String.fromDatabaseValue(stored).flatMap { URL(string: $0) }
  }
  public func syncExport(format: SyncDateFormat) -> SyncJSON { .string(absoluteString) }
}

extension Data: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Data> {
    value.isString ? SyncReading(value.withText(Base64Text.data)) : .unreadable
  }

  public static var syncValueForNull: Data? { nil }
  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Data? { fromDatabaseValue(stored) }
  public func syncExport(format: SyncDateFormat) -> SyncJSON { .string(base64EncodedString()) }
}

extension Date: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<Date> {
    SyncReading(Instant(value, format: format)?.date)
  }

  public static var syncValueForNull: Date? { Date(timeIntervalSince1970: 0) }
  public static var syncValueForUnreadable: Date? { syncValueForNull }

  public static func syncIsSame(_ left: Date, _ right: Date) -> Bool {
    Instant(left) == Instant(right)
  }

  /// A stored date that export rounds to the payload's is the same: what was exported can be synced back.
  public static func syncIsSame(_ stored: Date, _ new: Date, exportedBy format: SyncDateFormat) -> Bool {
    format.rounded(Instant(stored)) == Instant(new)
  }

  public var syncDatabaseValue: DatabaseValue { Instant(self).storedText.databaseValue }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    Instant(self).bindStored(to: statement, at: index)
  }

  public static func syncLoad(_ column: SyncColumn) -> Date? {
    if column.isText, let instant = Instant(text: column.text) { return instant.date }
    return syncLoad(column.databaseValue)
  }

  public static func syncLoad(_ stored: DatabaseValue) -> Date? {
    guard case .string(var text) = stored.storage else { return fromDatabaseValue(stored) }
    return text.withUTF8 { Instant(text: $0) }?.date ?? fromDatabaseValue(stored)
  }

  public func syncExport(format: SyncDateFormat) -> SyncJSON { format.json(Instant(self)) }
}

extension Instant {
  /// Reads a JSON value by a property's own format, then by the standard forms.
  init?(_ value: SyncValue, format: SyncDateFormat?) {
    let instant: Instant? =
      switch value.kind {
      case .string: value.withText { text in format?.read(text) ?? Instant(text: text) }
      case .number: value.withText { text in format?.read(text) ?? Instant(unixTime: text) }
      default: nil
      }
    guard let instant else { return nil }
    self = instant
  }
}

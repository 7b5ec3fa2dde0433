import Foundation
import GRDB

extension URL: SyncScalar {}

@_spi(Generated)
extension URL {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<URL> {
    value.isString ? SyncReading(value.withText(URL.init(payloadText:))) : .unreadable
  }

  /// A URL, absolute or relative, with the characters percent-encoded that a URL cannot contain.
  private init?(payloadText text: UnsafeBufferPointer<UInt8>) {
    var isASCII = true
    for byte in text {
      guard byte > 0x20, byte != 0x7F else { return nil }
      if byte >= 0x80 { isASCII = false }
    }
    guard !text.isEmpty else { return nil }
    let plain = JSONText.string(text)
    if isASCII, let url = URL(string: plain, encodingInvalidCharacters: false) {
      self = url
      return
    }
    guard isASCII || !plain.unicodeScalars.contains(where: URL.isBlankOrControl) else { return nil }
    // If a character is invalid, Foundation also encodes the percent signs of the escapes.
    let authorityEnd = URL.authorityEnd(text)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.count * 3)
    for (index, byte) in text.enumerated() {
      if byte < 0x80, !invalidBytes.contains(byte), index < authorityEnd || !brackets.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 0xF)]
      }
    }
    self.init(string: String(decoding: encoded, as: UTF8.self))
  }

  /// The end of the host and port, where brackets may enclose an address; 0 without a host.
  private static func authorityEnd(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    let slash = UInt8(ascii: "/")
    guard let first = text.firstIndex(where: delimiters.contains), text[first] == slash,
      first == 0 || text[first - 1] == UInt8(ascii: ":"), first + 1 < text.count, text[first + 1] == slash
    else { return 0 }
    return text[(first + 2)...].firstIndex(where: delimiters.contains) ?? text.count
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

  public static func syncIsSame(_ left: URL, _ right: URL) -> Bool {
    left.absoluteString.isIdentical(to: right.absoluteString)
  }

  public var syncDatabaseValue: DatabaseValue { absoluteString.databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> URL? {
    String.fromDatabaseValue(stored).flatMap { URL(string: $0) }
  }
  public func syncExport(form: SyncForm) -> SyncJSON { .string(absoluteString) }
}

private let invalidBytes = Array("\"<>\\^`{|}".utf8)
private let brackets = Array("[]".utf8)
private let delimiters = Array("/?#".utf8)

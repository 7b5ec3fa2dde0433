/// Why bytes are not JSON, and where.
struct JSONError: Error, Equatable, CustomStringConvertible {
  enum Reason: Equatable {
    case unexpectedEnd
    case unexpectedByte(UInt8)
    case controlCharacter(UInt8)
    case invalidEscape
    case invalidUTF8
    case invalidNumber
    case tooDeep
    case tooLarge
    case trailingContent
  }

  let reason: Reason
  /// The offset in bytes from the start.
  let offset: Int

  var description: String {
    "\(sentence) at byte \(offset)"
  }

  private var sentence: String {
    switch reason {
    case .unexpectedEnd: "unexpected end of the JSON text"
    case .unexpectedByte(let byte) where offset == 0 && byte >= 0xFE:
      "unexpected byte 0x\(String(byte, radix: 16)), with which UTF-16 begins: JSON is UTF-8,"
    case .unexpectedByte(let byte):
      byte > 0x20 && byte < 0x7F
        ? "unexpected “\(Character(UnicodeScalar(byte)))”" : "unexpected byte 0x" + String(byte, radix: 16)
    case .controlCharacter(let byte): "unescaped control character 0x\(String(byte, radix: 16)) in a string"
    case .invalidEscape: "invalid escape sequence"
    case .invalidUTF8: "invalid UTF-8"
    case .invalidNumber: "invalid number"
    case .tooDeep: "more than \(JSONScanner.depthLimit) levels of nesting"
    case .tooLarge: "a value longer than 4 GiB"
    case .trailingContent: "content after the end of the JSON text"
    }
  }
}

extension SyncError {
  init(_ error: JSONError) {
    self = .invalidPayload(model: "", reason: error.description)
  }
}

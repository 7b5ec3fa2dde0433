import Syncline

/// The framing of messages between an editor and a server: headers, an empty line, and a JSON body whose length is in the
/// headers.
package struct MessageFraming {
  private var bytes: [UInt8] = []
  /// The offset of the next message.
  private var start = 0

  package init() {}

  package mutating func append(_ read: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += read
  }

  /// The next complete message; nil if more bytes are needed.
  ///
  /// - Throws: ``Mistake`` if the headers do not contain a length.
  package mutating func next() throws(Mistake) -> [UInt8]? {
    guard let (length, body) = try header(), bytes.count - body >= length else { return nil }
    start = body + length
    return Array(bytes[body..<start])
  }

  /// The length in the headers, and the offset of the body.
  private func header() throws(Mistake) -> (length: Int, body: Int)? {
    var length: Int?
    var line = start
    while let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) {
      let text = String(decoding: bytes[line..<end], as: UTF8.self)
      line = end + 1
      let parts = text.split(separator: ":", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      if let name = parts.first, !name.isEmpty {
        guard name.lowercased() == "content-length" else { continue }
        guard parts.count == 2, let value = Int(parts[1]), value >= 0 else {
          throw Mistake("“\(text.filter { !$0.isNewline })” is not a valid message length.")
        }
        length = value
      } else {
        guard let length else { throw Mistake("A message has no “Content-Length”.") }
        return (length, line)
      }
    }
    // Bytes that are not a header may continue without an end.
    if bytes.count - line > 10_000 { throw Mistake("The input is not a message.") }
    return nil
  }

  package static func framed(_ message: SyncJSON) -> [UInt8] {
    let body = Array(message.description.utf8)
    return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}

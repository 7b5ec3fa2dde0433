import Syncline

/// Messages between an editor and a server, as they are framed: headers, an empty line, and JSON of the length that
/// the headers say.
package struct MessageFraming {
  /// Bytes that are no message, behind which none can be found any more.
  package struct Broken: Error, CustomStringConvertible {
    package let description: String
  }

  private var bytes: [UInt8] = []
  /// Where the next message begins.
  private var start = 0

  package init() {}

  /// Adds bytes that were read.
  package mutating func append(_ read: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += read
  }

  /// The next message whose bytes are all there; nil where more have to be read.
  ///
  /// - Throws: ``Broken`` where headers do not say a length.
  package mutating func next() throws(Broken) -> [UInt8]? {
    guard let (length, body) = try header(), bytes.count - body >= length else { return nil }
    start = body + length
    return Array(bytes[body..<start])
  }

  /// The length that the headers say, and where they end.
  private func header() throws(Broken) -> (length: Int, body: Int)? {
    var length: Int?
    var line = start
    while let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) {
      let text = String(decoding: bytes[line..<end], as: UTF8.self)
      line = end + 1
      let parts = text.split(separator: ":", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      if let name = parts.first, !name.isEmpty {
        guard name.lowercased() == "content-length" else { continue }
        guard parts.count == 2, let value = Int(parts[1]), value >= 0 else {
          throw Broken(description: "“\(text.filter { !$0.isNewline })” is no length of a message.")
        }
        length = value
      } else {
        guard let length else { throw Broken(description: "A message came without “Content-Length”.") }
        return (length, line)
      }
    }
    // What is no header has no end, either.
    if bytes.count - line > 10_000 { throw Broken(description: "What came is no message.") }
    return nil
  }

  /// A message with its headers.
  package static func framed(_ message: SyncJSON) -> [UInt8] {
    let body = Array(message.description.utf8)
    return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}

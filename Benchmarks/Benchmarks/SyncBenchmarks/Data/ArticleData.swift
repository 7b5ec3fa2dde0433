import Foundation

/// Articles as in a real API: a nested user and state, unread labels, dates, Unicode text, escapes and nulls. A row depends only
/// on its number, and all rows differ.
enum ArticleData {
  enum Identity {
    case integer
    /// A UUID as a string. The order of the payload differs from that of the identities.
    case text
  }

  private static let words = [
    "sync", "rapid", "Ünïcode", "the", "of", "payload", "日本語", "row", "store", "🚀", "quick", #"\"quoted\""#,
    #"line\n"#, "and", "difference", "café", "measured", "twice", "schema", "identity", "a", "to", "in",
    "list",
    "endpoint", "which", #"tab\t"#, #"\u00e9t\u00e9"#, "response", "object", "is", "with",
  ]
  private static let states = ["open", "in_review", "done", "archived"]
  private static let labels = ["bug", "feature", "help wanted", "good first issue", "documentation"]

  /// A payload with a range of rows. Every `changedEvery`-th row has another title.
  ///
  /// - Parameter isShuffled: whether the rows are in random order. Most APIs sort by date or rank, not by identity.
  static func payload(
    rows: ClosedRange<Int>, _ identity: Identity = .integer, changedEvery: Int? = nil,
    isShuffled: Bool = false
  ) -> Data {
    var json: [UInt8] = []
    json.reserveCapacity(rows.count * 420)
    json.append(UInt8(ascii: "["))
    var random = SeededRandom(row: 0)
    for row in isShuffled ? rows.shuffled(using: &random) : Array(rows) {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      append(row, identity, isChanged: changedEvery.map { row % $0 == 0 } ?? false, to: &json)
    }
    json.append(UInt8(ascii: "]"))
    return Data(json)
  }

  /// Writes a payload to a file in chunks, without keeping it in memory.
  static func write(rows: ClosedRange<Int>, to file: URL) throws {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    var json: [UInt8] = [UInt8(ascii: "[")]
    for row in rows {
      if row != rows.lowerBound { json.append(UInt8(ascii: ",")) }
      append(row, .integer, isChanged: false, to: &json)
      guard json.count > 1 << 20 else { continue }
      try handle.write(contentsOf: json)
      json.removeAll(keepingCapacity: true)
    }
    json.append(UInt8(ascii: "]"))
    try handle.write(contentsOf: json)
    try handle.close()
  }

  /// Writes rows to a file, one per line, without keeping them in memory.
  static func writeLines(rows: ClosedRange<Int>, to file: URL) throws {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    var json: [UInt8] = []
    for row in rows {
      append(row, .integer, isChanged: false, to: &json)
      json.append(UInt8(ascii: "\n"))
      guard json.count > 1 << 20 else { continue }
      try handle.write(contentsOf: json)
      json.removeAll(keepingCapacity: true)
    }
    try handle.write(contentsOf: json)
    try handle.close()
  }

  /// An SQL statement that inserts rows without a payload.
  static func insertion(of rows: Int) -> String {
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
    INSERT INTO Article SELECT i, 'The title of article ' || i, 'Some text of it, ' || i, 'open',
      '2024-05-02 10:01:12.000', '2024-05-02 10:01:12.000', i % 2, i / 7.0, 'author' || (i % 1000) FROM n
    """
  }

  static func item(_ row: Int, _ identity: Identity = .integer, isChanged: Bool) -> Data {
    var json: [UInt8] = []
    append(row, identity, isChanged: isChanged, to: &json)
    return Data(json)
  }

  /// The identity of a row as a string.
  static func uuid(_ row: Int) -> String {
    var random = SeededRandom(seed: 7, row: row)
    let high = random.next()
    let low = random.next()
    let hex = String(format: "%016lx%016lx", high, low)
    func part(_ start: Int, _ count: Int) -> Substring { hex.dropFirst(start).prefix(count) }
    return "\(part(0, 8))-\(part(8, 4))-4\(part(13, 3))-a\(part(17, 3))-\(part(20, 12))"
  }

  private static func text(_ count: Int, _ random: inout SeededRandom) -> String {
    var text = ""
    for index in 0..<count {
      if index > 0 { text += " " }
      text += random.pick(words)
    }
    return text
  }

  private static func append(_ row: Int, _ identity: Identity, isChanged: Bool, to json: inout [UInt8]) {
    var random = SeededRandom(row: row)
    let id =
      switch identity {
      case .integer: String(row)
      case .text: "\"\(uuid(row))\""
      }
    let title = text(3 + random.below(5), &random) + (isChanged ? " (edited)" : "")
    let body = random.below(8) == 0 ? "null" : "\"\(text(6 + random.below(14), &random))\""
    let state = random.pick(states)
    let user = 1 + random.below(5_000)
    let (day, hour, minute) = (10 + random.below(18), 10 + random.below(13), 10 + random.below(50))
    let count = random.below(3)
    let labels = (0..<count).map { _ in
      let label = random.below(ArticleData.labels.count)
      return #"{"id":\#(label),"name":"\#(ArticleData.labels[label])"}"#
    }
    json +=
      #"{"id":\#(id),"title":"\#(title)","body":\#(body),"state":{"id":"\#(state)","label":"\#(state.capitalized)"}"#
      .utf8
    json +=
      #","created_at":"2024-03-\#(day)T\#(hour):\#(minute):30Z","updated_at":"2025-07-\#(day)T\#(hour):45:12Z""#
      .utf8
    json +=
      #","is_published":\#(random.below(2) == 0),"score":\#(random.below(10_000) / 4).\#(random.below(4) * 25)"#
      .utf8
    json +=
      #","user":{"id":\#(user),"login":"user-\#(user)","avatar_url":"https://example.com/u/\#(user).png"}"#
      .utf8
    json += #","labels":[\#(labels.joined(separator: ","))]}"#.utf8
  }
}

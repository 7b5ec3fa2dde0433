import Foundation

/// Articles in the shape of a real API: Unicode text, escapes, nulls, a nested state. The same seed gives the same
/// bytes.
struct ArticleData {
  private var state: UInt64

  init(seed: UInt64 = 42) {
    state = seed
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  private static let words = [
    "sync", "rapid", "Ünïcode", "the", "of", "payload", "日本語", "row", "store", "🚀", "quick", "\\\"quoted\\\"",
    "line\\n", "and", "difference", "café", "measured", "twice", "schema", "identity",
  ]

  private mutating func text(_ count: Int) -> String {
    (0..<count).map { _ in Self.words[Int(next() % UInt64(Self.words.count))] }.joined(separator: " ")
  }

  /// A payload of so many articles; every `changedEvery`-th has another title than without.
  mutating func payload(rows: Int, changedEvery: Int? = nil) -> Data {
    var json = "["
    let states = ["open", "in_review", "done"]
    for id in 1...rows {
      let isChanged = changedEvery.map { id % $0 == 0 } ?? false
      let title = text(5)
      let details = next() % 8 == 0 ? "null" : "\"\(text(12))\""
      let day = 10 + next() % 18
      let hour = 10 + next() % 13
      json += id == 1 ? "" : ","
      json +=
        "{\"id\":\(id),\"title\":\"\(title)\(isChanged ? " changed" : "")\",\"description\":\(details),"
        + "\"state\":{\"id\":\"\(states[Int(next() % 3)])\",\"label\":\"Label\"},"
        + "\"created_at\":\"2024-03-\(day)T\(hour):15:30Z\",\"updated_at\":\"2024-04-\(day)T\(hour):45:12.250Z\","
        + "\"is_published\":\(next() % 2 == 0),\"score\":\(Double(next() % 10_000) / 100),\"author_id\":\(next() % 1_000)}"
    }
    return Data((json + "]").utf8)
  }
}

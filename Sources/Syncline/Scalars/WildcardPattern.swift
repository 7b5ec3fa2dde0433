/// Finds the key in strings that match a pattern with `*`, which matches any text: `*/books/{}*`.
///
/// The key ends at the characters that separate the parts of a URL. If it can be in several places, the last one counts. The time
/// grows with the length of the string, whatever the pattern is.
struct WildcardPattern: Sendable, Hashable {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  static let wildcard = UInt8(ascii: "*")

  /// The text before the key, split at each `*`.
  private let before: [[UInt8]]
  /// The text after the key, split at each `*`.
  private let after: [[UInt8]]

  /// Nil if neither text has a `*`.
  init?(before: [UInt8], after: [UInt8]) {
    func parts(_ text: [UInt8]) -> [[UInt8]] {
      text.split(separator: WildcardPattern.wildcard, omittingEmptySubsequences: false).map(Array.init)
    }
    self.before = parts(before)
    self.after = parts(after)
    guard self.before.count > 1 || self.after.count > 1 else { return nil }
  }

  /// The last key in a string, as long as possible; nil if there is none.
  func key(in text: Bytes) -> Bytes? {
    guard let firstStart = firstStart(in: text), let lastEnd = lastEnd(in: text), firstStart < lastEnd else {
      return nil
    }
    var end: Int?
    for position in stride(from: lastEnd, through: firstStart, by: -1) {
      if position < text.count, WildcardPattern.isSeparator(text[position]) { end = nil }
      if end == nil, isEnd(position, in: text, last: lastEnd) { end = position }
      if let end, end > position, isStart(position, in: text, first: firstStart) {
        return Bytes(rebasing: text[position..<end])
      }
    }
    return nil
  }

  private func isStart(_ position: Int, in text: Bytes, first: Int) -> Bool {
    guard before.count > 1, let lead = before.last else { return position == first }
    // After a `*`, the key begins where it can be longest.
    guard !lead.isEmpty else { return position == first || WildcardPattern.isSeparator(text[position - 1]) }
    return WildcardPattern.has(lead, in: text, at: position - lead.count)
  }

  private func isEnd(_ position: Int, in text: Bytes, last: Int) -> Bool {
    guard after.count > 1 else { return position == last }
    return WildcardPattern.has(after[0], in: text, at: position)
  }

  /// The first position at which the text before the key may end.
  private func firstStart(in text: Bytes) -> Int? {
    guard WildcardPattern.has(before[0], in: text, at: 0) else { return nil }
    var position = before[0].count
    for part in before.dropFirst().dropLast() {
      let places = stride(from: position, through: text.count - part.count, by: 1)
      guard let place = places.first(where: { WildcardPattern.has(part, in: text, at: $0) }) else {
        return nil
      }
      position = place + part.count
    }
    return before.count > 1 ? position + (before.last?.count ?? 0) : position
  }

  /// The last position at which the text after the key may begin.
  private func lastEnd(in text: Bytes) -> Int? {
    let tail = after[after.count - 1]
    var position = text.count - tail.count
    guard WildcardPattern.has(tail, in: text, at: position) else { return nil }
    for part in after.dropFirst().dropLast().reversed() {
      let places = stride(from: position - part.count, through: 0, by: -1)
      guard let place = places.first(where: { WildcardPattern.has(part, in: text, at: $0) }) else {
        return nil
      }
      position = place
    }
    return after.count > 1 ? position - after[0].count : position
  }

  private static func has(_ part: [UInt8], in text: Bytes, at position: Int) -> Bool {
    guard position >= 0, position + part.count <= text.count else { return false }
    return part.indices.allSatisfy { text[position + $0] == part[$0] }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "{"): true
    default: false
    }
  }
}

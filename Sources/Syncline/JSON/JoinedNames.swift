/// Names that follow each other in a path. A key of an object may join any number of them with dots: `b.c` for `b` and `c`.
struct JoinedNames: Sendable, Hashable {
  /// All names, with dots between them, as UTF-8.
  private let text: [UInt8]
  /// The end of each name in the text.
  private let ends: [Int]

  /// A single name in quotes, which may contain dots.
  init(_ name: [UInt8]) {
    text = name
    ends = [name.count]
  }

  init(_ names: some Sequence<String>) {
    var text: [UInt8] = []
    var ends: [Int] = []
    for name in names {
      if !ends.isEmpty { text.append(UInt8(ascii: ".")) }
      text += name.utf8
      ends.append(text.count)
    }
    self.text = text
    self.ends = ends
  }

  var count: Int { ends.count }

  private func start(of name: Int) -> Int { name == 0 ? 0 : ends[name - 1] + 1 }

  /// The names in a range, joined.
  func joined(_ range: Range<Int>) -> ArraySlice<UInt8> {
    range.isEmpty ? [] : text[start(of: range.lowerBound)..<ends[range.upperBound - 1]]
  }

  /// The last of the names that a key joins, beginning with the first one; nil if it joins none.
  @inline(__always)
  func last(joinedBy key: SyncValue, from first: Int) -> Int? {
    let start = start(of: first)
    return key.withText { bytes in
      guard let last = ends[first...].firstIndex(of: start + bytes.count) else { return nil }
      let isSame = text.withUnsafeBufferPointer {
        JSONText.equal(bytes, UnsafeBufferPointer(rebasing: $0[start..<(start + bytes.count)]))
      }
      return isSame ? last : nil
    }
  }
}

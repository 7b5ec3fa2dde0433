/// Finds the offsets and identities of a list's elements before they are read.
///
/// It skips everything else and validates nothing. The caller that reads an element validates it, and compares its
/// identity with the one found here.
struct ElementLocator: ~Copyable {
  private var scanner: JSONScanner
  private let names: [[UInt8]]
  private let identities: IdentityReader
  private let tape: JSONTape
  private let endsText: Bool
  private let isLines: Bool

  enum Step {
    /// An object, with its offset.
    case element(Int)
    case end
    /// The next element is not an object, or the text is not JSON.
    case odd
  }

  /// The position of the last identity on the tape.
  private var identityPosition: Int?
  private(set) var isAtEnd = false

  /// The identity of the last element, if one of its keys has a readable one; valid until the next call of ``next()``.
  var identity: SyncValue? { identityPosition.map(tape.value) }
  /// The offset of the next element.
  var offset: Int { scanner.offset }

  /// - Parameters:
  ///   - scanner: is at the first element to find.
  ///   - names: the keys that may have the identity, by descending priority.
  init(
    _ scanner: consuming JSONScanner, names: [[UInt8]], _ identities: IdentityReader, endsText: Bool,
    isLines: Bool
  ) {
    tape = JSONTape(borrowing: scanner.bytes, capacity: 16)
    self.scanner = scanner
    self.names = names
    self.identities = identities
    self.endsText = endsText
    self.isLines = isLines
  }

  mutating func next() -> Step {
    // Errors are not thrown here: the reader scans the whole text and reports the first one.
    guard !isAtEnd else { return .end }
    guard scanner.peek() == UInt8(ascii: "{") else { return .odd }
    let offset = scanner.offset
    guard (try? skipObject()) == true, let hasNext = try? scanner.moveToNextElement(isLines: isLines)
    else { return .odd }
    if hasNext {
      // Skips white space, so that the next offset is that of the element itself.
      guard scanner.peek() != nil else { return .odd }
    } else {
      isAtEnd = true
      if endsText, scanner.peek() != nil { return .odd }
    }
    return .element(offset)
  }

  /// Moves past the object at the cursor, and finds its identity. Returns false if the object has no end.
  private mutating func skipObject() throws(JSONError) -> Bool {
    scanner.advance()
    tape.clear()
    identityPosition = nil
    var rank = names.count
    while rank > 0, scanner.peek() == UInt8(ascii: "\"") {
      let key = tape.count
      try scanner.scanKey(onto: tape)
      let position = tape.count
      if let found = names.firstIndex(where: tape.value(at: key).hasText), found < rank {
        try scanner.scanValue(onto: tape)
        if identities.identity(in: tape.value(at: position)) != nil {
          (rank, identityPosition) = (found, position)
        }
      } else {
        guard try scanner.skipValue() else { return false }
      }
      if scanner.peek() == UInt8(ascii: ",") { scanner.advance() }
    }
    return scanner.skipToEnd(ofContainers: 1)
  }
}

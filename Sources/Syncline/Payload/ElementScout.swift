/// Finds the offsets and identities of the elements of a list before they are read.
///
/// It passes over what it does not look for, and validates nothing: whoever reads an element does, and compares what was
/// found here with what it reads.
struct ElementScout: ~Copyable {
  private var scanner: JSONScanner
  private let names: [[UInt8]]
  private let identities: IdentityReader
  private let tape: JSONTape
  private let endsText: Bool
  private let isLines: Bool

  enum Step {
    /// An object, which begins at an offset.
    case element(Int)
    case end
    /// The list goes on with something else than objects, or is not JSON.
    case odd
  }

  /// The position of the last identity on the tape.
  private var identityPosition: Int?
  private(set) var isAtEnd = false

  /// The identity of the last element, where its keys have a readable one; valid until the next is found.
  var identity: SyncValue? { identityPosition.map(tape.value) }
  /// Where the next element begins.
  var offset: Int { scanner.offset }

  /// - Parameters:
  ///   - scanner: is at an element.
  ///   - names: the keys of an identity, the first of them first.
  ///   - endsText: whether nothing comes behind the list.
  ///   - isLines: whether each element is a line.
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

  /// Finds the next element.
  mutating func next() -> Step {
    // What is wrong first is for the reader to say, who looks at all of the text.
    guard !isAtEnd else { return .end }
    guard scanner.peek() == UInt8(ascii: "{") else { return .odd }
    let offset = scanner.offset
    guard (try? skipObject()) == true, let hasNext = try? scanner.moveToNextElement(isLines: isLines)
    else { return .odd }
    if hasNext {
      // What is found next is said to begin where it does, not at the space before.
      guard scanner.peek() != nil else { return .odd }
    } else {
      isAtEnd = true
      if endsText, scanner.peek() != nil { return .odd }
    }
    return .element(offset)
  }

  /// Moves behind the object at the cursor, and finds its identity; false where it has no end.
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
        guard try skipValue() else { return false }
      }
      if scanner.peek() == UInt8(ascii: ",") { scanner.advance() }
    }
    return scanner.skipToEnd(ofContainers: 1)
  }

  /// Moves behind a value; false where it has no end.
  private mutating func skipValue() throws(JSONError) -> Bool {
    switch scanner.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      scanner.advance()
      return scanner.skipToEnd(ofContainers: 1)
    default:
      try scanner.scanValue(onto: nil)
      return true
    }
  }
}

/// Reads digits from the start of a string.
struct DigitReader {
  private let text: UnsafeBufferPointer<UInt8>
  private(set) var index = 0

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  var isAtEnd: Bool { index == text.count }
  var next: UInt8? { index < text.count ? text[index] : nil }

  mutating func advance() {
    index += 1
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  /// Moves past a word, ignoring case.
  mutating func skip(word: some StringProtocol) -> Bool {
    let start = index
    for letter in word.utf8 {
      guard let next, next | 0x20 == letter | 0x20 else {
        index = start
        return false
      }
      index += 1
    }
    return true
  }

  /// The index of the name that is next: a whole name, or its first three letters.
  mutating func name(of names: [String], isShort: Bool) -> Int? {
    names.firstIndex { skip(word: isShort ? $0.prefix(3) : $0[...]) }
  }

  /// Reads exactly the given number of digits.
  mutating func digits(_ count: Int) -> Int? {
    guard index + count <= text.count else { return nil }
    var value = 0
    for position in index..<(index + count) {
      let digit = text[position] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    index += count
    return value
  }

  /// Reads at least one digit, and at most the given number.
  mutating func digits(upTo limit: Int) -> Int? {
    var value = 0
    var count = 0
    while count < limit, let byte = next, byte &- UInt8(ascii: "0") < 10 {
      value = value * 10 + Int(byte &- UInt8(ascii: "0"))
      count += 1
      index += 1
    }
    return count > 0 ? value : nil
  }

  /// The digits of a fraction as microseconds; further digits are dropped.
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while let byte = next, byte &- UInt8(ascii: "0") < 10 {
      if count < 6 { value = value * 10 + Int(byte &- UInt8(ascii: "0")) }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 6)..<6 { value *= 10 }
    return value
  }

  /// A zone as seconds ahead of UTC: `Z`, `z`, `+02:00`, `+0200` or `+02`.
  mutating func zone() -> Int? {
    if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) { return 0 }
    let sign: Int
    if skip(UInt8(ascii: "+")) { sign = 1 } else if skip(UInt8(ascii: "-")) { sign = -1 } else { return nil }
    guard let hours = digits(2), hours < 24 else { return nil }
    var minutes = 0
    if skip(UInt8(ascii: ":")) {
      guard let value = digits(2) else { return nil }
      minutes = value
    } else if let value = digits(2) {
      minutes = value
    }
    guard minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}

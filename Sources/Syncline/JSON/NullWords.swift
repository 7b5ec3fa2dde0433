/// The JSON values that mean null where a property is read: `@Null("", 0, false, [])`.
///
/// A class, so that a property without words costs one empty reference.
final class NullWords: Sendable {
  /// The values, as the schema lists them.
  let words: [SyncJSON]
  private let texts: [[UInt8]]
  private let numbers: [SyncNumber]
  private let hasTrue, hasFalse, hasEmptyList: Bool

  /// - Parameter words: strings, numbers, booleans and empty lists.
  /// - Returns: nil if there are none.
  init?(_ words: [SyncJSON]) {
    guard !words.isEmpty else { return nil }
    self.words = words
    texts = words.compactMap { $0.string.map { Array($0.utf8) } }
    numbers = words.compactMap { if case .number(let number) = $0 { number } else { nil } }
    hasTrue = words.contains { $0 == true }
    hasFalse = words.contains { $0 == false }
    hasEmptyList = words.contains { $0 == [] }
  }

  /// Whether a value is one of the words. Strings are compared byte by byte, numbers by value.
  func contains(_ value: SyncValue) -> Bool {
    switch value.kind {
    case .string: texts.contains { value.hasText($0) }
    case .number: !numbers.isEmpty && value.number.map { numbers.contains($0) } ?? false
    case .true: hasTrue
    case .false: hasFalse
    case .array: hasEmptyList && value.isEmptyArray
    case .null, .object: false
    }
  }
}

/// A name prepared for finding out whether another one is probably the same name, spelled in another way. This is stricter
/// than the nearest name of a ``Vocabulary``: `createdAt` and `updatedAt` differ in three letters, and are different names.
package struct NameSpelling {
  /// The letters and digits of the name in lower case.
  package let letters: String
  /// Its words; none if it is so long that it is hardly misspelled.
  private let words: [[Character]]

  private static let longest = 128

  package init(_ name: String) {
    letters = name.filter { $0.isLetter || $0.isNumber }.lowercased()
    words =
      name.utf8.count > NameSpelling.longest
      ? [] : Names.snake(name).split { !$0.isLetter && !$0.isNumber }.map { Array($0.lowercased()) }
  }

  /// Whether both names have the same words, in any style, of which each may be misspelled.
  package func isSimilar(to other: NameSpelling) -> Bool {
    !words.isEmpty && words.count == other.words.count
      && zip(words, other.words).allSatisfy { NameSpelling.isSlip($0, of: $1) }
  }

  /// Whether one word is the other with a slip of the pen: a letter is missing, added, wrong or swapped with the next one, or
  /// two in a long word. Few slips concern the first letter, and `line1` is not `line2`.
  private static func isSlip(_ left: [Character], of right: [Character]) -> Bool {
    if left == right { return true }
    guard left.first == right.first, left.filter(\.isNumber) == right.filter(\.isNumber) else { return false }
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    // The plural of a short word: `tag` and `tags`.
    if short.count >= 3, long == short + ["s"] { return true }
    guard short.count >= 4 else { return false }
    return Vocabulary.distance(left, right, limit: short.count >= 8 ? 2 : 1) != nil
  }
}

/// A name prepared for deciding whether another name is a different spelling of it. This is stricter than the nearest name of a
/// ``Vocabulary``: `createdAt` and `updatedAt` differ in only three letters, but are different names.
package struct NameSpelling {
  /// The letters and digits of the name, lowercased.
  package let letters: String
  /// The words of the name; empty if it is too long to be a misspelling.
  private let words: [[Character]]

  package init(_ name: String) {
    letters = name.filter { $0.isLetter || $0.isNumber }.lowercased()
    words =
      name.utf8.count > Vocabulary.longest
      ? [] : Names.snake(name).split { !$0.isLetter && !$0.isNumber }.map { Array($0.lowercased()) }
  }

  /// Whether both names consist of the same words in any style. Each word may be misspelled.
  package func isSimilar(to other: NameSpelling) -> Bool {
    !words.isEmpty && words.count == other.words.count
      && zip(words, other.words).allSatisfy { NameSpelling.isSlip($0, of: $1) }
  }

  /// Whether one word is a misspelling of the other: a letter is missing, added, wrong or swapped with the next one; in a long
  /// word, two letters. The first letter is rarely wrong, and different digits, as in `line1` and `line2`, are no misspelling.
  private static func isSlip(_ left: [Character], of right: [Character]) -> Bool {
    if left == right { return true }
    guard left.first == right.first, left.filter(\.isNumber) == right.filter(\.isNumber) else { return false }
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    // One word is the plural of the other: `tag` and `tags`.
    if short.count >= 3, long == short + ["s"] { return true }
    guard short.count >= 4 else { return false }
    return Vocabulary.distance(left, right, limit: short.count >= 8 ? 2 : 1) != nil
  }
}

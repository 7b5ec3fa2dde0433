/// The spelling rules for names: snake case, camel case and singulars.
public enum Names {
  /// The name in snake case.
  ///
  /// A word begins at an upper-case letter that follows a lower-case letter or a digit, and at the last letter
  /// of an acronym that a lower-case letter follows. A plural acronym is one word: `userIDs` is `user_ids`.
  public static func snake(_ name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (index, letter) in letters.enumerated() {
      guard letter.isUppercase else {
        result.append(letter)
        continue
      }
      if index > 0, beginsWord(at: index, in: letters) { result.append("_") }
      result += letter.lowercased()
    }
    return result
  }

  /// The name in camel case: every word of the snake form after the first is capitalised.
  public static func camel(_ name: String) -> String {
    let snake = snake(name)
    let lead = snake.prefix { $0 == "_" }
    let words = snake.dropFirst(lead.count).split(separator: "_")
    return lead
      + words.enumerated()
      .map { index, word in index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst() }
      .joined()
  }

  private static func beginsWord(at index: Int, in letters: [Character]) -> Bool {
    let previous = letters[index - 1]
    if previous.isLowercase || previous.isNumber { return true }
    guard previous.isUppercase, index + 1 < letters.count, letters[index + 1].isLowercase else {
      return false
    }
    return !isPluralEnding(at: index + 1, in: letters)
  }

  /// Whether the letter is the `s` that makes the acronym before it a plural, as in `userIDs` or `URLsToLoad`.
  private static func isPluralEnding(at index: Int, in letters: [Character]) -> Bool {
    guard letters[index] == "s" else { return false }
    return index + 1 == letters.count || !letters[index + 1].isLowercase
  }
}

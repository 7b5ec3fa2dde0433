/// The spelling rules for names: their styles and singulars.
package enum Names {
  /// The name in snake case.
  ///
  /// A word begins at an uppercase letter that follows a lowercase letter or a digit, and at the last letter of an acronym
  /// before a lowercase letter. A plural acronym is one word: `userIDs` is `user_ids`.
  package static func snake(_ name: String) -> String {
    if isOneWord(name) { return name }
    let letters = Array(name)
    var result = ""
    for index in letters.indices {
      let letter = letters[index]
      guard isUppercase(letter) else {
        result.append(letter)
        continue
      }
      if index > 0, beginsWord(at: index, in: letters) { result.append("_") }
      result += letter.lowercased()
    }
    return result
  }

  /// The name in camel case: each word of the snake case after the first is capitalized.
  package static func camel(_ name: String) -> String {
    if isOneWord(name) { return name }
    let snake = snake(name)
    let words = snake.split(separator: "_")
    // Underscores before the first word are kept.
    return String(snake.prefix { $0 == "_" }) + (words.first ?? "")
      + words.dropFirst().map { capitalized(String($0)) }.joined()
  }

  /// The name in kebab case: snake case with hyphens instead of underscores between words.
  static func kebab(_ name: String) -> String {
    let snake = snake(name)
    let lead = snake.prefix { $0 == "_" }
    return String(lead) + snake.dropFirst(lead.count).map { $0 == "_" ? "-" : String($0) }.joined()
  }

  /// The name with an uppercase first letter. Leading underscores are kept.
  static func capitalized(_ name: String) -> String {
    let lead = name.prefix { $0 == "_" }
    let word = name.dropFirst(lead.count)
    return String(lead) + word.prefix(1).uppercased() + String(word.dropFirst())
  }

  /// Fast path: whether a name is a single word, so that snake and camel case are equal.
  private static func isOneWord(_ name: String) -> Bool {
    name.utf8.allSatisfy {
      $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
    }
  }

  /// Whether a letter is uppercase. Unicode's rules are used only if needed, because they create strings.
  private static func isUppercase(_ letter: Character) -> Bool {
    guard let ascii = letter.asciiValue else { return letter.isUppercase }
    return ascii >= UInt8(ascii: "A") && ascii <= UInt8(ascii: "Z")
  }

  private static func beginsWord(at index: Int, in letters: [Character]) -> Bool {
    let previous = letters[index - 1]
    if previous.isLowercase || previous.isNumber { return true }
    guard isUppercase(previous), index + 1 < letters.count, letters[index + 1].isLowercase else {
      return false
    }
    return !isPluralEnding(at: index + 1, in: letters)
  }

  /// Whether the letter is the plural `s` of an acronym, as in `userIDs` or `URLsToLoad`.
  private static func isPluralEnding(at index: Int, in letters: [Character]) -> Bool {
    guard letters[index] == "s" else { return false }
    return index + 1 == letters.count || !letters[index + 1].isLowercase
  }
}

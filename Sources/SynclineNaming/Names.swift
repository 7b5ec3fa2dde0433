/// The spelling rules for names: snake case, camel case and singulars.
public enum Names {
  /// The name in snake case.
  ///
  /// A word begins at an upper-case letter that follows a lower-case letter or a digit, and at the last letter
  /// of an acronym that a lower-case letter follows. A plural acronym is one word: `userIDs` is `user_ids`.
  public static func snake(_ name: String) -> String {
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

  /// The name in camel case: every word of the snake form after the first is capitalised.
  public static func camel(_ name: String) -> String {
    if isOneWord(name) { return name }
    var result = ""
    var isLead = true
    var beginsWord = false
    for letter in snake(name) {
      guard letter != "_" else {
        // Those before the first word stay.
        if isLead { result.append(letter) } else { beginsWord = true }
        continue
      }
      if beginsWord { result += letter.uppercased() } else { result.append(letter) }
      isLead = false
      beginsWord = false
    }
    return result
  }

  /// Whether a name is one word in all styles, as most are.
  private static func isOneWord(_ name: String) -> Bool {
    name.utf8.allSatisfy {
      $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
    }
  }

  /// Whether a letter is a capital; Unicode's rules are asked only where they are needed, as they make strings.
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

  /// Whether the letter is the `s` that makes the acronym before it a plural, as in `userIDs` or `URLsToLoad`.
  private static func isPluralEnding(at index: Int, in letters: [Character]) -> Bool {
    guard letters[index] == "s" else { return false }
    return index + 1 == letters.count || !letters[index + 1].isLowercase
  }
}

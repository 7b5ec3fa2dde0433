/// Text that cannot be parsed.
extension Explanation {
  static let texts = [
    Explanation(
      .unexpectedCharacter, "a character that is no part of the language",
      "Schema files are made of names, numbers, texts in straight quotes, `{ } ( ) [ ]`, `: , ; . = ? @` and a backslash. The usual causes are typographic quotes and dashes from a word processor, and invisible characters.",
      wrong: """
        model Task {
          id: Int
          title: String = “none”
        }
        """,
      right: """
        model Task {
          id: Int
          title: String = "none"
        }
        """),
    Explanation(
      .unterminatedString, "a text that does not end",
      "A text begins and ends with `\"` on one line. A longer one stands between `\"\"\"`, each on a line of its own, as in Swift.",
      wrong: """
        model Task {
          id: Int
          title: String = "none
        }
        """,
      right: """
        model Task {
          id: Int
          title: String = "none"
        }
        """),
    Explanation(
      .unterminatedComment, "a comment that does not end",
      "A comment that begins with `/*` ends with `*/`, and one inside of it with its own. All that follows is read as a part of the comment.",
      wrong: """
        model Task {
          id: Int
        }

        /* What comes next.
        """,
      right: """
        model Task {
          id: Int
        }

        /* What comes next. */
        """),
    Explanation(
      .unexpectedToken, "an unexpected token",
      "A schema file has `import`, `schema`, `model`, `struct`, `union` and `enum`; a model has properties, `name: Type`. What cannot be read is reported once, at its beginning, and the rest of the file is checked all the same.",
      wrong: """
        model Task {
          id: Int
          func title() -> String
        }
        """,
      right: """
        model Task {
          id: Int
          title: String
        }
        """),
    Explanation(
      .invalidLiteral, "a value that cannot be read",
      "Numbers are decimal, with a sign, a fraction and an exponent where they have any; texts have the escapes of Swift, without interpolation.",
      wrong: """
        model Task {
          id: Int
          limit: Int = 0xFF
        }
        """,
      right: """
        model Task {
          id: Int
          limit: Int = 255
        }
        """),
    Explanation(
      .tooDeep, "too many levels",
      "Types, lists and structs are nested in each other so many levels at most. What is deeper than that is made easier to read by a `struct`, or is any `JSON`.",
      wrong: """
        model Chart {
          id: Int
          cells: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[Int]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
        }
        """,
      right: """
        model Chart {
          id: Int
          cells: [[Int]]
        }
        """),
  ]
}

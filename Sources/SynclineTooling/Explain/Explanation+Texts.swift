/// Text that cannot be parsed.
extension Explanation {
  static let texts = [
    Explanation(
      .unexpectedCharacter, "unexpected character",
      "Schema files are made of names, numbers, texts in straight quotes, `{ } ( ) [ ]`, `: , ; . = ? @` and a backslash. The usual causes are typographic quotes and dashes from a word processor, and invisible characters.",
      wrong: """
        model Task {
          id: Int
          title: String = “none”
        }
        """,
      replacing: "title: String = “none”", with: "title: String = \"none\""),
    Explanation(
      .unterminatedString, "unterminated string",
      "A string begins and ends with `\"` on the same line; write a line break as `\\n`. Multi-line strings (`\"\"\"`) are not supported. In `#\"…\"#`, quotes and backslashes are ordinary characters.",
      wrong: """
        model Task {
          id: Int
          title: String = "none
        }
        """,
      replacing: "title: String = \"none", with: "title: String = \"none\""),
    Explanation(
      .unterminatedComment, "unterminated comment",
      "A comment that begins with `/*` ends with `*/`, and one inside of it with its own. All that follows is read as a part of the comment.",
      wrong: """
        model Task {
          id: Int
        }

        /* What comes next.
        """,
      replacing: "/* What comes next.", with: "/* What comes next. */"),
    Explanation(
      .unexpectedToken, "an unexpected token",
      "A schema file has `import`, `schema`, `model`, `struct`, `union` and `enum`; a model has properties, `name: Type`. What cannot be read is reported once, at its beginning, and the rest of the file is checked all the same.",
      wrong: """
        model Task {
          id: Int
          func title() -> String
        }
        """,
      replacing: "func title() -> String", with: "title: String"),
    Explanation(
      .invalidLiteral, "invalid literal",
      "Numbers are decimal, with a sign, a fraction and an exponent where they have any; texts have the escapes of Swift, without interpolation.",
      wrong: """
        model Task {
          id: Int
          limit: Int = 0xFF
        }
        """,
      replacing: "limit: Int = 0xFF", with: "limit: Int = 255"),
    Explanation(
      .tooDeep, "too deeply nested",
      "There is a limit to how deeply types, lists and structs can be nested; the message names it. Use a `struct` to make deep types readable, or `JSON` for values of any depth.",
      wrong: """
        model Chart {
          id: Int
          cells: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[Int]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
        }
        """,
      replacing: "cells: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[Int]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
      with: "cells: [[Int]]"),
  ]
}

/// Text that cannot be parsed.
extension Explanation {
  static let texts = [
    Explanation(
      .unexpectedCharacter, "unexpected character",
      "Schema files consist of names, numbers, strings in straight quotes, `{ } ( ) [ ]`, `: , ; . = ? @` and backslashes. The usual causes of this error are typographic quotes and dashes from a word processor, and invisible characters.",
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
      "A comment that begins with `/*` ends with `*/`. Comments can be nested, and each needs its own `*/`. Without it, the rest of the file is read as part of the comment.",
      wrong: """
        model Task {
          id: Int
        }

        /* What comes next.
        """,
      replacing: "/* What comes next.", with: "/* What comes next. */"),
    Explanation(
      .unexpectedToken, "an unexpected token",
      "A schema file contains `import`, `schema`, `model`, `struct`, `union` and `enum` declarations. The members of a model have the form `name: Type`. Text that cannot be parsed is reported once, where it begins; the rest of the file is still checked.",
      wrong: """
        model Task {
          id: Int
          func title() -> String
        }
        """,
      replacing: "func title() -> String", with: "title: String"),
    Explanation(
      .invalidLiteral, "invalid literal",
      "Numbers are decimal, with an optional sign, fraction and exponent. Strings have the escape sequences `\\\"`, `\\\\`, `\\n`, `\\t`, `\\r` and `\\u{…}`.",
      wrong: """
        model Task {
          id: Int
          limit: Int = 0xFF
        }
        """,
      replacing: "limit: Int = 0xFF", with: "limit: Int = 255"),
    Explanation(
      .tooDeep, "too deeply nested",
      "The nesting of types, lists and structs is limited; the message states the limit. Use a `struct` to make deep types readable, or `JSON` for values of any depth.",
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

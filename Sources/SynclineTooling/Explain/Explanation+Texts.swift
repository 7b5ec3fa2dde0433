extension Explanation {
  static let texts = pages(
    #"""
    ## SL001 unexpected character
    Schema files consist of names, numbers, strings in straight quotes, `{ } ( ) [ ]`, `: , ; . = ? @` and backslashes. The usual causes of this error are typographic quotes and dashes from a word processor, and invisible characters.
      model Task {
        id: Int
    -   title: String = “none”
    +   title: String = "none"
      }

    ## SL002 unterminated string
    A string begins and ends with `"` on the same line; write a line break as `\n`. Multi-line strings (`"""`) are not supported. In `#"…"#`, quotes and backslashes are ordinary characters.
      model Task {
        id: Int
    -   title: String = "none
    +   title: String = "none"
      }

    ## SL003 unterminated comment
    A comment that begins with `/*` ends with `*/`. Comments can be nested, and each needs its own `*/`. Without it, the rest of the file is read as part of the comment.
      model Task {
        id: Int
      }

    - /* What comes next.
    + /* What comes next. */

    ## SL004 an unexpected token
    A schema file contains `import`, `schema`, `model`, `struct`, `union` and `enum` declarations. The members of a model have the form `name: Type`. Text that cannot be parsed is reported once, where it begins; the rest of the file is still checked.
      model Task {
        id: Int
    -   func title() -> String
    +   title: String
      }

    ## SL005 invalid literal
    Numbers are decimal, with an optional sign, fraction and exponent. Strings have the escape sequences `\"`, `\\`, `\n`, `\t`, `\r` and `\u{…}`.
      model Task {
        id: Int
    -   limit: Int = 0xFF
    +   limit: Int = 255
      }

    ## SL006 too deeply nested
    The nesting of types, lists and structs is limited; the message states the limit. Use a `struct` to make deep types readable, or `JSON` for values of any depth.
      model Chart {
        id: Int
    -   cells: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[Int]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
    +   cells: [[Int]]
      }
    """#)
}

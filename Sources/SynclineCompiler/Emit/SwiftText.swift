/// Names and literals as Swift writes them.
///
/// After a dot no name needs backticks. Elsewhere it depends on the context; unnecessary backticks around an
/// argument label cause a warning.
package enum SwiftText {
  /// A name that is declared: by `var`, `let`, `case`, `struct` or `enum`.
  @inline(never)
  static func declared(_ name: String) -> String { escaped(name, keywords.contains(name)) }

  /// A name in a type position, where some words that are not keywords also need backticks.
  @inline(never)
  static func type(_ name: String) -> String {
    escaped(name, keywords.contains(name) || typeModifiers.contains(name))
  }

  /// A name used as an expression.
  @inline(never)
  static func value(_ name: String) -> String {
    escaped(name, keywords.contains(name) || typeModifiers.contains(name) || name == "await")
  }

  @inline(never)
  static func parameter(_ name: String) -> String { escaped(name, ["inout", "let", "var"].contains(name)) }

  @inline(never)
  static func label(_ name: String) -> String { escaped(name, name == "inout") }

  /// Whether a word must be in backticks to be a name.
  package static func isKeyword(_ word: String) -> Bool { keywords.contains(word) }

  private static func escaped(_ name: String, _ isEscaped: Bool) -> String {
    isEscaped ? "`\(name)`" : name
  }

  @inline(never)
  package static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isInvisible(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A string for a one-line comment.
  static func comment(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isInvisible($0) ? "\u{FFFD}" : $0 }))
  }

  /// Whether a character ends a line, or is invisible in one.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
  }

  @inline(never)
  static func literals(_ texts: [String]) -> Code {
    .array(texts.map { .text(literal($0)) })
  }

  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  private static let typeModifiers: Set<String> = [
    "__owned", "__shared", "_const", "any", "borrowing", "consuming", "each", "isolated", "nonisolated",
    "sending", "some",
  ]
}

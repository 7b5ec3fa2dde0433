/// Names and literals as Swift writes them.
enum SwiftText {
  /// A name, in backticks where it is a keyword.
  static func name(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// A name as an argument's label, where almost no keyword needs backticks.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }

  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || (0x2028...0x2029).contains(scalar.value):
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func list(_ texts: [String]) -> String {
    "[" + texts.map(literal).joined(separator: ", ") + "]"
  }

  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init",
    "inout",
    "internal", "let", "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows",
    "static",
    "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
    "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any",
    "as",
    "await", "catch", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
  ]
}

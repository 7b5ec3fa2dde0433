/// Prints lines of code at a depth of indentation.
struct CodePrinter {
  private(set) var text = ""
  private var indentation = ""

  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      text += indentation
      text += line
    }
    text += "\n"
  }

  mutating func lines(_ lines: some Sequence<String>) {
    for line in lines { self.line(line) }
  }

  /// Prints an opening line, what is inside one step deeper, and a closing line.
  mutating func block(_ opening: String, closing: String = "}", _ body: (inout CodePrinter) -> Void) {
    line(opening)
    indented(body)
    line(closing)
  }

  /// Prints what is inside one step deeper.
  mutating func indented(_ body: (inout CodePrinter) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
  }

  /// Prints a documentation comment.
  mutating func documentation(_ lines: [String]) {
    for line in lines { self.line(line.isEmpty ? "///" : "/// \(line)") }
  }

  /// Prints a list of arguments, one a line, between parentheses.
  mutating func call(_ opening: String, closing: String = ")", _ arguments: [String]) {
    block(opening, closing: closing) { printer in
      for (index, argument) in arguments.enumerated() {
        printer.line(argument + (index < arguments.count - 1 ? "," : ""))
      }
    }
  }
}

/// Prints indented lines of code within the project's line length.
///
/// The methods that every emitter calls are not inlined, because every user of the plugin compiles this code.
struct CodePrinter {
  /// The limit of `.swift-format`.
  static let lineLength = 110

  private(set) var text = ""
  private var indentation = ""

  @inline(never)
  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      text += indentation
      text += line
    }
    text += "\n"
  }

  @inline(never)
  mutating func lines(_ lines: some Sequence<String>) {
    for line in lines { self.line(line) }
  }

  /// Prints code, broken into lines if it is too long.
  @inline(never)
  mutating func code(_ code: Code) {
    lines(code.lines(limit: CodePrinter.lineLength - indentation.utf8.count))
  }

  /// Prints an opening line, an indented body, and a closing brace.
  @inline(never)
  mutating func block(_ opening: Code, _ body: (inout CodePrinter) -> Void) {
    code(opening + " {")
    indented(body)
    line("}")
  }

  /// Prints a declaration with statements in braces. A single statement is on the line of the declaration if it fits.
  @inline(never)
  mutating func body(of declaration: Code, _ statements: [Code]) {
    if statements.count == 1 {
      let line = "\(declaration.flat) { \(statements[0].flat) }"
      if indentation.utf8.count + line.count <= CodePrinter.lineLength { return self.line(line) }
    }
    block(declaration) { printer in
      for statement in statements { printer.code(statement) }
    }
  }

  /// Prints a property that one expression computes.
  @inline(never)
  mutating func getter(_ declaration: Code, _ value: Code) { body(of: declaration, [value]) }

  /// Prints a list with as many elements on each line as fit.
  @inline(never)
  mutating func filled(_ opening: String, _ elements: [String], _ closing: String) {
    var text = opening
    for (index, element) in elements.enumerated() {
      let piece = element + (index < elements.count - 1 ? "," : closing)
      if index > 0, indentation.utf8.count + text.count + piece.count + 1 > CodePrinter.lineLength {
        line(text)
        text = " " + piece
      } else {
        text += (index == 0 ? "" : " ") + piece
      }
    }
    line(text)
  }

  /// Prints a case of a `switch` and its value.
  @inline(never)
  mutating func choice(_ pattern: String, _ value: String) {
    let line = "case \(pattern): \(value)"
    guard indentation.utf8.count + line.count > CodePrinter.lineLength else { return self.line(line) }
    self.line("case \(pattern):")
    indented { $0.line(value) }
  }

  @inline(never)
  mutating func indented(_ body: (inout CodePrinter) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
  }

  @inline(never)
  mutating func documentation(_ lines: [String]) {
    // Swift warns about NUL in a comment.
    for line in lines {
      self.line(line.isEmpty ? "///" : "/// \(line.replacing("\0", with: "\u{FFFD}"))")
    }
  }
}

import SynclineCompiler

/// The explanation of a diagnostic: the page that `syncline explain SL012` prints.
public struct Explanation: Sendable {
  /// Example schema files.
  public struct Example: Sendable, ExpressibleByStringLiteral {
    /// The files, each with its path.
    public let files: [(path: String, text: String)]
    /// The name and the file of an imported target.
    public let imported: (target: String, text: String)?
    /// The text to show instead, if the files are too long.
    private let excerpt: String?

    init(
      _ files: [(path: String, text: String)], importing imported: (target: String, text: String)? = nil,
      excerpt: String? = nil
    ) {
      self.files = files
      self.imported = imported
      self.excerpt = excerpt
    }

    public init(stringLiteral text: String) { self.init([("Schema.syncline", text)]) }

    /// The files as input of the compiler.
    public var input: CompilerInput {
      CompilerInput(
        target: "App", files: files.map { SourceFile(path: $0.path, text: $0.text + "\n") },
        modules: imported.map {
          [$0.target: [SourceFile(path: "\($0.target).syncline", text: $0.text + "\n")]]
        }
          ?? [:])
    }

    /// The text of the files. If there are several, a comment precedes each.
    public var text: String {
      if let excerpt { return excerpt }
      let all = files + (imported.map { [("\($0.target)/\($0.target).syncline", $0.text)] } ?? [])
      return all.count == 1
        ? all[0].text : all.map { "// \($0.path)\n\($0.text)" }.joined(separator: "\n\n")
    }
  }

  /// The code.
  public let code: DiagnosticCode
  /// A short description of the mistake.
  public let title: String
  /// The reason why it is a mistake, and how to fix it.
  public let reason: String
  /// A schema with this mistake only.
  public let wrong: Example
  /// The same schema, corrected.
  public let right: Example

  init(_ code: DiagnosticCode, _ title: String, _ reason: String, wrong: Example, right: Example) {
    self.code = code
    self.title = title
    self.reason = reason
    self.wrong = wrong
    self.right = right
  }

  /// The explanations in a text. Each begins with its code, its title and its reason. Both schemas follow as a diff: “-” begins
  /// the lines of the wrong one, and “+” those of the right one. If they have several files, a comment with its path begins
  /// each; `Base/Base.syncline` is the file of the imported target `Base`.
  static func pages(_ text: String) -> [Explanation] {
    "\n\n\(text)".split(separator: "\n\n## ").compactMap { page in
      let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard let code = DiagnosticCode(rawValue: String(lines[0].prefix(5))) else { return nil }
      func schema(without sign: Character) -> Example {
        let kept = lines.dropFirst(2).filter { $0.first != sign }
        let text = kept.map { $0.dropFirst(2) }.joined(separator: "\n")
        guard text.hasPrefix("// ") else { return Example(stringLiteral: text) }
        let files = "\n\n\(text)".split(separator: "\n\n// ").map { file in
          let end = file.firstIndex(of: "\n") ?? file.endIndex
          return (path: String(file[..<end]), text: String(file[end...].dropFirst()))
        }
        let imported = files.first { $0.path == "Base/Base.syncline" }
        return Example(
          files.filter { $0.path != imported?.path }, importing: imported.map { ("Base", $0.text) })
      }
      return Explanation(
        code, String(lines[0].dropFirst(6)), lines[1], wrong: schema(without: "+"),
        right: schema(without: "-"))
    }
  }

  /// The explanations of all codes, sorted by code.
  public static let all =
    (texts + names + types + relationships + keys + models + targets).sorted {
      $0.code.rawValue < $1.code.rawValue
    }

  /// The explanation of a code, ignoring case; nil if there is no such code.
  public init?(_ code: String) {
    guard let found = Explanation.all.first(where: { $0.code.rawValue == code.uppercased() }) else {
      return nil
    }
    self = found
  }

  /// The page as Markdown.
  public var markdown: String {
    """
    ## \(code.rawValue): \(title)

    \(reason)

    Wrong:

    ```syncline
    \(wrong.text)
    ```

    Right:

    ```syncline
    \(right.text)
    ```
    """
  }

  /// All pages, as one document.
  public static var document: String {
    """
    # Compiler diagnostics

    Each error and warning has a stable code. `syncline explain SL012` prints the section of one.

    \(all.map(\.markdown).joined(separator: "\n\n"))

    """
  }
}

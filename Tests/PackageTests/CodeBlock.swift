import Foundation

/// A block of code in a text.
struct CodeBlock {
  let language: String
  let text: String

  /// The blocks of a file in Markdown.
  static func all(in file: URL) throws -> [CodeBlock] {
    let text = try String(contentsOf: file, encoding: .utf8)
    var blocks: [CodeBlock] = []
    var current: (language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block = current {
          blocks.append(CodeBlock(language: block.language, text: block.lines.joined(separator: "\n")))
          current = nil
        } else {
          current = (String(line.dropFirst(3)), [])
        }
      } else {
        current?.lines.append(String(line))
      }
    }
    return blocks
  }
}

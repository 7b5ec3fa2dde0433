import Foundation

/// A block of code in a text.
struct CodeBlock {
  let language: String
  let text: String

  /// Whether the code needs what is not here, is a test of its own, or a part of a manifest.
  var isOfAnotherPlatform: Bool {
    let modules = [
      "SwiftUI", "BackgroundTasks", "Hummingbird", "Vapor", "SQLCipher", "WidgetKit", "UIKit", "Testing",
    ]
    return text.hasPrefix("// Not run") || text.hasPrefix("// Package.swift")
      || modules.contains { text.contains("import \($0)\n") }
  }

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

  /// The text of all blocks of a language.
  static func joined(_ language: String, of blocks: [CodeBlock]) -> String {
    blocks.filter { $0.language == language }.map(\.text).joined(separator: "\n")
  }

  /// The Swift of an article, each block as a function of a type. What a block declares or imports first stands outside of it.
  static func functions(of article: URL, in type: String, taking parameters: String) throws -> [String] {
    try all(in: article).filter { $0.language == "swift" }.enumerated().map { number, block in
      let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
      let first = lines.first { !$0.hasPrefix("//") } ?? ""
      var end = lines.lastIndex { $0.hasPrefix("import ") }.map { $0 + 1 } ?? 0
      if ["struct", "actor"].contains(where: first.hasPrefix) {
        end = (lines.firstIndex { $0 == "}" } ?? -1) + 1
      }
      return """
        \(lines[..<end].joined(separator: "\n"))
        extension \(type) {
          func block\(number)(\(parameters)) async throws {
            \(lines[end...].joined(separator: "\n"))
          }
        }
        """
    }
  }
}

import Foundation
import Testing

/// The first page of the documentation.
@Suite struct TopicTests {
  /// DocC lists types without a topic at the end of the page, by their kinds, where those for generated code hide the others.
  @Test func eachPublicTypeHasATopic() throws {
    let page = try String(
      contentsOf: Shell.package.appending(path: "Sources/Syncline/Syncline.docc/Syncline.md"), encoding: .utf8
    )
    let api = try String(
      contentsOf: Shell.package.appending(path: "Documentation/PublicAPI.txt"), encoding: .utf8)
    let declarations = api.split(separator: "\n").dropFirst().prefix { $0.hasPrefix(" ") }
    let kinds: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]
    let types = declarations.filter { !$0.hasPrefix("   ") }.compactMap { line -> String? in
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      guard let kind = words.firstIndex(where: { kinds.contains(String($0)) }), kind + 1 < words.count else {
        return nil
      }
      return String(words[kind + 1])
    }
    #expect(types.count > 100)
    for type in types { #expect(page.contains("- ``\(type)``"), "\(type) is under no topic") }
  }
}

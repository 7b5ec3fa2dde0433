@testable import SynclineCompiler
import Testing

@Suite struct SyntaxTreeTests {
  private func tree(_ text: String) -> SyntaxTree {
    ParsedFile(SourceFile(path: "Schema.syncline", text: text)).tree
  }

  /// The tokens of a tree that are in none of some nodes, or in two of them.
  private func strays(_ nodes: [Range<Int>], in tokens: Range<Int>, of tree: SyntaxTree) -> [String] {
    var count = [Int](repeating: 0, count: tree.tokens.count)
    for node in nodes { for position in node { count[position] += 1 } }
    return tokens.filter { count[$0] != 1 }.map { tree.file.text(tree.tokens[$0].range) }
  }

  private func check(_ text: String) {
    let tree = tree(text)
    let nodes = tree.declarations.map(\.tokens)
    let outside = strays(nodes, in: 0..<(tree.tokens.count - 1), of: tree)
    #expect(outside.allSatisfy { $0 == ";" }, "\(text.debugDescription)")
    for (first, second) in zip(nodes, nodes.dropFirst()) { #expect(first.upperBound <= second.lowerBound) }
    for model in tree.models {
      let members = model.members.map(\.tokens)
      for (first, second) in zip(members, members.dropFirst()) {
        #expect(first.upperBound <= second.lowerBound)
      }
      guard let first = members.first, let last = members.last else { continue }
      let between = strays(members, in: first.lowerBound..<last.upperBound, of: tree)
      // A string in place of documentation is an error, and passed over.
      #expect(
        between.allSatisfy { $0 == ";" || $0.hasPrefix("\"") }, "\(between) in \(text.debugDescription)")
    }
  }

  @Test func everyTokenIsInOneDeclarationAndOneMember() {
    for text in Fixture.all.flatMap({ $0.files.map(\.text) }) { check(text) }
  }

  @Test(arguments: 0..<10)
  func everyTokenOfAChangedFileIsInOneDeclaration(seed: Int) {
    var mutation = Mutation(generator: SeededGenerator(seed: UInt64(500 + seed)))
    for text in Fixture.all.flatMap({ $0.files.map(\.text) }) { check(mutation.mutated(text)) }
  }

  @Test func declarationsAreInSourceOrder() {
    let kinds = tree(
      "enum A: Int { case a }\nnonsense\nmodel B { id: Int }\nimport C\nschema { access: public }"
    )
    .declarations.map { declaration in
      switch declaration {
      case .enumeration: "enum"
      case .unexpected: "unexpected"
      case .model: "model"
      case .module: "import"
      case .settings: "schema"
      }
    }
    #expect(kinds == ["enum", "unexpected", "model", "import", "schema"])
  }

  @Test func triviaBelongToTheTokenTheyLeadOrTrail() throws {
    let text = "// head\nmodel A { // of the brace\n  /// of the name\n  id: Int // of the type\n}\n// end\n"
    let tree = tree(text)
    func pieces(_ range: Range<Int>) -> [String] {
      tree.trivia[range].filter { $0.kind == .lineComment || $0.kind == .documentation }.map {
        tree.file.text($0.range)
      }
    }
    let owners = tree.tokens.map { (tree.file.text($0.range), pieces($0.leading), pieces($0.trailing)) }
      .filter { !$0.1.isEmpty || !$0.2.isEmpty }
    #expect(owners.map(\.0) == ["model", "{", "id", "Int", ""])
    #expect(owners.map(\.1) == [["// head"], [], ["/// of the name"], [], ["// end"]])
    #expect(owners.map(\.2) == [[], ["// of the brace"], [], ["// of the type"], []])
  }
}

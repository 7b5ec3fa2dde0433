// Lists the symbols without documentation in symbol graphs, and fails if there are any.
//
// A member that implements a documented protocol requirement inherits its documentation, and synthesized members need none.
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable {
      let precise: String
    }
    struct Location: Decodable {
      struct Position: Decodable {
        let line: Int
      }
      let uri: String
      let position: Position
    }
    /// The documentation of a symbol, whose text is not read.
    struct Documentation: Decodable {}

    let identifier: Identifier
    let pathComponents: [String]
    let docComment: Documentation?
    let location: Location?
  }

  let symbols: [Symbol]
}

var findings: [String] = []
var count = 0
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  count += graph.symbols.count
  for symbol in graph.symbols where symbol.docComment == nil {
    guard !symbol.identifier.precise.contains("::SYNTHESIZED::"), let location = symbol.location else {
      continue
    }
    let file = URL(string: location.uri)?.path ?? location.uri
    findings.append(
      "\(file):\(location.position.line + 1): error: \(symbol.pathComponents.joined(separator: ".")) has no documentation"
    )
  }
}
guard count > 0 else { exit(EXIT_FAILURE) }
for finding in findings.sorted() { print(finding) }
exit(findings.isEmpty ? 0 : 1)

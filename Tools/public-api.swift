// Prints the public declarations of symbol graphs, sorted, members below their types.
//
// Declarations that the compiler synthesizes, and members that types inherit from protocols of other modules, are omitted: they
// change only together with listed declarations.
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable {
      let precise: String
    }
    struct Fragment: Decodable {
      let spelling: String
    }

    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]
    let swiftExtension: Extension?

    struct Extension: Decodable {
      let constraints: [Constraint]?
    }
    struct Constraint: Decodable {
      let kind: String
      let lhs: String
      let rhs: String
    }

    /// The declaration on one line, with the constraints of its extension.
    var declaration: String {
      let text = declarationFragments.map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let constraints = (swiftExtension?.constraints ?? []).map {
        "\($0.lhs) \($0.kind == "sameType" ? "==" : ":") \($0.rhs)"
      }
      return constraints.isEmpty ? text : "\(text)  [\(constraints.joined(separator: ", "))]"
    }
  }
  struct Module: Decodable {
    let name: String
  }

  let module: Module
  let symbols: [Symbol]
}

var lines: [String: Set<[String]>] = [:]
for path in CommandLine.arguments.dropFirst().sorted() {
  let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  for symbol in graph.symbols where !symbol.identifier.precise.contains("::SYNTHESIZED::") {
    lines[graph.module.name, default: []].insert(symbol.pathComponents + [symbol.declaration])
  }
}
for (module, symbols) in lines.sorted(by: { $0.key < $1.key }) {
  print(module)
  let declared = Set(symbols.map { $0.dropLast() })
  var extended: ArraySlice<String> = []
  // A type's path is a prefix of its members', so it comes first.
  for symbol in symbols.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
    let type = symbol.dropLast(2)
    if !type.isEmpty, !declared.contains(type), type != extended {
      print("  extension \(type.joined(separator: "."))")
      extended = type
    }
    print(String(repeating: "  ", count: symbol.count - 1) + symbol[symbol.count - 1])
  }
}

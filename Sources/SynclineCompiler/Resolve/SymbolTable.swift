/// Collects what is declared, and where it is used.
struct SymbolTable: Sendable {
  /// What a name means at a place.
  enum Key: Sendable, Hashable {
    case model(String)
    case property(model: String, String)
    case enumeration(String)
    case structure(String)
    case union(String)
    case enumCase(enumeration: String, String)
    case module(String)
  }

  private var positions: [Key: Int] = [:]
  private(set) var symbols: [Symbol] = []

  /// Adds a symbol; of two with one name the first is the one that is meant.
  mutating func declare(_ key: Key, at declaration: SourceRange?, in module: String? = nil) {
    guard positions[key] == nil else { return }
    positions[key] = symbols.count
    let (kind, name, container): (Symbol.Kind, String, String?) =
      switch key {
      case .model(let name): (.model, name, nil)
      case .property(let model, let name): (.property, name, model)
      case .enumeration(let name): (.enumeration, name, nil)
      case .structure(let name): (.structure, name, nil)
      case .union(let name): (.union, name, nil)
      case .enumCase(let enumeration, let name): (.enumCase, name, enumeration)
      case .module(let name): (.module, name, nil)
      }
    symbols.append(
      Symbol(
        kind: kind, name: name, container: container, module: module, declaration: declaration, references: []
      ))
  }

  mutating func refer(to key: Key, at range: SourceRange) {
    guard let position = positions[key] else { return }
    symbols[position].references.append(range)
  }

  /// All symbols with their uses in the order of the files.
  func sorted() -> [Symbol] {
    symbols.map { symbol in
      var symbol = symbol
      symbol.references.sort {
        ($0.file.path, $0.offsets.lowerBound) < ($1.file.path, $1.offsets.lowerBound)
      }
      return symbol
    }
  }
}

/// What resolving has to say, and the names it came upon.
struct ResolutionLog: Sendable {
  var bag = DiagnosticBag()
  var symbols = SymbolTable()
}

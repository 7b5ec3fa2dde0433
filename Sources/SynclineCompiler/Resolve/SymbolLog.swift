/// Collects declarations and their uses during resolution.
struct SymbolLog: Sendable {
  /// The meaning of a name at a location.
  enum Key: Sendable, Hashable {
    case model(String)
    case property(model: String, String)
    case enumeration(String)
    case structure(String)
    case union(String)
    case enumCase(enumeration: String, String)
    case module(String)
  }

  /// A declaration that contains names: a type with its members, or a target.
  private enum Source: Sendable {
    case model(ModelSyntax, module: String?)
    case enumeration(EnumSyntax, module: String?)
    case module(String)
  }

  private var sources: [Source] = []
  private var uses: [(key: Key, range: SourceRange)] = []

  mutating func declare(_ model: ModelSyntax, in module: String?) {
    sources.append(.model(model, module: module))
  }

  mutating func declare(_ enumeration: EnumSyntax, in module: String?) {
    sources.append(.enumeration(enumeration, module: module))
  }

  mutating func declare(module: String) { sources.append(.module(module)) }

  mutating func refer(to key: Key, at range: SourceRange) { uses.append((key, range)) }

  mutating func add(_ log: SymbolLog) {
    sources += log.sources
    uses += log.uses
  }

  /// All symbols with their uses, in file order. If two symbols have the same name, uses belong to the first.
  func symbols() -> [Symbol] {
    var positions: [Key: Int] = [:]
    var symbols: [Symbol] = []
    func declare(_ key: Key, at range: SourceRange?, in module: String?) {
      guard positions[key] == nil else { return }
      positions[key] = symbols.count
      symbols.append(key.symbol(at: range, in: module))
    }
    for source in sources {
      switch source {
      case .module(let name): declare(.module(name), at: nil, in: nil)
      case .enumeration(let syntax, let module):
        declare(.enumeration(syntax.name.text), at: syntax.name.range, in: module)
        for entry in syntax.cases {
          declare(
            .enumCase(enumeration: syntax.name.text, entry.name.text), at: entry.name.range, in: module)
        }
      case .model(let model, let module):
        let name = model.name.text
        let key: Key =
          switch model.kind {
          case .model: .model(name)
          case .structure: .structure(name)
          case .union: .union(name)
          }
        declare(key, at: model.name.range, in: module)
        for property in model.properties {
          let member = property.name.text
          declare(
            model.kind == .union ? .enumCase(enumeration: name, member) : .property(model: name, member),
            at: property.name.range, in: module)
        }
      }
    }
    for use in uses {
      if let position = positions[use.key] { symbols[position].references.append(use.range) }
    }
    for position in symbols.indices {
      symbols[position].references.sort {
        ($0.file.path, $0.offsets.lowerBound) < ($1.file.path, $1.offsets.lowerBound)
      }
    }
    return symbols
  }
}

extension SymbolLog.Key {
  fileprivate func symbol(at range: SourceRange?, in module: String?) -> Symbol {
    let (kind, name, container): (Symbol.Kind, String, String?) =
      switch self {
      case .model(let name): (.model, name, nil)
      case .property(let model, let name): (.property, name, model)
      case .enumeration(let name): (.enumeration, name, nil)
      case .structure(let name): (.structure, name, nil)
      case .union(let name): (.union, name, nil)
      case .enumCase(let enumeration, let name): (.enumCase, name, enumeration)
      case .module(let name): (.module, name, nil)
      }
    return Symbol(
      kind: kind, name: name, container: container, module: module, declaration: range, references: [])
  }
}

/// The diagnostics and symbols that resolution collects.
struct ResolutionLog: Sendable {
  var bag = DiagnosticBag()
  var symbols = SymbolLog()

  mutating func add(_ log: ResolutionLog) {
    bag.add(log.bag)
    symbols.add(log.symbols)
  }
}

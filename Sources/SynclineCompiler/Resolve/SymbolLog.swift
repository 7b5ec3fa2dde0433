/// Collects declarations and their uses during resolution, for language tools.
package struct SymbolLog: Sendable {
  /// The meaning of a name at a location.
  package enum Key: Sendable, Hashable {
    case model(String)
    case property(model: String, String)
    case enumeration(String)
    case structure(String)
    case union(String)
    case enumCase(enumeration: String, String)
    case module(String)
  }

  /// A declaration that contains names: a type with its members, or a target.
  package enum Source: Sendable {
    case model(ModelSyntax, module: String?)
    case enumeration(EnumSyntax, module: String?)
    case module(String)
  }

  package internal(set) var sources: [Source] = []
  package private(set) var uses: [(key: Key, range: SourceRange)] = []

  mutating func refer(to key: Key, at range: SourceRange) { uses.append((key, range)) }

  mutating func add(_ log: SymbolLog) {
    sources += log.sources
    uses += log.uses
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

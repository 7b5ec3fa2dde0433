import SynclineCompiler

/// A name that a schema declares or imports, with all its uses. Language features such as renaming use it.
struct Symbol: Sendable, Hashable {
  /// The kinds, with their `SymbolKind` of the protocol.
  enum Kind: Int, Sendable {
    case model = 5, structure = 23, enumeration = 10, union = 11
    /// A property of a model, or a member of a struct.
    case property = 8
    /// A case of an enum or a union.
    case enumCase = 22
    /// A target that is imported.
    case module = 2
  }

  let kind: Kind
  let name: String
  /// The model or struct of a property, the enum or union of a case.
  let container: String?
  /// The target that declares it; nil for the current target.
  let module: String?
  /// The range of its name in the declaration; nil for a target.
  let declaration: SourceRange?
  /// The other uses of its name, sorted by file.
  var references: [SourceRange]

  /// The range of its name that contains an offset; nil if there is none.
  func place(at offset: Int, in file: SourceFile) -> SourceRange? {
    func holds(_ range: SourceRange) -> Bool {
      range.file === file && range.offsets.lowerBound <= offset && offset <= range.offsets.upperBound
    }
    return declaration.flatMap { holds($0) ? $0 : nil } ?? references.first(where: holds)
  }
}

extension Analysis {
  /// All symbols with their uses, in file order. If two symbols have the same name, the uses belong to the first. Computed on
  /// each access.
  var symbols: [Symbol] {
    var positions: [SymbolLog.Key: Int] = [:]
    var symbols: [Symbol] = []
    func declare(_ key: SymbolLog.Key, at range: SourceRange?, in module: String?) {
      guard positions[key] == nil else { return }
      positions[key] = symbols.count
      symbols.append(key.symbol(at: range, in: module))
    }
    for source in symbolLog.sources {
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
        let key: SymbolLog.Key =
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
    for use in symbolLog.uses {
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

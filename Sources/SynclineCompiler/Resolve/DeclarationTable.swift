/// Maps each name to its first declaration. The target's declarations take precedence over imported ones.
struct DeclarationTable: Sendable {
  enum Declaration: Sendable, Equatable {
    case type(ModelSyntax.Kind)
    case enumeration
    /// A declaration that could not be read.
    case unreadable
  }

  /// The cases of an enum.
  struct Cases: Sendable {
    let names: [String]
    let isIncomplete: Bool
    /// Whether the raw values are integers.
    let areIntegers: Bool
  }

  private(set) var declarations: [String: Declaration] = [:]
  /// The cases of all enums, including enums declared later.
  private(set) var cases: [String: Cases] = [:]
  /// The unions, including unions declared later.
  private(set) var unions: [String: ModelSyntax] = [:]
  /// The target of each imported model, enum, struct and union.
  private(set) var importedModules: [String: String] = [:]
  /// The declarations of each imported target that others hide.
  private var hidden: [String: [String: Declaration]] = [:]
  /// Names that two imported targets declare.
  private(set) var ambiguous: [String: [String]] = [:]
  /// Whether a part of the source could not be read. It may declare any name.
  private(set) var mayDeclareMore: Bool
  /// Whether a name is declared twice. Then the second declaration may be a misnamed one, and an undeclared name its intended
  /// name.
  private(set) var hasDuplicates = false

  init(
    _ trees: [SyntaxTree], importing modules: [String: [SyntaxTree]], misses: Bool, log: inout ResolutionLog
  ) {
    mayDeclareMore = misses || trees.contains(where: \.mayDeclareMore)
    var seen: [String: NameSyntax] = [:]
    for tree in trees { declare(tree, &seen, &log) }
    for module in modules.keys.sorted() {
      declareImported(module, modules[module] ?? [], own: seen, &log)
    }
  }

  private mutating func declare(
    _ tree: SyntaxTree, _ seen: inout [String: NameSyntax], _ log: inout ResolutionLog
  ) {
    for (declaration, name) in tree.named {
      if let first = seen[name.text.lowercased()] {
        let same = first.text == name.text ? "" : ", ignoring case"
        log.bag.error(
          .duplicateDeclaration, "“\(name.text)” is declared twice\(same)", at: name.range,
          notes: [.init(message: "“\(first.text)” is declared here", range: first.range)])
        hasDuplicates = true
        continue
      }
      seen[name.text.lowercased()] = name
      switch declaration {
      case .model(let model):
        declarations[name.text] = .type(model.kind)
        declare(model, in: nil, &log)
      case .enumeration(let syntax):
        declarations[name.text] = .enumeration
        declare(syntax, in: nil, &log)
      default: declarations[name.text] = .unreadable
      }
    }
  }

  private mutating func declare(_ model: ModelSyntax, in module: String?, _ log: inout ResolutionLog) {
    if model.kind == .union { unions[model.name.text] = model }
    log.symbols.sources.append(.model(model, module: module))
  }

  private mutating func declare(_ syntax: EnumSyntax, in module: String?, _ log: inout ResolutionLog) {
    log.symbols.sources.append(.enumeration(syntax, module: module))
    cases[syntax.name.text] = Cases(
      names: syntax.cases.map(\.name.text),
      isIncomplete: syntax.isIncomplete || syntax.cases.contains(where: \.isIncomplete),
      areIntegers: syntax.rawType.text == Enumeration.RawType.int.rawValue)
  }

  /// Whether the cases of a union are structs.
  func isOfValues(_ union: ModelSyntax) -> Bool {
    for entry in union.properties {
      switch declarations[entry.type.name.text] {
      case .type(.structure)?: return true
      case .type(.model)?: return false
      case .type(.union)?, .enumeration?, .unreadable?, nil: continue
      }
    }
    return false
  }

  /// The type of a case of an imported union that means another declaration here.
  func hiddenCase(of union: ModelSyntax) -> String? {
    guard let module = importedModules[union.name.text], let hidden = hidden[module] else { return nil }
    return union.properties.map(\.type.name.text).first { name in
      // Values of the union do not name the structs.
      hidden[name].map { $0 == .type(.model) || $0 != declarations[name] } ?? false
    }
  }

  // MARK: Imports

  private mutating func declareImported(
    _ module: String, _ trees: [SyntaxTree], own: [String: NameSyntax], _ log: inout ResolutionLog
  ) {
    for model in trees.flatMap(\.models) {
      // Both models would have the same table.
      if let name = own[model.name.text.lowercased()], case .type(.model)? = declarations[name.text] {
        log.bag.error(
          .duplicateDeclaration, "the model “\(name.text)” is declared by “\(module)” too, which is imported",
          at: name.range,
          notes: [.init(message: "“\(model.name.text)” is declared here", range: model.name.range)])
      }
      if declareImported(model.name.text, .type(.model), from: module) {
        declare(model, in: module, &log)
      }
    }
    for syntax in trees.flatMap({ $0.structs + $0.unions })
    where declareImported(syntax.name.text, .type(syntax.kind), from: module) {
      declare(syntax, in: module, &log)
    }
    for syntax in trees.flatMap(\.enums)
    where declareImported(syntax.name.text, .enumeration, from: module) {
      declare(syntax, in: module, &log)
    }
  }

  /// Returns false if the name is already declared.
  private mutating func declareImported(_ name: String, _ declaration: Declaration, from module: String)
    -> Bool
  {
    guard declarations[name] == nil else {
      if let other = importedModules[name], other != module { ambiguous[name] = [other, module] }
      hidden[module, default: [:]][name] = declaration
      return false
    }
    declarations[name] = declaration
    importedModules[name] = module
    return true
  }
}

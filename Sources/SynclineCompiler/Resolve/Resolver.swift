import SynclineNaming

/// Builds the schema of a target from the trees of its files: names, types, attributes, relationships and keys.
struct Resolver {
  let target: String
  let trees: [SyntaxTree]
  /// The trees of the targets that can be imported.
  let modules: [String: [SyntaxTree]]
  /// The names of those targets that are in other packages.
  let otherPackages: Set<String>
  /// The diagnostics and symbols found while building the schema.
  var log = ResolutionLog()

  mutating func schema(_ memory: inout AnalysisMemory) -> Schema {
    let settings = SettingsResolver.settings(of: trees, &log.bag)
    let (imports, misses) = resolveImports(settings.access)
    let imported = modules.filter { imports.contains($0.key) }
    let table = DeclarationTable(trees, importing: imported, misses: misses, log: &log)

    let enums = trees.flatMap(\.enums).map { syntax in
      var resolver = EnumResolver(syntax)
      return resolver.enumeration(&log.bag)
    }
    var resolver = ModelResolver(table: table, log: log, nulls: settings.nulls)
    let structs = trees.flatMap(\.structs).map { resolver.structure($0) }
    let unions = trees.flatMap(\.unions).map { resolver.union($0) }
    let importedTrees = imports.flatMap { modules[$0] ?? [] }
    resolver.learn(importedTrees)
    memory.begin(trees, importing: importedTrees, named: imports, misses: misses)
    log = resolver.log
    var models: [Model] = []
    for tree in trees {
      let resolved = memory.models(of: tree) { resolver.models(of: tree) }
      models += resolved.models
      log.add(resolved.log)
    }
    // Errors in another target are reported in that target.
    var foreign = ModelResolver(table: table, log: ResolutionLog())
    for syntax in trees.flatMap(\.unions) { _ = foreign.union(syntax) }
    foreign.learn(importedTrees)
    let foreignModels = imports.flatMap { module in
      (modules[module] ?? []).flatMap(\.models).map { foreign.model($0, module: module) }
    }
    var pairing = RelationshipPairing(models, imported: foreignModels, log: log)
    let named = Dictionary(
      (models + foreignModels).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let paired = pairing.run().map { $0.withOrders(among: named) }
    log = pairing.log
    return Schema(
      target: target, settings: settings, files: trees, imports: imports,
      importedModules: table.importedModules, models: paired, enums: enums, structs: structs, unions: unions,
      imported: foreignModels)
  }

  /// The targets that are imported, and whether one was not found.
  private mutating func resolveImports(_ access: Schema.Access) -> (imports: [String], misses: Bool) {
    var imports: Set<String> = []
    var misses = false
    for name in trees.flatMap(\.imports).map(\.module) {
      if modules[name.text]?.isEmpty ?? true {
        misses = true
        log.bag.error(
          .unknownImport,
          "no target “\(name.text)” with schema files is among the dependencies of “\(target)”"
            + Vocabulary(modules.keys).didYouMean(name.text),
          at: name.range)
      } else {
        if imports.insert(name.text).inserted { checkImport(name, from: access) }
        log.symbols.sources.append(.module(name.text))
        log.symbols.refer(to: .module(name.text), at: name.range)
      }
    }
    return (imports.sorted(), misses)
  }
}

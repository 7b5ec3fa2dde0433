extension Resolver {
  /// Reports why the target's Swift cannot use an imported target: models that are not visible here, or a module name that cannot
  /// be written.
  mutating func checkImport(_ name: NameSyntax, from access: Schema.Access) {
    let trees = modules[name.text] ?? []
    // Errors in its settings are reported in that target.
    var foreign = DiagnosticBag()
    let own = SettingsResolver.settings(of: trees, &foreign).access
    // Fewer declarations are visible to other packages.
    let isPublic = otherPackages.contains(name.text) || access == .public
    let needed = isPublic ? [Schema.Access.public] : [.public, .package]
    if !needed.contains(own) {
      let settings = needed.map { "“schema { access: \($0.rawValue) }”" }.joined(separator: " or ")
      log.bag.error(
        .invalidImport,
        "the models of “\(name.text)” are \(own.rawValue) and not visible here: write \(settings) in one of its schema files",
        at: name.range)
    }
    if TypeNames.ofProtocols.contains(name.text) || NameRule.modelNames.contains(name.text) {
      log.bag.error(
        .invalidImport, "generated code cannot use a module named “\(name.text)”: rename the target",
        at: name.range)
    }
    let declared = trees.flatMap { tree -> [NameSyntax] in
      let models = tree.models + tree.structs + tree.unions
      return models.map(\.name) + tree.enums.map(\.name)
    }
    if let twin = declared.first(where: { $0.text == name.text }) {
      log.bag.error(
        .invalidImport,
        "the target “\(name.text)” declares “\(twin.text)”, which shadows its module's name in Swift: rename one of them",
        at: name.range, notes: [.init(message: "“\(twin.text)” is declared here", range: twin.range)])
    }
  }
}

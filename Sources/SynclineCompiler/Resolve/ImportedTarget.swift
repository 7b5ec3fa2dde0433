/// A target whose schema is imported.
struct ImportedTarget {
  let name: NameSyntax
  let trees: [SyntaxTree]
  /// Whether it is in another package, to which fewer declarations are visible.
  let isOfOtherPackage: Bool

  /// Reports why the importing target's Swift cannot use it: models that are not visible there, or a module
  /// name that cannot be written.
  func check(from access: Schema.Access, _ bag: inout DiagnosticBag) {
    // Errors in its settings are reported in that target.
    var foreign = DiagnosticBag()
    let own = SettingsResolver.settings(of: trees, &foreign).access
    let needed = isOfOtherPackage || access == .public ? [Schema.Access.public] : [.public, .package]
    if !needed.contains(own) {
      let settings = needed.map { "“schema { access: \($0.rawValue) }”" }.joined(separator: " or ")
      bag.error(
        .invalidImport,
        "the models of “\(name.text)” are \(own.rawValue) and not visible here: write \(settings) in one of its schema files",
        at: name.range)
    }
    if TypeNames.ofProtocols.contains(name.text) || NameRule.modelNames.contains(name.text) {
      bag.error(
        .invalidImport, "generated code cannot use a module named “\(name.text)”: rename the target",
        at: name.range)
    }
    let declared = trees.flatMap { tree -> [NameSyntax] in
      let models = tree.models + tree.structs + tree.unions
      return models.map(\.name) + tree.enums.map(\.name)
    }
    if let twin = declared.first(where: { $0.text == name.text }) {
      bag.error(
        .invalidImport,
        "the target “\(name.text)” declares “\(twin.text)”, which shadows its module's name in Swift: rename one of them",
        at: name.range, notes: [.init(message: "“\(twin.text)” is declared here", range: twin.range)])
    }
  }
}

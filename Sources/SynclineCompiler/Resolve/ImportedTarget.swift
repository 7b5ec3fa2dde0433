/// A target whose schema is imported.
struct ImportedTarget {
  let name: NameSyntax
  let trees: [SyntaxTree]
  /// Whether it is of another package, which sees less of it.
  let isOfOtherPackage: Bool

  /// Reports what keeps the Swift of an importing target from using it: models that it does not see, and a module that
  /// cannot be named.
  func check(from access: Schema.Access, _ bag: inout DiagnosticBag) {
    // What is wrong with its settings is reported there.
    var foreign = DiagnosticBag()
    let own = SettingsResolver.settings(of: trees, &foreign).access
    let needed = isOfOtherPackage || access == .public ? [Schema.Access.public] : [.public, .package]
    if !needed.contains(own) {
      let settings = needed.map { "“schema { access: \($0.rawValue) }”" }.joined(separator: " or ")
      bag.error(
        .invalidImport,
        "the models of “\(name.text)” are \(own.rawValue), and not seen here: write \(settings) in a schema file of it",
        at: name.range)
    }
    let declared = trees.flatMap { tree in
      (tree.models + tree.structs + tree.unions).map(\.name) + tree.enums.map(\.name)
    }
    if let twin = declared.first(where: { $0.text == name.text }) {
      bag.error(
        .invalidImport,
        "“\(name.text)” declares “\(twin.text)”, so that Swift cannot name what else is in its module: rename one of them",
        at: name.range, notes: [.init(message: "“\(twin.text)” is declared here", range: twin.range)])
    }
  }
}

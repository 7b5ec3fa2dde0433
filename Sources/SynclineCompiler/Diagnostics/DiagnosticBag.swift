import SynclineNaming

/// The diagnostics of a stage, in the order in which they were found.
///
/// Its methods are not inlined into their hundreds of callers, because every user of the plugin compiles this code.
struct DiagnosticBag: Sendable {
  private(set) var diagnostics: [Diagnostic] = []

  @inline(never)
  mutating func error(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [Diagnostic.Note] = [],
    fixIts: [Diagnostic.FixIt] = []
  ) {
    add(
      Diagnostic(code: code, severity: .error, message: message, range: range, notes: notes, fixIts: fixIts))
  }

  @inline(never)
  mutating func warning(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, fixIts: [Diagnostic.FixIt] = []
  ) {
    add(Diagnostic(code: code, severity: .warning, message: message, range: range, fixIts: fixIts))
  }

  @inline(never)
  mutating func add(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  mutating func add(_ bag: DiagnosticBag) { diagnostics += bag.diagnostics }

  /// Reports that a model has no property with the name.
  mutating func reportUnknownProperty(_ name: Located<String>, of model: Model) {
    // A search compares the name with all others, so only the diagnostics that are printed have suggestions.
    let meant =
      diagnostics.count < DiagnosticRenderer.limit
      ? Vocabulary(model.properties.map(\.name)).nearest(to: name.value) : nil
    error(
      .unknownKeyPath,
      "“\(model.name)” has no property “\(name.value)”\(meant.map { "; did you mean “\($0)”?" } ?? "")",
      at: name.range, fixIts: meant.map { [.write($0, for: name.range)] } ?? [])
  }

  /// Among the diagnostics after the first `count`, keeps the first one and unexpected characters with a
  /// fix-it. Drops the others, which may follow from the first.
  mutating func keepFirst(from count: Int) {
    guard diagnostics.count > count + 1 else { return }
    let rest = diagnostics[(count + 1)...].filter { !$0.fixIts.isEmpty && $0.code == .unexpectedCharacter }
    diagnostics.replaceSubrange((count + 1)..., with: rest)
  }
}

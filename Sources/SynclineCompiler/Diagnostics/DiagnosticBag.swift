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

  /// Among the diagnostics after the first `count`, keeps the first one and unexpected characters with a
  /// fix-it. Drops the others, which may follow from the first.
  mutating func keepFirst(from count: Int) {
    guard diagnostics.count > count + 1 else { return }
    let rest = diagnostics[(count + 1)...].filter { !$0.fixIts.isEmpty && $0.code == .unexpectedCharacter }
    diagnostics.replaceSubrange((count + 1)..., with: rest)
  }
}

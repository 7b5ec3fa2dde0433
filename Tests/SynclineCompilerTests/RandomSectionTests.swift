import SynclineTooling
import TestRuns
import Testing

@testable import SynclineCompiler

/// However a file is edited, its sections say what the whole file says.
@Suite(.enabled(if: TestKind.random.runs)) struct RandomSectionTests {
  private static let text = """
    schema { access: public }

    /// A task.
    @Index(\\.title)
    model Task {
      id: Int
      title: String  // the title
      state: State = .open
      @Relationship(inverse: \\Tag.tasks) tags: [Tag]
      home: Address?
      item: Item?
    }

    model Tag { id: Int; tasks: [Task] }
    enum State: String {
      case open
      case done = "d"
    }
    struct Address { city: String }
    union Item on "type" { case tag: Tag; case task: Task = "t" }
    @UpdatedAt(\\.at)
    model Note {
      id: Int
      at: Date
    }

    """

  private func lines(_ analysis: Analysis, _ offsets: (SourceRange) -> Range<Int>?) -> [String] {
    analysis.diagnostics.map { diagnostic in
      let notes = diagnostic.notes.map { "\($0.message) \(String(describing: offsets($0.range)))" }
      let fixIts = diagnostic.fixIts.map { "\($0.replacement) \(String(describing: offsets($0.range)))" }
      let start = offsets(diagnostic.range)?.lowerBound ?? -1
      // As many digits each, to be sorted by them.
      return "\(1_000_000 + start) \(String(describing: offsets(diagnostic.range))) \(diagnostic.code) "
        + "\(diagnostic.message) \(notes) \(fixIts)"
    }.sorted()
  }

  @Test(arguments: Soak.seeds(52_000, count: 100))
  func sectionsGiveTheDiagnosticsOfTheWholeFile(seed: Int) {
    var mutation = Mutation(generator: SeededGenerator(seed: UInt64(seed)))
    var file = EditedFile(path: "Schema.syncline", text: RandomSectionTests.text)
    var memory = AnalysisMemory()
    for step in 1...60 {
      let text = step.isMultiple(of: 6) ? RandomSectionTests.text : mutation.mutated(file.text)
      file.replace(with: text)
      #expect(file.text.utf8.elementsEqual(text.utf8))
      if step.isMultiple(of: 3) { continue }
      file.settle()
      let known = CompilerPipeline.analyse(
        target: "App", files: file.sections.map(\.file), modules: [:], otherPackages: [], &memory)
      let whole = SourceFile(path: "Schema.syncline", text: text)
      let fresh = CompilerPipeline.analyse(CompilerInput(target: "App", files: [whole]))
      let shown = Comment(rawValue: text.debugDescription)
      let found = lines(known) { file.offsets(of: $0) }
      let expected = lines(fresh) { $0.offsets }
      #expect(found == expected, shown)
      #expect(known.schema == nil || fresh.schema != nil, shown)
      #expect(
        file.sections.map { $0.file.tree.text }.joined().utf8.elementsEqual(text.utf8))
    }
  }
}

import TestRuns
import Testing

@testable import SynclineCompiler
@testable import SynclineTooling

/// What is remembered from one analysis to the next changes nothing that is found.
@Suite struct AnalysisMemoryTests {
  @Test(.enabled(if: TestKind.long.runs)) func copyOfPropertyHasAllItsFields() {
    checkCopies(of: { ($0.models + $0.structs).flatMap(\.properties) }, { $0.copy() })
  }

  @Test(.enabled(if: TestKind.long.runs)) func copyOfModelHasAllItsFields() {
    checkCopies(of: { $0.models + $0.structs + $0.imported }, { $0.copy() })
  }

  /// Compares all parts of all fixtures with their copies.
  private func checkCopies<Part>(of parts: (Schema) -> [Part], _ copy: (Part) -> Part) {
    func fields(of part: Part) -> [(name: String, text: String)] {
      Mirror(reflecting: part).children.map { ($0.label ?? "", "\($0.value)") }
    }
    var names: [String] = []
    var written: Set<String> = []
    var count = 0
    for fixture in Fixture.all {
      let draft = CompilerPipeline.analyse(
        CompilerInput(target: Fixture.target, files: fixture.files, modules: fixture.modules)
      ).draft
      for part in parts(draft) {
        let (own, copied) = (fields(of: part), fields(of: copy(part)))
        names = own.map(\.name)
        #expect(names == copied.map(\.name))
        // Sets and dictionaries are printed in any order.
        for (field, copy) in zip(own, copied) {
          #expect(field.text.sorted() == copy.text.sorted(), "\(field)")
          if !["nil", "[]", "[:]", "false", "objects"].contains(field.text) { written.insert(field.name) }
        }
        count += 1
      }
    }
    #expect(count > 100)
    // Each field is one that a copy could have missed.
    #expect(names.filter { !written.contains($0) } == [])
  }

  /// The texts of a target, one of which is another one each time.
  @Test func analysisWithMemoryEqualsFreshAnalysis() {
    let files = [
      "A": [
        "model A { id: Int; b: B?; s: State = .open; h: Home? }", "model A { id: Int; b: C? }", "model A {",
      ],
      "B": [
        "model B { id: Int; as: [A] }", "model C { id: Int; as: [A] }", "struct B { x: Int }",
        "model b { id: Int }", "",
      ],
      "C": [
        "enum State { case open }", "enum State { case done }",
        "\n\nenum State { case open }\nstruct Home { x: Int }",
        "struct Home { x: Int; x: Int }",
      ],
    ]
    var memory = AnalysisMemory()
    var parsed: [String: ParsedFile] = [:]
    for (name, texts) in files { parsed[name] = ParsedFile(SourceFile(path: name, text: texts[0])) }
    var count = 0
    for round in 0..<60 {
      let name = ["A", "B", "C"][(round * 7) % 3]
      let texts = files[name] ?? []
      parsed[name] = ParsedFile(SourceFile(path: name, text: texts[(round * 5) % texts.count]))
      let all = parsed.keys.sorted().compactMap { parsed[$0] }
      let known = CompilerPipeline.analyse(
        target: "App", files: all, modules: [:], otherPackages: [], &memory)
      let fresh = CompilerPipeline.analyse(CompilerInput(target: "App", files: all.map(\.source)))
      #expect(known.diagnostics == fresh.diagnostics)
      #expect(known.symbols == fresh.symbols)
      #expect(
        known.schema.map { CompilerPipeline.emit($0).map(\.text) }
          == fresh.schema.map { CompilerPipeline.emit($0).map(\.text) })
      count += fresh.diagnostics.count
    }
    #expect(count > 20)
  }

  @Test func declarationThatHidesATypeOfAnImportedUnionResolvesItsUsers() {
    let shared = ParsedFile(
      SourceFile(
        path: "Shared",
        text: """
          schema { access: public }
          union FeedItem on "type" { case post: Post }
          model Post { id: Int }
          """))
    let page = ParsedFile(
      SourceFile(path: "A", text: "import Shared\nmodel Page { id: Int; items: [FeedItem] }"))
    var memory = AnalysisMemory()
    var codes: [[DiagnosticCode]] = []
    for text in ["", "struct Post { x: Int }", "struct Other { x: Int }"] {
      let files = [page, ParsedFile(SourceFile(path: "B", text: text))]
      let known = CompilerPipeline.analyse(
        target: "App", files: files, modules: ["Shared": [shared]], otherPackages: [], &memory)
      codes.append(known.diagnostics.map(\.code))
    }
    #expect(codes == [[], [.unknownType], []])
  }
}

import Foundation
@testable import SynclineCompiler
import SynclineNaming
@testable import SynclineTooling
import Testing

@Suite struct AnalysisTests {
  private func analyse(_ files: (path: String, text: String)..., modules: [String: String] = [:]) -> Analysis
  {
    CompilerPipeline.analyse(
      CompilerInput(
        target: "Sample", files: files.map { SourceFile(path: $0.path, text: $0.text) },
        modules: modules.reduce(into: [:]) { result, module in
          result[module.key] = [SourceFile(path: "Modules/\(module.key).syncline", text: module.value)]
        }))
  }

  /// Each place of a symbol as `path:line:column`, its declaration first.
  private func places(_ symbol: Symbol?) -> [String] {
    guard let symbol else { return [] }
    return ((symbol.declaration.map { [$0] } ?? []) + symbol.references).map {
      "\($0.file.path):\($0.start.line):\($0.start.column)"
    }
  }

  private static let task = """
    import Base
    @UpdatedAt(\\.updatedAt) @Index(\\Task.updatedAt, \\.state)
    model Task {
      id: Int
      updatedAt: Date?
      state: State = .open
      states: [State] = [.open, .done]
      @Relationship(inverse: \\Tag.tasks) tags: [Tag]
      owner: User?
    }
    enum State: String { case open, done }
    """
  private static let tag = "model Tag {\n  id: Int\n  tasks: [Task]\n}"

  private var analysis: Analysis {
    analyse(
      ("Task.syncline", AnalysisTests.task), ("Tag.syncline", AnalysisTests.tag),
      modules: ["Base": "model User {\n  id: Int\n}\nschema { access: public }"])
  }

  @Test func symbolsListDeclarationAndAllReferences() {
    let analysis = analysis
    func find(_ kind: Symbol.Kind, _ name: String, in container: String? = nil) -> Symbol? {
      analysis.symbols.first { $0.kind == kind && $0.name == name && $0.container == container }
    }
    #expect(analysis.diagnostics.isEmpty)
    #expect(
      places(find(.model, "Task")) == ["Task.syncline:3:7", "Tag.syncline:3:11", "Task.syncline:2:33"])
    #expect(places(find(.model, "Tag")) == ["Tag.syncline:1:7", "Task.syncline:8:27", "Task.syncline:8:45"])
    #expect(
      places(find(.property, "updatedAt", in: "Task")) == [
        "Task.syncline:5:3", "Task.syncline:2:14", "Task.syncline:2:38",
      ])
    #expect(places(find(.property, "tasks", in: "Tag")) == ["Tag.syncline:3:3", "Task.syncline:8:31"])
    #expect(
      places(find(.enumeration, "State")) == [
        "Task.syncline:11:6", "Task.syncline:6:10", "Task.syncline:7:12",
      ])
    #expect(
      places(find(.enumCase, "open", in: "State")) == [
        "Task.syncline:11:27", "Task.syncline:6:19", "Task.syncline:7:23",
      ])
    #expect(places(find(.module, "Base")) == ["Task.syncline:1:8"])
    #expect(places(find(.model, "User")) == ["Modules/Base.syncline:1:7", "Task.syncline:9:10"])
    #expect(find(.model, "User")?.module == "Base")
  }

  @Test func everySymbolRangeContainsItsName() {
    for fixture in Fixture.all {
      let input = CompilerInput(target: Fixture.target, files: fixture.files, modules: fixture.modules)
      for symbol in CompilerPipeline.analyse(input).symbols {
        for range in symbol.references + (symbol.declaration.map { [$0] } ?? []) {
          let name = Lexer.name(range.text.filter { $0 != "`" })
          // A target's name stands for that of its module.
          #expect(
            (symbol.kind == .module ? ModuleName.of(target: name) : name) == symbol.name, "\(fixture.name)")
        }
      }
    }
  }

  @Test func symbolAtOffsetIsFound() throws {
    let analysis = analysis
    let file = try #require(analysis.trees.last?.file)
    let place = try #require(AnalysisTests.task.range(of: "tasks)"))
    let offset = AnalysisTests.task.utf8.distance(from: AnalysisTests.task.startIndex, to: place.lowerBound)
    func name(at offset: Int) -> String? {
      analysis.symbols.first { $0.place(at: offset, in: file) != nil }?.name
    }
    #expect(name(at: offset) == "tasks")
    #expect(name(at: offset - 1) != "tasks")
  }

  /// A quotation mark and an accent behind it are one character.
  @Test func stringCanBeginWithCombiningAccent() throws {
    let analysis = analyse(("A.syncline", "model A {\n  id: Int\n  text: String = \"\u{301}a\\n\"\n}"))
    let schema = try #require(analysis.schema)
    #expect(schema.model("A")?.property("text")?.defaultValue == .text("\u{301}a\n"))
  }

  @Test func aTypeNameThatIsASingularAndAPluralIsReportedOnce() {
    let text = "model Series { id: Int }\n@TypeName(\"series\") model Show { id: Int }"
    #expect(analyse(("A.syncline", text)).diagnostics.map(\.code) == [.invalidModelAttribute])
  }

  /// Swift warns of an integer literal that the type rounds.
  @Test func wholeNumberThatTheTypeRoundsIsAFloatLiteral() throws {
    let text = "model A { id: Int; a: Float = -16777217; b: [Double] = [9007199254740993, 3] }"
    let schema = try #require(analyse(("A.syncline", text)).schema)
    let swift = CompilerPipeline.emit(schema).map(\.text).joined()
    #expect(swift.contains("Swift.Float = -16777217.0"))
    #expect(swift.contains("[9007199254740993.0, 3]"))
  }

  @Test func modelWithUnionCalledIDIsNotIdentifiable() throws {
    let text = """
      union Item on "type" { case post: Post }
      model Post { id: Int }
      model Note { @PrimaryKey key: Int; id: Item? }
      """
    let schema = try #require(analyse(("A.syncline", text)).schema)
    let swift = CompilerPipeline.emit(schema).map(\.text).joined()
    #expect(swift.contains("nonisolated struct Post: Swift.Sendable, Swift.Equatable, Swift.Identifiable {"))
    #expect(swift.contains("nonisolated struct Note: Swift.Sendable, Swift.Equatable {"))
  }

  @Test func schemaExistsOnlyWithoutErrors() {
    #expect(analyse(("A.syncline", "model A {\n  id: Int\n}")).schema != nil)
    #expect(analyse(("A.syncline", "model A {\n  id: Int\n  description: String\n}")).schema != nil)
    #expect(analyse(("A.syncline", "model A {\n  id: Sting\n}")).schema == nil)
  }

  @Test func analysingFindsCollidingFiles() {
    let analysis = analyse(("a/B.syncline", "model A { id: Int }"), ("a_b.syncline", "model B { id: Int }"))
    #expect(analysis.diagnostics.map(\.code) == [.collidingFiles])
  }

  @Test func generatedFileNameContainsRelativePath() {
    #expect(GeneratedFile.name(forSchema: "Task.syncline") == "Task.syncline.swift")
    #expect(GeneratedFile.name(forSchema: "Models/Task.syncline") == "Models_Task.syncline.swift")
    #expect(GeneratedFile.name(forSchema: "it's \"a\\b\"\t.syncline") == "it's _a_b__.syncline.swift")
    #expect(GeneratedFile.indexName(forTarget: "Tracker") == "TrackerSchema.syncline.swift")
  }
}

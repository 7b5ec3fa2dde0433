@testable import SynclineCompiler
import SynclineTooling
import TestRuns
import Testing

@Suite(.serialized, .enabled(if: TestKind.long.runs))
struct SpeedTests {
  /// Models in a chain, with scalars, an enum and relationships.
  private func schema(models: Int, properties: Int, type: (Int) -> String) -> SourceFile {
    var text = "enum State: String {\n  case open, done\n}\n"
    for model in 0..<models {
      text += "\nmodel Model\(model) {\n  id: Int\n"
      for property in 1..<properties { text += "  property\(property): \(type(property))\n" }
      text += "  next: Model\((model + 1) % models)?\n  others: [Model\((model + 2) % models)]\n}\n"
    }
    return SourceFile(path: "Schema.syncline", text: text)
  }

  private func compile(_ file: SourceFile) -> (output: CompilerOutput, time: Duration) {
    var output = CompilerOutput(files: [], diagnostics: [])
    let time = ContinuousClock().measure {
      output = CompilerPipeline.compile(CompilerInput(target: "Sample", files: [file]))
    }
    return (output, time)
  }

  @Test func aLargeSchemaCompiles() {
    let types = ["String", "Int?", "Date", "State = .open", "[String]"]
    for count in [125, 250, 500] {
      let (output, time) = compile(schema(models: count, properties: 8) { types[$0 % types.count] })
      #expect(output.diagnostics.isEmpty)
      print("\(count) models of 10 properties: \(time)")
    }
  }

  /// Twice the structs take twice as long.
  @Test func manyStructsCompile() {
    for count in [500, 1_000, 2_000] {
      let text = (0..<count).map { "struct S\($0) {\n  a: String\n  b: Int?\n  c: S\($0 / 2)?\n}\n" }.joined()
      let (output, time) = compile(SourceFile(path: "Schema.syncline", text: text))
      #expect(output.diagnostics.isEmpty)
      print("\(count) structs: \(time)")
    }
  }

  /// Twice the declarations take twice as long.
  @Test func aLongFileIsFormatted() {
    for count in [5_000, 10_000, 20_000] {
      let text = (0..<count).map { "model M\($0) {\n  id: Int\n}\n" }.joined()
      var formatted: String?
      let time = ContinuousClock().measure {
        formatted = ParsedFile(SourceFile(path: "Schema.syncline", text: text)).formatted
      }
      #expect(formatted == text.replacing("}\nmodel", with: "}\n\nmodel"))
      print("\(count) declarations formatted: \(time)")
    }
  }

  private func expectAnalysis(of name: String, counts: [Int], _ text: (Int) -> String) {
    for count in counts {
      let (output, time) = compile(SourceFile(path: "Schema.syncline", text: text(count)))
      #expect(output.diagnostics.isEmpty)
      print("\(count) \(name): \(time)")
    }
  }

  /// Each model requires the next one.
  @Test func manyOfflineModelsCompile() {
    expectAnalysis(of: "models that require the next one", counts: [150, 1_500]) { count in
      let models = (0..<count).map {
        "@Offline\nmodel M\($0) {\n  id: Int\n  @Relationship(inverse: nil) next: M\($0 + 1)\n}\n"
      }
      return models.joined() + "@Offline\nmodel M\(count) { id: Int }\n"
    }
  }

  /// All models are read from one object.
  @Test func aLongChainOfModelsInOneObjectCompiles() {
    expectAnalysis(of: "models in one object", counts: [50, 500]) { count in
      let models = (0..<count).map {
        """
        model M\($0) {
          @PrimaryKey(remote: "id\($0)") id: Int
          @RemoteKey(".") @Relationship(inverse: nil) next: M\($0 + 1)?
        }

        """
      }
      return models.joined() + "model M\(count) { @PrimaryKey(remote: \"id\(count)\") id: Int }\n"
    }
  }

  @Test func manyNullWordsCompile() {
    expectAnalysis(of: "words of @Null", counts: [500, 5_000]) { count in
      let words = (0..<count).map { "\"w\($0)\"" }.joined(separator: ", ")
      return "model M {\n  id: Int\n  @Null(\(words)) name: String?\n}\n"
    }
  }

  @Test func aFileOf500ModelsIsEdited() {
    let types = ["String", "Int?", "Date", "State = .open", "[String]"]
    let source = schema(models: 500, properties: 8) { types[$0 % types.count] }
    var file = EditedFile(path: source.path, text: source.text)
    var memory = AnalysisMemory()
    func analyse() -> Analysis {
      file.settle()
      return CompilerPipeline.analyse(
        target: "Sample", files: file.sections.map(\.file), modules: [:], otherPackages: [], &memory)
    }
    #expect(analyse().diagnostics.isEmpty)
    var times: [Duration] = []
    for edit in 0..<100 {
      // In the name of a property of another model each time.
      let offset = file.offset(line: 6 + 13 * (edit * 37 % 500), utf16Column: 4)
      times.append(
        ContinuousClock().measure {
          file.replace(offset..<offset, with: "x")
          #expect(analyse().diagnostics.isEmpty)
        })
    }
    times.sort()
    print("An edit of a file of 500 models: \(times[50]), 95 %: \(times[95])")
    let queued = ContinuousClock().measure {
      for edit in 0..<10_000 {
        let offset = file.offset(line: 6 + 13 * (edit % 500), utf16Column: 4)
        file.replace(offset..<offset, with: "x")
      }
      #expect(analyse().diagnostics.isEmpty)
    }
    print("10,000 edits that wait: \(queued)")
  }

  @Test func tooWideModelsAreReported() {
    let (output, time) = compile(schema(models: 3, properties: 1000) { _ in "String" })
    #expect(output.diagnostics.map(\.code) == [.tooManyColumns, .tooManyColumns, .tooManyColumns])
    print("3 models of 1000 properties: \(time)")
  }

  /// Each of the names is almost that of a model.
  @Test func manyAlmostKnownTypesAreReported() {
    let text = (0..<500).map {
      "model CustomerRecord\($0) {\n  id: Int\n  next: CustomerRecord\($0)Model?\n}\n"
    }
    let (output, time) = compile(SourceFile(path: "Schema.syncline", text: text.joined()))
    #expect(output.diagnostics.count == 500)
    #expect(output.diagnostics.count { $0.message.contains("did you mean") } <= DiagnosticRenderer.limit)
    print("500 unknown types that resemble models: \(time)")
  }

  /// The diagnostics that are not printed have no suggestions.
  @Test func manyAlmostKnownPropertiesAreReported() {
    let indexes = (0..<300).map { "@Index(\\.titleOfBook\($0))\n" }.joined()
    let (output, _) = compile(
      SourceFile(path: "Schema.syncline", text: indexes + "model M {\n  id: Int\n  titleOfBook: String\n}\n"))
    #expect(output.diagnostics.count == 300)
    #expect(
      output.diagnostics.count { $0.message.contains("did you mean") } == DiagnosticRenderer.limit)
  }

  @Test func manyUnknownTypesAreReported() {
    let (output, time) = compile(schema(models: 500, properties: 10) { "Modle\($0)" })
    #expect(output.diagnostics.count == 4500)
    print("4500 unknown types among 500 models: \(time)")
  }
}

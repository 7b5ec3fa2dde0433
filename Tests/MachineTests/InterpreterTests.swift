import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import TestSupport
import Testing

/// A schema that is run without generating Swift does with every payload what its generated Swift does: the same rows,
/// the same report or error, the same export, to the byte.
@Suite(.enabled(if: TestKind.random.runs))
struct InterpreterTests {
  @Test func consistentPayloadsSyncLikeGeneratedCode() async throws {
    try await compare(Soak.seeds(8_000_000, count: 12), steps: 12) { $0 }
  }

  @Test func mutatedPayloadsSyncLikeGeneratedCode() async throws {
    try await compare(Soak.seeds(9_000_000, count: 24), steps: 12) { call in
      guard case .json(let json) = call.payload else { return call }
      var call = call
      var mutation = Mutation(random: SeededGenerator(seed: json.description.utf8.count))
      call.payload = .json(mutation.mutated(json))
      return call
    }
  }

  private func compare(_ seeds: Range<Int>, steps: Int, _ change: (Call) throws -> Call) async throws {
    let interpreted = try InterpreterTests.schema()
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      let configuration = SyncConfiguration(invalidRows: random.chance(50) ? .skip : .fail)
      let generated = try SyncContainer(for: MachineTestsSchema.self, configuration: configuration)
      let other = try SyncContainer(
        models: interpreted.models, isWhole: true, storage: .inMemory, configuration: configuration,
        recoverOnFailure: false)
      var world = World(using: &random)
      for _ in 0..<steps {
        if random.chance(30) { world.evolve(using: &random) }
        var call = Call(from: world, using: &random)
        if case .children = call.form { call.form = .collection(nil) }
        call.childPolicy = nil
        call = try change(call)
        let expected = await Result(of: call, MachineTestsSchema.models, on: generated)
        let result = await Result(of: call, interpreted.models, on: other)
        #expect(result.report == expected.report, "seed \(seed): \(call)")
        #expect(
          try StoreDump(other, unifyingMarks: true) == StoreDump(generated, unifyingMarks: true),
          "seed \(seed): \(call)")
        #expect(result.export == expected.export, "seed \(seed): \(call)")
        guard result == expected else { return }
      }
    }
  }

  /// What a call led to, as text.
  private struct Result: Equatable {
    let report: String
    let export: String
    private(set) var unreadKeys: SyncUnreadKeys?

    init(of call: Call, _ models: [any SyncUpdatableModel.Type], on store: SyncContainer) async {
      guard let model = models.first(where: { $0.syncTable.name == call.model }) else {
        (report, export) = ("no model", "")
        return
      }
      do {
        let report = try await call.runPlain(model, on: store)
        // How long it took is not the same.
        let text = "\(report)".replacing(/(?m)^[0-9.]+ (µs|ms|s)/, with: "")
        self.report = "\(text)\n\(report.problems)"
        unreadKeys = report.unreadKeys
      } catch {
        report = "\(error)"
      }
      do {
        // Nor is what a sync took from the clock.
        export = "\(try await Result.export(model, of: store))"
          .replacing(/"20(2[6-9]|[3-9][0-9])-[^"]*"/, with: "marked")
      } catch {
        export = "\(error)"
      }
    }

    private static func export(
      _ model: (some SyncUpdatableModel).Type, of store: SyncContainer
    ) async throws -> [SyncJSON] {
      try await store.export(as: model)
    }
  }

  static func schema() throws -> InterpretedSchema {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Schemas/MachineTests/Machines.syncline")
    let source = SourceFile(path: "Machines.syncline", text: try String(contentsOf: file, encoding: .utf8))
    let analysis = CompilerPipeline.analyse(CompilerInput(target: "MachineTests", files: [source]))
    return InterpretedSchema(try #require(analysis.schema))
  }
}

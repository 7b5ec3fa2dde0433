#if compiler(>=6.3) && !os(iOS)
  import Foundation
  import Syncline
  import TestSupport
  import Testing

  /// A process that is killed within a sync leaves the store as it was, or as the sync makes it; the next sync works.
  @Suite(.enabled(if: TestKind.random.runs))
  struct KillTests {
    @Test func killedSyncsAreAppliedFullyOrNotAtAll() async throws {
      for seed in Soak.seeds(10_000_000, count: 6) {
        let folder = TemporaryFolder()
        let file = try folder.file()
        let calls = Self.calls(seed)
        var random = SeededGenerator(seed: seed)
        for step in calls.indices {
          let statement = Int.random(in: 1...(random.chance(50) ? 10 : 60), using: &random)
          let place = "seed \(seed), step \(step), statement \(statement): \(calls[step])"
          let (before, expected) = try await Self.open(file) { store in
            (
              try StoreDump(store, unifyingMarks: true),
              try await Outcome(of: [calls[step]], on: store.copy())
            )
          }
          await #expect(processExitsWith: .signal(SIGKILL)) {
            [file = file as URL, seed = seed as Int, step = step as Int, statement = statement as Int] in
            try await Self.open(file) { store in
              try store.atStatement(statement) { kill(getpid(), SIGKILL) }
              _ = try? await Self.calls(seed)[step].run(on: store)
            }
            kill(getpid(), SIGKILL)
          }
          try await Self.open(file) { store in
            let checks = try await store.database.read {
              try String.fetchAll($0, sql: "PRAGMA integrity_check")
            }
            #expect(checks == ["ok"], "\(place)")
            let after = try StoreDump(store, unifyingMarks: true)
            #expect(after == before || after == expected.tables, "\(place)")
            // What is kept may let the same call do more, where operations leave something out.
            if after != before { return }
            let outcome = try await Outcome(of: [calls[step]], on: store)
            #expect((outcome.error == nil) == (expected.error == nil), "\(place)")
            #expect(outcome.tables == expected.tables, "\(place)")
          }
        }
      }
    }

    /// Another process makes the same ones.
    private static func calls(_ seed: Int) -> [Call] {
      var random = SeededGenerator(seed: seed)
      var world = World(using: &random)
      return (0..<5).map { _ in
        world.evolve(using: &random)
        return Call(from: world, using: &random)
      }
    }

    /// The store in a file, closed when the body ends.
    private static func open<Result>(
      _ file: URL, _ body: (SyncContainer) async throws -> Result
    ) async throws -> Result {
      let store = try SyncContainer(for: MachineTestsSchema.self, storage: .file(file))
      let result = try await body(store)
      try store.database.close()
      return result
    }
  }
#endif

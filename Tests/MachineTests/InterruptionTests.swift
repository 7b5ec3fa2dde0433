import Foundation
import Syncline
import TestSupport
import Testing

/// A sync that is cancelled or interrupted, at any of its statements, keeps nothing, and the next one works.
@Suite(.enabled(if: TestKind.random.runs))
struct InterruptionTests {
  @Test func cancelledSyncsAreRolledBack() async throws {
    try await run("cancelledSyncsAreRolledBack", Soak.seeds(6_000_000, count: 4), steps: 25) {
      call, store, statement in
      // The task waits until the trigger, which knows it, is set.
      let (gate, opening) = AsyncStream.makeStream(of: Void.self)
      let task = _Concurrency.Task { () async throws -> Void in
        for await _ in gate { break }
        try await call.run(on: store)
      }
      try store.atStatement(statement) { task.cancel() }
      opening.yield()
      try await task.value
    } isExpected: {
      $0 as? SyncError == .cancelled
    }
  }

  @Test func interruptedSyncsAreRolledBack() async throws {
    try await run("interruptedSyncsAreRolledBack", Soak.seeds(7_000_000, count: 4), steps: 25) {
      call, store, statement in
      try store.atStatement(statement) { store.database.interrupt() }
      try await call.run(on: store)
    } isExpected: {
      $0 as? SyncError == .cancelled
    }
  }

  /// Runs calls on one store, each stopped at some statement, and once more where that was before its end. Then the
  /// store is what a copy of it is that was never stopped.
  private func run(
    _ name: String, _ seeds: Range<Int>, steps: Int,
    stopped: (Call, SyncContainer, Int) async throws -> Void, isExpected: (any Error) -> Bool
  ) async throws {
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      let trail = Trail(name, seed: seed)
      let folder = TemporaryFolder()
      let store = try MachineTestsSchema.makeStore(in: folder)
      var world = World(using: &random)
      for step in 0..<steps {
        if random.chance(50) { world.evolve(using: &random) }
        let call = Call(from: world, using: &random)
        let statement = Int.random(in: 1...(random.chance(50) ? 20 : 200), using: &random)
        let place = "seed \(seed), step \(step), statement \(statement): \(call)"
        trail.write(place)
        let before = try StoreDump(store, unifyingMarks: true)
        let expected = try await Outcome(of: [call], on: store.copy())
        do {
          try await stopped(call, store, statement)
          #expect(expected.error == nil, "\(place)")
        } catch {
          if expected.error == nil { #expect(isExpected(error), "\(error), \(place)") }
          #expect(try StoreDump(store, unifyingMarks: true) == before, "\(place)")
          try store.atStatement(0) {}
          let outcome = try await Outcome(of: [call], on: store)
          #expect((outcome.error == nil) == (expected.error == nil), "\(place)")
        }
        #expect(try StoreDump(store, unifyingMarks: true) == expected.tables, "\(place)")
      }
      trail.end()
    }
  }
}

extension SyncContainer {
  /// Does something when the writer starts its n-th statement from now; never for 0.
  func atStatement(_ number: Int, _ action: @escaping @Sendable () -> Void) throws {
    let countdown = Countdown(number)
    database.writeWithoutTransaction { database in
      database.trace { _ in if countdown.isDone() { action() } }
    }
  }
}

/// Counts down once.
private final class Countdown: @unchecked Sendable {
  private let lock = NSLock()
  private var count: Int

  init(_ count: Int) { self.count = count }

  func isDone() -> Bool {
    lock.withLock {
      count -= 1
      return count == 0
    }
  }
}

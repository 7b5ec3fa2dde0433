import Syncline
import TestSupport
import Testing

/// Payloads that contradict themselves, their model or JSON, over stores that hold anything: no call traps, an error
/// changes nothing, what is repeated changes nothing, and a report is what happened.
@Suite(.enabled(if: TestKind.random.runs))
struct MutationTests {
  @Test func consistentPayloadsPassAllRules() async throws {
    var machine = Machine("consistentPayloadsPassAllRules")
    try await machine.run(Soak.seeds(0, count: 20), steps: 15)
  }

  @Test func structurallyMutatedPayloadsPassAllRules() async throws {
    var machine = Machine("structurallyMutatedPayloadsPassAllRules")
    try await machine.run(Soak.seeds(1_000_000, count: 30), steps: 20) { call, random in
      guard case .json(let json) = call.payload else { return }
      var mutation = Mutation(random: random.fork())
      call.payload = .json(mutation.mutated(json))
    }
  }

  @Test func byteMutatedPayloadsPassAllRules() async throws {
    var machine = Machine("byteMutatedPayloadsPassAllRules")
    try await machine.run(Soak.seeds(2_000_000, count: 16), steps: 20) { call, random in
      guard case .json(let json) = call.payload else { return }
      var mutation = Mutation(random: random.fork())
      call.payload = .bytes(mutation.mutated(Array(try json.data())))
    }
  }
}

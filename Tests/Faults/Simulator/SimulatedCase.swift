import Foundation
import Syncline
import TestSupport

/// A seed and the steps of it that are played, some of them with other payloads: the contents of the file of a recorded case.
///
///     {"seed": 7, "schemas": "9c0f…", "steps": [0, 4, {"index": 9, "payloads": [[]]}]}
///
/// A case whose failure is not fixed yet contains the reason: `"known": "what is wrong"`.
struct SimulatedCase: Sendable {
  struct Step: Sendable {
    let index: Int
    /// The payloads that replace those of the seed; nil if they are not replaced.
    var payloads: [SyncJSON]?
  }

  let seed: Int
  var steps: [Step]
  /// The problem, if the case is known to fail.
  private(set) var known: String?

  init(seed: Int, steps: [Step]) {
    self.seed = seed
    self.steps = steps
  }

  init(seed: Int, stepCount: Int) {
    self.init(seed: seed, steps: (0..<stepCount).map { Step(index: $0) })
  }

  /// - Throws: an error if the seed now results in other schemas than when the case was recorded, because it would test something
  ///   else.
  init(parsing data: Data) throws {
    let json = try SyncJSON(parsing: data)
    guard let seed = json["seed"]?.int, let schemas = json["schemas"]?.string,
      let steps = json["steps"]?.array
    else { throw SimulationError(description: "this is not a case: \(json)") }
    self.init(
      seed: seed,
      steps: try steps.map { step in
        guard let index = step.int ?? step["index"]?.int else {
          throw SimulationError(description: "this is not a step: \(step)")
        }
        return Step(index: index, payloads: step["payloads"]?.array)
      })
    known = json["known"]?.string
    guard schemas == digestOfSchemas else {
      throw SimulationError(
        description: "seed \(seed) makes other schemas than it did: they have the digest \(digestOfSchemas)")
    }
  }

  /// The case as one line of JSON.
  var json: SyncJSON {
    [
      "seed": .number(seed), "schemas": .string(digestOfSchemas),
      "steps": .array(
        steps.map { step in
          step.payloads.map { ["index": .number(step.index), "payloads": .array($0)] } ?? .number(step.index)
        }),
    ]
  }

  private var digestOfSchemas: String {
    var digest = SimulatedDigest()
    for version in Simulation.versions(of: seed) { digest.add(version.text) }
    return digest.text
  }
}

/// A failure of a case.
struct SimulatedFailure: Sendable {
  let finding: SimulatedFinding
  /// The schema in the step that failed.
  let schema: String
  /// The steps that were played. The last one failed.
  let steps: [SimulatedStep]
}

extension SimulatedFailure: CustomStringConvertible {
  var description: String {
    ([schema] + steps.map(\.description) + ["→ \(finding)"]).joined(separator: "\n")
  }
}

extension SimulatedCase {
  /// Plays the case in an empty folder.
  ///
  /// - Parameters:
  ///   - willPlay: called with each step before it is played.
  ///   - didPlay: called with the index of each step, and a digest of the outcomes of all steps so far.
  /// - Returns: the failure; nil if the case did not fail.
  @MainActor
  func play(
    willPlay: (SimulatedStep) -> Void = { _ in }, didPlay: (Int, String) -> Void = { _, _ in }
  ) async throws -> SimulatedFailure? {
    let folder = try Scratch.make()
    Disk.watch(folder)
    let simulation = try await Simulation(seed: seed, in: folder)
    var played: [SimulatedStep] = []
    do {
      for step in steps {
        var drawn = simulation.step(step.index)
        if let payloads = step.payloads { drawn.payloads = payloads }
        played.append(drawn)
        willPlay(drawn)
        try await simulation.play(drawn)
        didPlay(step.index, simulation.digest.text)
      }
      try await simulation.end()
    } catch {
      Disk.disarm()
      let schema = simulation.versions[simulation.version].text
      // An open store is not closed, because closing may fail as well.
      try Scratch.remove(folder)
      let finding = error as? SimulatedFinding ?? SimulatedFinding(.simulator, "\(type(of: error)): \(error)")
      return SimulatedFailure(finding: finding, schema: schema, steps: played)
    }
    try Scratch.remove(folder)
    return nil
  }
}

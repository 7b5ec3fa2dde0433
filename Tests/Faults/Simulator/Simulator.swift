import Foundation
import Syncline
import TestSupport

/// Runs random calls for random schemas on a store in a file, with faults, kills and cancellations. A store in memory runs the
/// same calls without these. Both stores and their reports must be equal.
///
///     Faults sim --seeds 500 [--first 1] [--steps 25]    plays seeds, in processes of their own
///     Faults sim --seed 7 [--print]                      plays one seed, and makes what it finds small
///     Faults sim --seeds 3 --trace                       prints what each step led to, as a digest
///     Faults sim --cases Tests/FaultTests/Cases          plays the cases that were kept
enum Simulator {
  /// The number of seeds for each process, because composed schemas take memory until the process ends.
  private static let seedsOfProcess = 250

  static func run(arguments: [String]) async throws -> Int32 {
    let options = try Options(
      arguments, names: ["seeds", "first", "steps", "seed", "child", "cases"], flags: ["print", "trace"])
    let steps = try options.number("steps") ?? 25
    let first = try options.number("first") ?? 0
    if let folder = options["cases"] { return try await playCases(in: URL(filePath: folder)) }
    if let seed = try options.number("seed") {
      return try await play(SimulatedCase(seed: seed, stepCount: steps), isPrinted: options.has("print"))
    }
    guard let count = try options.number("seeds") else {
      throw Options.Failure(description: "--seeds or --seed is missing")
    }
    if options.has("trace") { return try await trace(first..<first + count, steps) }
    if let child = try options.number("child") {
      try await playPoints(first + child..<first + count, from: first, steps)
      return 0
    }
    let series = stride(from: 0, to: count, by: seedsOfProcess).map { start in
      [
        "--seeds", "\(min(seedsOfProcess, count - start))", "--first", "\(first + start)", "--steps",
        "\(steps)",
      ]
    }
    return try Points(command: "sim", series: series).run()
  }

  /// Plays seeds in a child process, which also reduces failing cases.
  @MainActor
  private static func playPoints(_ seeds: Range<Int>, from first: Int, _ steps: Int) async throws {
    try Disk.install()
    for seed in seeds {
      PointLines.begin(seed - first, "--seed \(seed) --steps \(steps) --print")
      let failing = SimulatedCase(seed: seed, stepCount: steps)
      guard let failure = try await failing.play() else {
        PointLines.end([])
        continue
      }
      // If the child is silent for longer, the parent assumes that it hangs.
      var shrinking = SimulatedShrinking(failing, failure, patience: .seconds(20))
      _ = try await shrinking.shrunk()
      PointLines.end(["\(shrinking.failure)"])
    }
  }

  /// Plays a case in this process, and prints what it finds.
  @MainActor
  private static func play(_ failing: SimulatedCase, isPrinted: Bool) async throws -> Int32 {
    try Disk.install()
    let schemas = Simulation.versions(of: failing.seed).map(\.text)
    if isPrinted { Console.say(schemas.joined(separator: "\n— evolves to —\n\n")) }
    let failure = try await failing.play(willPlay: { if isPrinted { Console.say("\($0)") } })
    guard let failure else { return 0 }
    Console.say("→ \(failure.finding)")
    var shrinking = SimulatedShrinking(failing, failure, patience: .seconds(120))
    let smallest = try await shrinking.shrunk()
    Console.say("As small as it gets:\n\(shrinking.failure)")
    Console.say("reproduce: Faults sim --seed \(failing.seed) --steps \(failing.steps.count) --print")
    Console.say("keep: \(smallest.json)")
    return 1
  }

  @MainActor
  private static func trace(_ seeds: Range<Int>, _ steps: Int) async throws -> Int32 {
    try Disk.install()
    var status: Int32 = 0
    for seed in seeds {
      let failure = try await SimulatedCase(seed: seed, stepCount: steps).play(didPlay: { index, digest in
        Console.say("\(seed) \(index) \(digest)")
      })
      guard let failure else { continue }
      Console.say("\(failure)")
      status = 1
    }
    return status
  }

  @MainActor
  private static func playCases(in folder: URL) async throws -> Int32 {
    try Disk.install()
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    guard !files.isEmpty else { throw Options.Failure(description: "there are no cases in \(folder.path)") }
    var status: Int32 = 0
    for file in files {
      let kept = try SimulatedCase(parsing: Data(contentsOf: file))
      let outcome: String
      switch (try await kept.play(), kept.known) {
      case (nil, nil): outcome = "ok"
      case (_?, let known?): outcome = "known: \(known)"
      case (let failure?, nil): (outcome, status) = ("WRONG \(failure)", 1)
      case (nil, _?): (outcome, status) = ("WRONG it does not fail any more: remove “known”", 1)
      }
      Console.say("\(file.lastPathComponent): \(outcome)")
    }
    return status
  }
}

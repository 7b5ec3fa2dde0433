import Foundation
import Syncline
import TestSupport
import Testing

/// The last call of a seed, in a file until the seed is done: what trapped is to be read there.
struct Trail {
  static let folder = FileManager.default.temporaryDirectory.appending(path: "syncline-machines")
  private let file: URL
  private let title: String

  init(_ machine: String, seed: Int) {
    file = Trail.folder.appending(path: "\(machine)-\(seed).txt")
    title = "SYNCLINE_SEED=\(seed) swift test --filter \(machine)\n"
  }

  func write(_ text: String) {
    // Another checkout may have removed the folder.
    try? FileManager.default.createDirectory(at: Trail.folder, withIntermediateDirectories: true)
    try? Data((title + text).utf8).write(to: file)
  }
  func end() { try? FileManager.default.removeItem(at: file) }
}

/// Random calls on stores of their own, each call checked. A failure is made smaller and recorded.
struct Machine {
  typealias Check = @Sendable (inout CheckedStore, Call) async throws -> [Failure]

  let name: String
  private let check: Check
  private let keepsSense: Bool
  private var found: [Failure] = []

  /// - Parameters:
  ///   - keepsSense: whether what is checked holds only of payloads that do not contradict themselves.
  ///   - check: makes a call, and finds what it did wrong.
  init(
    _ name: String, keepsSense: Bool = false, check: @escaping Check = { try await $0.failures(of: $1) }
  ) {
    self.name = name
    self.keepsSense = keepsSense
    self.check = check
  }

  /// - Parameter change: what becomes of a call that was made from a state.
  mutating func run(
    _ seeds: Range<Int>, steps: Int, change: (inout Call, inout SeededGenerator) throws -> Void = { _, _ in }
  ) async throws {
    for seed in seeds { try await run(seed, steps, change) }
  }

  private mutating func run(
    _ seed: Int, _ steps: Int, _ change: (inout Call, inout SeededGenerator) throws -> Void
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let invalidRows: SyncConfiguration.InvalidRows = random.chance(30) ? .skip : .fail
    let trail = Trail(name, seed: seed)
    var store = try await CheckedStore(invalidRows, isFile: random.chance(10))
    var world = World(using: &random)
    var calls: [Call] = []
    for _ in 0..<steps {
      if random.chance(30) { world.evolve(using: &random) }
      var call = Call(from: world, using: &random)
      if random.chance(75) { try change(&call, &random) }
      calls.append(call)
      trail.write(call.description)
      for failure in try await check(&store, call) {
        // A cause that comes again and again is understood by its first payloads.
        found.append(failure)
        guard found.count(where: { $0.isLike(failure) }) <= 2 else { continue }
        try await record(failure, calls, seed, invalidRows)
      }
    }
    trail.end()
  }

  private func record(
    _ failure: Failure, _ calls: [Call], _ seed: Int, _ invalidRows: SyncConfiguration.InvalidRows
  ) async throws {
    func failures(of calls: [Call]) async throws -> [Failure] {
      guard let last = calls.last else { return [] }
      var store = try await CheckedStore(invalidRows)
      for call in calls.dropLast() { _ = try? await call.run(on: store.store) }
      try await store.look()
      return try await check(&store, last)
    }
    var shrinking = Shrinking(keepsSense: keepsSense) {
      try await failures(of: $0).contains { $0.isLike(failure) }
    }
    let smaller = try await shrinking.shrunk(calls)
    let details = try await failures(of: smaller).first { $0.isLike(failure) }?.details
    Issue.record(
      """
      \(failure.rule.rawValue) \(failure.place), seed \(seed), invalid rows: \(invalidRows.rawValue)
      \(smaller.map(\.description).joined(separator: "\n"))
      → \(details ?? "not when repeated: \(failure.details)")
      """)
  }
}

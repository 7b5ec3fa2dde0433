import Benchmark
import Foundation
import GRDB

extension BenchmarkMetric {
  static var rowsWritten: BenchmarkMetric { .custom("rows written", useScalingFactor: false) }
  static var logBytes: BenchmarkMetric { .custom("WAL bytes", useScalingFactor: false) }
  /// The time in nanoseconds that the work itself reports, instead of the time of the whole call.
  static var ownTime: BenchmarkMetric { .custom("own time", useScalingFactor: false) }
  static var peakMemory: BenchmarkMetric { .custom("peak memory", useScalingFactor: false) }
}

/// An implementation that runs a workload.
enum Contestant: String {
  case syncline = "Syncline"
  /// The minimum of necessary work: our scan of the bytes, and direct calls of SQLite.
  case floor = "floor"
  /// `JSONDecoder` into `Codable` records of GRDB.
  case handWritten = "hand-written"
  /// `JSONSerialization` and SQL with arguments.
  case manual = "manual GRDB"
  /// All rows are fetched once and compared, and only the differences are written.
  case careful = "careful developer"
  /// SQLite parses the JSON, and a conditional upsert and an anti-join do the rest.
  case expert = "SQL expert"
  /// Syncline with a column for each value.
  case flat = "flat columns"
  /// orjson and sqlite3.
  case python = "Python"
}

/// Registers the work of a contestant for a workload.
///
/// - Parameters:
///   - prepare: creates a new store before each iteration, outside the measured time.
///   - work: the measured work.
func workload(
  _ name: String, _ contestant: Contestant, iterations: Int = 5,
  prepare: @escaping @Sendable () async throws -> Store,
  work: @escaping @Sendable (Store) async throws -> Void
) {
  Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration(iterations)) { benchmark in
    let store = try await prepare()
    try await measure(benchmark, store, work)
  }
}

/// A workload whose iterations share one store. `work` receives the number of the iteration.
///
/// - Parameter countsWork: whether rows, bytes and memory are counted, for which it waits for the writer.
func sharedWorkload(
  _ name: String, _ contestant: Contestant, iterations: Int = 5, countsWork: Bool = true,
  prepare: @escaping @Sendable () async throws -> Store,
  work: @escaping @Sendable (Store, Int) async throws -> Void
) {
  let shared = Shared()
  Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration(iterations)) { benchmark in
    let store = try await shared.store(prepare)
    let iteration = await shared.next()
    guard countsWork else {
      benchmark.startMeasurement()
      try await work(store, iteration)
      return benchmark.stopMeasurement()
    }
    try await measure(benchmark, store) { store in try await work(store, iteration) }
  } teardown: {
    await shared.drop()
  }
}

/// A workload that another process runs and measures.
func foreignWorkload(
  _ name: String, _ contestant: Contestant, iterations: Int,
  prepare: @escaping @Sendable () async throws -> Store,
  work: @escaping @Sendable (Store) async throws -> Int
) {
  var configuration = configuration(iterations)
  configuration.metrics = [.wallClock, .ownTime]
  Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration) { benchmark in
    let store = try await prepare()
    benchmark.startMeasurement()
    let time = try await work(store)
    benchmark.stopMeasurement()
    benchmark.measurement(.ownTime, time)
  }
}

/// A workload in pages. Its whole payload is never in memory.
func pagedWorkload(
  _ name: String, _ contestant: Contestant, iterations: Int,
  prepare: @escaping @Sendable () async throws -> Store,
  work: @escaping @Sendable (Store) async throws -> Void
) {
  Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration(iterations, warmup: 0)) {
    benchmark in
    try await measure(benchmark, try await prepare(), work)
  }
}

/// A workload whose payload is a memory-mapped file, which does not count as memory.
func mappedWorkload(
  _ name: String, _ contestant: Contestant, iterations: Int,
  prepare: @escaping @Sendable () async throws -> Store,
  work: @escaping @Sendable (Store) async throws -> Void
) {
  Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration(iterations, warmup: 0)) {
    benchmark in
    try await measure(benchmark, try await prepare(), countsFiles: false, work)
  }
}

/// A workload that reports when its measured part starts, and the number of resulting rows.
func workloadWithOwnStart(
  _ name: String, _ contestant: Contestant, iterations: Int,
  prepare: @escaping @Sendable () async throws -> Store,
  work: @escaping @Sendable (Store, _ start: () -> Void) async throws -> Void,
  left: @escaping @Sendable (Store) async throws -> Int
) {
  Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration(iterations)) { benchmark in
    let store = try await prepare()
    try await work(store) { benchmark.startMeasurement() }
    benchmark.stopMeasurement()
    benchmark.measurement(.rowsWritten, try await left(store))
  }
}

/// A workload that measures the time from a commit until all followers were notified.
func followingWorkload<Value>(
  _ name: String, _ contestant: Contestant, iterations: Int,
  prepare: @escaping @Sendable () async throws -> Store,
  follow: @escaping @Sendable (Store) async throws -> Updates<Value>,
  write: @escaping @Sendable (Database, Int) throws -> Void
) {
  let shared = Shared()
  let followed = Followed<Value>()
  var configuration = configuration(iterations)
  configuration.metrics.append(.ownTime)
  Benchmark("\(name) · \(contestant.rawValue)", configuration: configuration) { benchmark in
    let store = try await shared.store(prepare)
    let iteration = await shared.next()
    let (updates, commits) = try await followed.updates(of: store, follow)
    let told = updates.told
    benchmark.startMeasurement()
    try await store.database.write { try write($0, iteration) }
    let end = await updates.wait(for: told + 1)
    benchmark.stopMeasurement()
    benchmark.measurement(.ownTime, Int((end - commits.last) / .nanoseconds(1)))
  } teardown: {
    await followed.drop()
    await shared.drop()
  }
}

func configuration(_ iterations: Int, warmup: Int? = nil) -> Benchmark.Configuration {
  Benchmark.Configuration(
    metrics: [.wallClock, .rowsWritten, .logBytes, .peakMemory],
    warmupIterations: warmup ?? (iterations > 20 ? 5 : 1),
    maxDuration: .seconds(120), maxIterations: iterations)
}

private func measure(
  _ benchmark: Benchmark, _ store: Store, countsFiles: Bool = true,
  _ work: @Sendable (Store) async throws -> Void
) async throws {
  try store.emptyLog()
  let changes = store.changedRows()
  Memory.resetPeak()
  // The system records the peak of all memory. The peak without mapped files must be sampled.
  let sampler = countsFiles ? nil : MemorySampler()
  let start = countsFiles ? Memory.total : Memory.withoutFiles
  benchmark.startMeasurement()
  try await work(store)
  benchmark.stopMeasurement()
  let peak = sampler?.finish() ?? Memory.peak
  benchmark.measurement(.rowsWritten, store.changedRows() - changes)
  benchmark.measurement(.logBytes, store.logSize)
  if let start, let peak { benchmark.measurement(.peakMemory, max(0, peak - start)) }
}

/// The followers during the iterations of a workload.
private actor Followed<Value: Sendable> {
  private var current: (Updates<Value>, CommitClock)?

  func updates(
    of store: Store, _ follow: @Sendable (Store) async throws -> Updates<Value>
  ) async throws -> (Updates<Value>, CommitClock) {
    if let current { return current }
    // GRDB calls observers in the order of their registration, so this one must be the first.
    let clock = CommitClock()
    store.database.add(transactionObserver: clock, extent: .databaseLifetime)
    let updates = try await follow(store)
    await updates.wait(for: 1)
    current = (updates, clock)
    return (updates, clock)
  }

  func drop() { current = nil }
}

/// Records the time of the last commit.
private final class CommitClock: TransactionObserver, @unchecked Sendable {
  private let lock = NSLock()
  private var instant = ContinuousClock.now

  var last: ContinuousClock.Instant { lock.withLock { instant } }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidRollback(_ db: Database) {}
  func databaseDidCommit(_ db: Database) { lock.withLock { instant = .now } }
}

/// The store that the iterations of a workload share.
private actor Shared {
  private var current: Store?
  private var iterations = 0

  func store(_ prepare: @Sendable () async throws -> Store) async throws -> Store {
    if let current { return current }
    let store = try await prepare()
    current = store
    return store
  }

  func next() -> Int {
    iterations += 1
    return iterations
  }

  func drop() { current = nil }
}

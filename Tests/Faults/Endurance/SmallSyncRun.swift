import Foundation
import Syncline
import SynclineInterpreter
import TestSupport

/// A long run of small syncs, in stretches. After each stretch the resources of the process are measured. After every second one
/// the store is closed and opened again, and after every fourth it gets another schema.
struct SmallSyncRun {
  private let file: URL
  private let count: Int
  /// The number of bytes that are leaked for each sync.
  private let leak: Int
  private let stretchCount: Int
  private let schemas: [InterpretedSchema]

  init(file: URL, count: Int, leak: Int) throws {
    (self.file, self.count, self.leak) = (file, count, leak)
    stretchCount = min(200, max(40, count / 500))
    // The types of a schema stay in memory, so all schemas are created before memory is measured.
    schemas = try (0...stretchCount / 4).map {
      InterpretedSchema(try TextStore.schema(SmallSyncs.schema(ofVersion: $0)))
    }
  }

  /// - Returns: the problems that were found.
  func run() async throws -> [String] {
    let begin = ContinuousClock.now
    var findings: [String] = []
    var moments: [Resources] = []
    var kept: [[UInt8]] = []
    var handles: [FileHandle] = []
    var store = try open(0)
    var isNew = true
    for stretch in 0..<stretchCount {
      let followers = try Followers(of: "Note", in: store)
      let syncs = SmallSyncs(store: store)
      for number in count * stretch / stretchCount..<count * (stretch + 1) / stretchCount {
        findings += try await syncs.sync(number)
        if leak > 0 { kept.append([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: leak)) }
      }
      findings += try await followers.end()
      let moment = try Resources(of: store)
      moments.append(moment)
      if stretch % max(1, stretchCount / 20) == 0 || stretch == stretchCount - 1 {
        Console.say("\(count * (stretch + 1) / stretchCount) syncs: \(moment.text)")
      }
      if leak > 0, let handle = FileHandle(forReadingAtPath: file.path) { handles.append(handle) }
      if stretch % 2 == 1 {
        findings += try await close(store)
        store = try open((stretch + 1) / 4)
        if (stretch + 1) % 4 == 0, store.container.evolution == nil { isNew = false }
      }
      // The same problem usually repeats in each stretch.
      if findings.count > 20 { break }
    }
    if !isNew { findings.append("the store was opened with another schema, and did not evolve") }
    findings += try await store.integrityProblems() + close(store)
    findings += Resources.growth(in: moments)
    let seconds = (ContinuousClock.now - begin).components.seconds
    // Keeps the leaked memory until here.
    withExtendedLifetime((kept, handles)) {
      Console.say("\(count) syncs in \(stretchCount) stretches, \(findings.count) findings, \(seconds) s")
    }
    return findings
  }

  private func open(_ version: Int) throws -> TextStore { try TextStore(schemas[version], in: .file(file)) }

  /// Closes a store, and waits until the process has no open descriptor of its files.
  private func close(_ store: TextStore) async throws -> [String] {
    try store.container.database.close()
    let deadline = ContinuousClock.now + .seconds(leak > 0 ? 0 : 10)
    while !openFiles(of: file).isEmpty, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(2))
    }
    let open = openFiles(of: file)
    return open.isEmpty ? [] : ["\(open.count) descriptors lead to a store that is closed"]
  }
}

extension TextStore {
  /// The problems that SQLite finds in the file.
  fileprivate func integrityProblems() async throws -> [String] {
    try await rows("PRAGMA integrity_check").filter { $0 != "ok" }
      + rows("PRAGMA foreign_key_check").map { "a foreign key leads nowhere: \($0)" }
  }
}

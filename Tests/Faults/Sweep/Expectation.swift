import FaultStore
import Foundation
import GRDB
import Syncline
import TestSupport

/// The results of a workload without faults.
struct Expectation: Sendable {
  let before: StoredState
  /// The states between the transactions of the call.
  let between: [StoredState]
  let after: StoredState
  let report: String
  /// The names of the files before the call.
  let files: Set<String>
  /// The bytes of the file that the call creates, if it creates one.
  let output: Data?

  /// Makes the call twice in a copy of the template.
  init(of workload: Workload, template: URL, in folder: URL) async throws {
    try Scratch.copy(template, to: folder)
    files = Set(try Scratch.files(in: folder))
    let file = folder.appending(path: Site.fileName)
    // Reading the state may leave files.
    before = try StoredState(of: file)
    try Scratch.copy(template, to: folder)

    var site = try workload.site(in: folder)
    let states = States()
    site.onStep = { store in states.add(try StoredState(store.container.database)) }
    report = try await workload.call(site)
    after = try site.state()
    between = states.all
    if case .output(let name) = workload.files {
      output = try Data(contentsOf: folder.appending(path: name))
    } else {
      output = nil
    }
    site.onStep = nil
    if !workload.refusesToRepeat {
      _ = try await workload.call(site)
      let again = try site.state()
      guard again == after else {
        throw Failure(description: "\(workload.name), made again: \(again.difference(from: after))")
      }
    }
    try site.close()
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}

extension Workload {
  /// Whether a successful call must not be repeated.
  var refusesToRepeat: Bool {
    if case .nothingOrAll = start { true } else { false }
  }
}

extension Site {
  /// The current state of the store.
  func state() throws -> StoredState {
    if let store { return try StoredState(store.container.database) }
    return try StoredState(of: file)
  }

  /// The settings of the connection that writes, and the number of temporary objects; nil if the store is not open.
  func connection() throws -> String? {
    try store?.container.database.writeWithoutTransaction { database in
      let names = [
        "foreign_keys", "defer_foreign_keys", "legacy_alter_table", "query_only", "cache_size",
        "busy_timeout",
      ]
      var values = try names.map { "\($0) \(try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? -1)" }
      values.append("temp \(try String.fetchAll(database, sql: "SELECT name FROM sqlite_temp_master"))")
      let connection = database.sqliteConnection.map(UnsafeMutableRawPointer.init)
      values.append("triggers \(connection.map(fault_store_triggers) ?? -1)")
      values.append("transaction \(database.isInsideTransaction)")
      return values.joined(separator: ", ")
    }
  }

  /// The damage in the store.
  func damage() throws -> [String] {
    if let store {
      return try StoreSoundness.problems(in: store.container.database) + store.container.check().problems
    }
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let queue = try DatabaseQueue(path: file.path)
    let problems = try StoreSoundness.problems(in: queue)
    try queue.close()
    return problems
  }
}

private final class States: @unchecked Sendable {
  private let lock = NSLock()
  private var states: [StoredState] = []

  func add(_ state: StoredState) { lock.withLock { states.append(state) } }

  var all: [StoredState] { lock.withLock { states } }
}

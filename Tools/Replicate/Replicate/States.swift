import GRDB
import Syncline
import TestSupport

/// The state of a store after a committed call: the version of its schema, its contents, and the number of the call.
struct State: Equatable {
  let version: Version
  let number: Int
  let dump: StoreDump

  /// Returns nil for a store without tables.
  init?(_ database: any DatabaseReader) throws {
    let columns = try database.read { db in
      try db.tableExists("Task") ? try db.columns(in: "Task").map(\.name) : nil
    }
    guard let columns else { return nil }
    version = columns.contains("title") ? .first : .second
    number = try State.number(database)
    dump = try StoreDump(database)
  }

  /// The number of the last call that wrote; 0 before the first one.
  static func number(_ database: any DatabaseReader) throws -> Int {
    try database.read { try Int.fetchOne($0, sql: "SELECT number FROM Mark") ?? 0 }
  }
}

/// All possible states of a store, computed with a store in memory that is never killed.
struct States {
  private var dumps: [Version: [Int: StoreDump]] = [.first: [:], .second: [:]]

  init(seed: Int, calls: Int) async throws {
    let database = try DatabaseQueue()
    var version = Version.first
    var store = try version.open(.database(database))
    dumps[version]?[0] = try StoreDump(database)
    for number in 1...calls {
      if Version(of: number, calls: calls) != version {
        version = .second
        store = try version.open(.database(database))
        dumps[version]?[number - 1] = try StoreDump(database)
      }
      try await version.run(Call(number, seed: seed), on: store)
      dumps[version]?[number] = try StoreDump(database)
    }
  }

  /// The difference from the expected states; nil if the store had this state.
  func difference(from state: State) -> String? {
    guard let expected = dumps[state.version]?[state.number] else {
      return "no call \(state.number) of the \(state.version) version was made"
    }
    guard state.dump != expected else { return nil }
    return state.dump.difference(from: expected).split(separator: "\n").prefix(5).joined(separator: "\n")
  }
}

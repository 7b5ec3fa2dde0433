import Foundation
import GRDB

/// The contents of a store's file, and the damage in it.
struct CheckedState {
  let state: StoredState
  let problems: [String]

  /// Opens a file with SQLite alone, which recovers it from its log or journal. A missing file is created.
  init(of file: URL) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(path: file.path, configuration: configuration)
    let result = Result { try CheckedState(database) }
    try database.close()
    self = try result.get()
  }

  init(_ reader: any DatabaseReader) throws {
    state = try StoredState(reader)
    problems = try StoreSoundness.problems(in: reader)
  }
}

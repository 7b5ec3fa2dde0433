import Foundation
import GRDB

/// What a store's file holds, and what is damaged in it.
struct CheckedState {
  let state: StoredState
  let problems: [String]

  /// Opens a file by SQLite alone, which recovers it from its log or journal. If there is no file, it makes one.
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

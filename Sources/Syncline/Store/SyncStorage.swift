import Foundation
import GRDB

/// Where a container keeps its rows.
public enum SyncStorage: Sendable {
  /// In memory, gone with the container.
  case inMemory
  /// In a file, created if it is missing, in WAL mode: reads go on while a sync writes.
  case file(URL)
  /// In a database that is open already. Syncline's tables stand beside the others.
  case database(any DatabaseWriter)

  /// A writer waits for another process or container on the same file, up to ten seconds.
  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return configuration
  }

  func open() throws -> any DatabaseWriter {
    switch self {
    case .inMemory:
      try DatabaseQueue()
    case .file(let url):
      try DatabasePool(path: url.path, configuration: configuration)
    case .database(let writer): writer
    }
  }
}

import Foundation
import GRDB
import Syncline
import SynclineInterpreter
import TestSupport

/// The two stores of a simulation: one in a file, and a reference store in memory, in which nothing fails.
@MainActor
final class SimulatedStores {
  private let folder: URL
  private let configuration: SyncConfiguration
  private let (fileSources, shadowSources): (SimulatedTimeAndRandomness, SimulatedTimeAndRandomness)
  private let memory: DatabaseQueue
  private(set) var schema: InterpretedSchema
  private(set) var shadow: TextStore
  /// The store in the file; nil while it is closed.
  private var opened: TextStore?
  private var fileNumber = 0

  init(_ schema: InterpretedSchema, _ configuration: SyncConfiguration, seed: Int, in folder: URL) throws {
    self.folder = folder
    self.configuration = configuration
    self.schema = schema
    (fileSources, shadowSources) = (
      SimulatedTimeAndRandomness(seed: seed), SimulatedTimeAndRandomness(seed: seed)
    )
    memory = try DatabaseQueue()
    shadow = try TextStore(
      schema, in: .database(memory), configuration.taking(from: shadowSources))
    try open(schema)
  }

  var file: URL { folder.appending(path: "store\(fileNumber).sqlite") }

  var isOpen: Bool { opened != nil }

  func store() throws -> TextStore {
    guard let opened else { throw SimulationError(description: "the store is closed") }
    return opened
  }

  /// Starts an attempt of a step in the file's store.
  func beginAttempt(_ step: Int) { fileSources.begin(step) }

  func beginShadowAttempt(_ step: Int) { shadowSources.begin(step) }

  // MARK: Opening

  func close() throws {
    try opened?.close()
    opened = nil
  }

  /// Opens the file with a schema.
  func open(_ schema: InterpretedSchema) throws {
    opened = try TextStore(schema, in: .file(file), configuration.taking(from: fileSources))
  }

  /// Opens the store in memory with a schema.
  func openShadow(_ schema: InterpretedSchema) throws {
    shadow = try TextStore(schema, in: .database(memory), configuration.taking(from: shadowSources))
  }

  /// Sets the schema that both stores have from now on.
  func take(_ schema: InterpretedSchema) { self.schema = schema }

  // MARK: Files

  /// The contents of the file's tables while the store is closed.
  func closedDump() throws -> StoreDump {
    let queue = try DatabaseQueue(path: file.path)
    let dump = try StoreDump(queue).ofStore
    try queue.close()
    return dump
  }

  /// A copy of the file, to be taken during a call, with the state that a kill would leave.
  func makeCopy() -> SimulatedCopy {
    SimulatedCopy(of: file, to: folder.appending(path: "store\(fileNumber + 1).sqlite"))
  }

  /// Replaces the file, which is closed, by a copy.
  func moveToCopy() throws {
    for suffix in SimulatedCopy.suffixes + ["-shm"] {
      let path = file.path + suffix
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    fileNumber += 1
  }
}

/// A copy of a store's files at one moment.
final class SimulatedCopy: @unchecked Sendable {
  /// The suffixes of the files. The index of the log is not copied, because it is shared memory, which does not survive its
  /// processes.
  static let suffixes = ["", "-wal", "-journal"]

  private let (source, target): (URL, URL)
  private let lock = NSLock()
  private var result: Result<Void, any Error>?

  init(of source: URL, to target: URL) { (self.source, self.target) = (source, target) }

  /// Takes the copy, within a call of SQLite.
  func take() {
    let new = Result {
      for suffix in SimulatedCopy.suffixes where FileManager.default.fileExists(atPath: source.path + suffix)
      {
        try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
      }
    }
    lock.withLock { result = new }
  }

  /// Whether the copy was taken.
  var isTaken: Bool {
    get throws {
      guard let result = lock.withLock({ result }) else { return false }
      try result.get()
      return true
    }
  }
}

extension SyncConfiguration {
  fileprivate func taking(from sources: SimulatedTimeAndRandomness) -> SyncConfiguration {
    var configuration = self
    configuration.sources = sources.source
    return configuration
  }
}

extension StoreDump {
  /// The tables whose contents depend only on the calls.
  var ofStore: StoreDump { without([SimulatedSchema.beat]) }
}

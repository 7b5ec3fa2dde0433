import Foundation
import GRDB

/// Where a container keeps its rows.
public enum SyncStorage: Sendable {
  /// In memory, gone with the container.
  case inMemory
  /// In a file, created if it is missing, in WAL mode: reads go on while a sync writes.
  case file(URL)
  /// In a file that is not ours to write: a backup, a replica, a part of a bundle. It is read, followed and exported; a sync throws
  /// ``SyncError/storeUnavailable(reason:)``, and a store that does not fit the models is refused.
  ///
  /// Where nobody has the file open to write it (it has no log), it is treated as immutable: then no file is
  /// made for it, and its folder need not be writable.
  case readOnly(URL)
  /// In a database that is open already. Syncline's tables are added to its own.
  case database(any DatabaseWriter)

  /// A writer waits for another process or container on the same file, up to ten seconds.
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return configuration
  }

  func open() throws -> any DatabaseWriter {
    switch self {
    case .inMemory:
      return try DatabaseQueue()
    case .readOnly(let url):
      try SyncStorage.checkFile(url)
      let path = OpenStores.shared.openPath(of: url.path) ?? url.path
      return try SyncStorage.reader(of: path, isImmutable: !FileState.hasLog(path))
    case .file(let url):
      try SyncStorage.checkFile(url)
      // SQLite takes a file of one byte for an empty one.
      if FileIdentity.size(of: url.path) == 1 {
        throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "file is not a database")
      }
      // Through another hard link to it, SQLite would not find the log of a file that is open.
      let path = OpenStores.shared.openPath(of: url.path) ?? url.path
      return try DatabasePool(path: path, configuration: SyncStorage.configuration)
    case .database(let writer):
      return writer
    }
  }

  private static func checkFile(_ url: URL) throws {
    guard url.isFileURL else {
      throw SyncError.containerInitialization(reason: "“\(url.absoluteString)” is not a file")
    }
  }

  /// Whether nothing is ever written.
  var isReadOnly: Bool {
    if case .readOnly = self { true } else { false }
  }

  /// Looks at a store that is there, by a connection that does not write.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: the database's error where it cannot be read in this way.
  func look<T>(_ body: (Database) throws -> T) throws -> T? {
    switch self {
    case .inMemory: return nil
    case .database(let writer): return try writer.snapshot(body)
    case .file(let url), .readOnly(let url):
      guard url.isFileURL else { return nil }
      let path = OpenStores.shared.openPath(of: url.path) ?? url.path
      while true {
        guard let state = FileState(path: path), state.size > 1 else { return nil }
        let result = Result { try SyncStorage.reader(of: path, isImmutable: !state.hasLog).read(body) }
        // Read without a lock, one half may be from before what another wrote meanwhile, and the other from after it.
        if state.hasLog || FileState(path: path) == state { return try result.get() }
      }
    }
  }

  /// A connection that leaves no trace: where the file has no log, SQLite would make one to read it, unless the
  /// file is said to be immutable.
  private static func reader(of path: String, isImmutable: Bool) throws -> DatabaseQueue {
    var configuration = self.configuration
    configuration.readonly = true
    guard isImmutable else {
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%;")
    let name = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return try DatabaseQueue(path: "file:\(name)?mode=ro&immutable=1", configuration: configuration)
  }

  /// The path of a file that the container opens itself.
  var path: String? {
    switch self {
    case .file(let url) where url.isFileURL, .readOnly(let url) where url.isFileURL: return url.path
    default: return nil
    }
  }
}

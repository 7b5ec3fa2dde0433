import Foundation
import GRDB

/// What became of a store that could not be opened: its files were moved aside, and a new one was made.
public struct StoreRecovery: Sendable, Hashable {
  /// Why the store could not be opened.
  public let reason: String
  /// Where its files are now.
  public let movedFiles: [URL]
}

extension StoreRecovery: CustomStringConvertible {
  public var description: String {
    "The store could not be opened (\(reason)). Its files were moved aside: "
      + movedFiles.map(\.path).joined(separator: ", ")
  }
}

extension SyncStorage {
  /// Whether an error means that the file itself is of no use: it is corrupt, or does not fit the models.
  static func isBeyondRepair(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError:
      error.resultCode.primaryResultCode == .SQLITE_CORRUPT
        || error.resultCode.primaryResultCode == .SQLITE_NOTADB
    case SyncError.containerInitialization: true
    default: false
    }
  }

  /// Moves a store's files to names with the time in them.
  ///
  /// - Returns: their new places; nil where the storage is no file.
  func moveAside() throws -> [URL]? {
    guard case .file(let url) = self else { return nil }
    let stamp = Int(Date().timeIntervalSince1970 * 1_000)
    var moved: [URL] = []
    for suffix in ["", "-wal", "-shm", "-journal"] {
      let file = URL(fileURLWithPath: url.path + suffix)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      let target = URL(fileURLWithPath: "\(url.path).unusable-\(stamp)\(suffix)")
      try FileManager.default.moveItem(at: file, to: target)
      moved.append(target)
    }
    return moved
  }
}

import Foundation
import Logging

/// Warns when the write-ahead log of a store has become large.
///
/// It reads the size of the file, which takes a microsecond. SQLite reports the log's size only to the hook for automatic
/// checkpoints; setting a hook would disable these, or replace the user's hook.
final class LogSizeWatch: @unchecked Sendable {
  private let path: String
  private let lock = NSLock()
  /// The log's size at the last warning; nil if it has been below the limit since.
  private var warned: Int64?

  /// - Parameter file: the path of the store, by which SQLite names its log.
  init(of file: String) {
    path = file + "-wal"
  }

  /// Logs a warning if the log is larger than a limit, unless it has not doubled since the last warning.
  func check(limit: Int, _ logger: Logger) {
    let size = FileIdentity.size(of: path) ?? 0
    let isNews = lock.withLock {
      guard size > max(0, limit) else {
        warned = nil
        return false
      }
      if let warned, size / 2 < warned { return false }
      warned = size
      return true
    }
    guard isNews else { return }
    logger.warning(
      "The write-ahead log is \(size / 1_000_000) MB. A large transaction, or a read that stays open, keeps SQLite from reusing it",
      metadata: ["log_bytes": "\(size)"])
  }
}

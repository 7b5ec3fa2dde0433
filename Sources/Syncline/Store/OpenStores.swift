import Foundation
import GRDB

/// Identifies a store. Two containers with the same file, or the same connection to memory, share a store.
enum StoreKey: Hashable, Sendable {
  case file(FileIdentity)
  case connection(UInt)
}

/// The stores that containers of this process have open.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private struct Entry {
    weak var queue: SyncQueue?
    /// The path that SQLite opened the file with; the log's name derives from it.
    let path: String
  }

  /// Recursive: reading an entry's queue retains it. If its last owner releases it meanwhile, it is deallocated within the lock,
  /// and calls ``forget(_:)``.
  private let lock = NSRecursiveLock()
  private var entries: [StoreKey: Entry] = [:]

  private let condition = NSCondition()
  // Guarded by the condition: the number of openings in progress by path, and the paths that are being recovered.
  private var openings: [String: Int] = [:]
  private var recoveries: Set<String> = []

  /// Runs a closure that opens a file, when no recovery of its path is in progress.
  func opening<T>(_ path: String, _ body: () throws -> T) rethrows -> T {
    condition.withLock {
      while recoveries.contains(path) { condition.wait() }
      openings[path, default: 0] += 1
    }
    defer {
      condition.withLock {
        let others = (openings[path] ?? 1) - 1
        openings[path] = others > 0 ? others : nil
        condition.broadcast()
      }
    }
    return try body()
  }

  /// Runs a closure that moves a file aside and creates a new one, when no opening of its path is in progress. SQLite finds a log
  /// by its name: it would mistake the new file's log for the moved file's, and truncate what other connections share.
  func recovering<T>(_ path: String, _ body: () throws -> T) rethrows -> T {
    condition.withLock {
      while openings[path] != nil || recoveries.contains(path) { condition.wait() }
      recoveries.insert(path)
    }
    defer {
      condition.withLock {
        recoveries.remove(path)
        condition.broadcast()
      }
    }
    return try body()
  }

  /// The queue of a store. It lives as long as one of the store's containers.
  func queue(of key: StoreKey, path: String) -> SyncQueue {
    lock.withLock {
      if let queue = entries[key]?.queue { return queue }
      let queue = SyncQueue(of: key)
      entries[key] = Entry(queue: queue, path: path)
      return queue
    }
  }

  /// Removes the entry of a queue that was deallocated, unless another container has opened the store since.
  func forget(_ key: StoreKey) {
    lock.withLock {
      if let entry = entries[key], entry.queue == nil { entries[key] = nil }
    }
  }

  /// The path by which a container has a file open, even if `path` is another path to it; nil if no container has.
  ///
  /// A store that was closed and deleted may have left its inode to another file, so the entry's own path is checked too.
  func openPath(of path: String) -> String? {
    guard let identity = FileIdentity(path: path) else { return nil }
    return lock.withLock {
      guard let entry = entries[.file(identity)], entry.queue != nil,
        FileIdentity(path: entry.path) == identity
      else { return nil }
      return entry.path
    }
  }
}

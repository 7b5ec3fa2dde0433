import Foundation
import GRDB

/// What makes two containers share a store: one file, or one connection to memory.
enum StoreKey: Hashable, Sendable {
  case file(FileIdentity)
  case connection(UInt)
}

/// The stores that containers of this process have open.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private struct Entry {
    weak var queue: SyncQueue?
    /// The path by which SQLite has the file open; the name of its log follows from it.
    let path: String
  }

  private let lock = NSLock()
  private var entries: [StoreKey: Entry] = [:]

  private let condition = NSCondition()
  // What the condition guards: how many openings of a path are under way, and whether a recovery is.
  private var openings: [String: Int] = [:]
  private var recoveries: Set<String> = []

  /// Opens a file, when none of the path is being moved aside.
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

  /// Moves a file aside and makes a new one, when none of the path is being opened. SQLite would take the new one's log, which it
  /// finds by its name, for that of the file that is moved, and cut off what other connections share.
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

  /// The queue of a store, kept for as long as one of its containers is.
  func queue(of key: StoreKey, path: String) -> SyncQueue {
    lock.withLock {
      if let queue = entries[key]?.queue { return queue }
      let queue = SyncQueue(of: key)
      entries[key] = Entry(queue: queue, path: path)
      return queue
    }
  }

  /// Called when a queue is gone. Another container may have opened the store meanwhile.
  func forget(_ key: StoreKey) {
    lock.withLock {
      if let entry = entries[key], entry.queue == nil { entries[key] = nil }
    }
  }

  /// Where a container has a file open, by this path or another to it; nil where none has.
  ///
  /// A store that was closed and removed may have left its inode to another file: so its own path is looked at too.
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

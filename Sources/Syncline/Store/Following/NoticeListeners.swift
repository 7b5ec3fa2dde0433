import Foundation
import GRDB

/// The listeners to the changes of each commit. Without listeners, no rows are compared.
final class NoticeListeners: @unchecked Sendable {
  typealias Listener = @Sendable (Result<SyncChanges, any Error>) -> Void

  private let database: any DatabaseWriter
  private let lock = NSLock()
  private var listeners: [Int: Listener] = [:]
  private var isClosed = false
  // Used on the writer's queue only.
  let notices: NoticeMaker

  init(_ database: any DatabaseWriter, _ catalog: ModelCatalog) {
    self.database = database
    notices = NoticeMaker(database, catalog)
  }

  var isEmpty: Bool { lock.withLock { listeners.isEmpty } }

  /// Adds a listener. It is called for each later write, or at once if the writer was closed.
  func add(_ id: Int, _ listener: @escaping Listener) {
    let (isFirst, isClosed) = lock.withLock {
      listeners[id] = listener
      return (listeners.count == 1, self.isClosed)
    }
    if isClosed { return listener(.failure(DatabaseError.storeIsClosed)) }
    guard isFirst else { return }
    database.asyncWriteWithoutTransaction { database in
      do { try self.notices.start(database) } catch { listener(.failure(error)) }
    }
  }

  /// - Returns: whether the listener existed.
  func remove(_ id: Int) -> Bool {
    let (isRemoved, isLast) = lock.withLock {
      (listeners.removeValue(forKey: id) != nil, listeners.isEmpty)
    }
    if isRemoved, isLast {
      database.asyncWriteWithoutTransaction { _ in
        if self.isEmpty { self.notices.stop() }
      }
    }
    return isRemoved
  }

  // MARK: Commits

  func willCommit(_ events: StoreEvents) {
    if !isEmpty { reportingErrors { try notices.willCommit(events) } }
  }

  func didCommit(_ committed: StoreEvents, _ database: Database) {
    // Without listeners, the kept rows become outdated.
    guard !isEmpty else { return notices.stop() }
    guard !committed.isEmpty else { return notices.reset() }
    reportingErrors {
      guard let changes = try notices.didCommit(committed, database) else { return }
      notifyAll(.success(changes))
    }
  }

  func didRollBack() { notices.reset() }

  /// Called when the writer's connection is closed, or found closed. No notice follows.
  func didClose() {
    notices.stop()
    let notified = lock.withLock {
      defer { isClosed = true }
      return isClosed ? [] : Array(listeners.values)
    }
    for listener in notified { listener(.failure(DatabaseError.storeIsClosed)) }
  }

  /// Runs a closure, and sends its error to all listeners. The commit continues.
  private func reportingErrors(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      notices.forget()
      notifyAll(.failure(error))
    }
  }

  private func notifyAll(_ notice: Result<SyncChanges, any Error>) {
    for listener in lock.withLock({ listeners.values }) { listener(notice) }
  }
}

import Foundation
import GRDB

/// Observes the writer while there are followers or listeners. Each container has one hub.
///
/// A hub without followers and listeners does nothing. ``FollowerPasses`` lets the followers read what was committed.
final class ChangeHub: @unchecked Sendable {
  private enum Observing { case no, starting, yes, ending }

  private let database: any DatabaseWriter
  private lazy var observer = StoreObserver(self)
  private let passes: FollowerPasses
  private let listeners: NoticeListeners

  /// Taken before the lock of the passes, never after it.
  private let lock = NSLock()
  // The lock guards:
  private var observing = Observing.no
  private var lastID = 0
  private var ids: Set<Int> = []

  // Only the writer's queue uses:
  /// The last known version of the schema.
  private var schemaVersion: Int32?
  private var watchesClosing = false

  init(_ database: any DatabaseWriter, _ catalog: ModelCatalog) {
    self.database = database
    passes = FollowerPasses(database)
    listeners = NoticeListeners(database, catalog)
  }

  var isFollowed: Bool { lock.withLock { !ids.isEmpty } }
  var isObserving: Bool { lock.withLock { observing != .no } }
  var isListenedTo: Bool { !listeners.isEmpty }

  // MARK: Following

  /// Lets a follower read now, and again after each change. Never waits for the writer.
  ///
  /// - Returns: a token; releasing it ends the following.
  func follow(_ follower: any Follower) -> Following {
    let id = newID()
    passes.add(follower, id)
    // Observe first: if the reader is the writer itself, no commit is missed then.
    observe()
    passes.schedule()
    return Following(self, id)
  }

  /// Calls a listener after each later commit, with its changes or with the error that prevented finding them.
  ///
  /// - Returns: a token; releasing it ends the listening.
  func listen(_ listener: @escaping NoticeListeners.Listener) -> Following {
    let id = newID()
    observe()
    listeners.add(id, listener)
    return Following(self, id)
  }

  private func newID() -> Int {
    lock.withLock {
      lastID += 1
      ids.insert(lastID)
      return lastID
    }
  }

  fileprivate func leave(_ id: Int) {
    if !listeners.remove(id) { passes.remove(id) }
    _ = lock.withLock { ids.remove(id) }
    passes.schedule()
    stopObserving()
  }

  func adopt(_ changes: [String: SyncChanges.Table], _ database: Database) throws {
    try listeners.notices.adopt(changes, database)
  }

  func whenCaughtUp(_ body: @escaping @Sendable () -> Void) { passes.whenCaughtUp(body) }

  // MARK: Observing

  /// Starts to observe the writer as soon as it is free.
  private func observe() {
    let starts = lock.withLock {
      if observing == .ending { observing = .yes }
      guard observing == .no else { return false }
      observing = .starting
      passes.withCommits { $0.startObservation() }
      return true
    }
    guard starts else { return }
    database.asyncWriteWithoutTransaction { database in
      guard database.sqliteConnection != nil else { return self.didClose() }
      // Fails if there is no memory; then the next follower tries again.
      if !self.watchesClosing {
        self.watchesClosing = (try? database.whenClosed { [weak self] in self?.didClose() }) != nil
      }
      database.add(transactionObserver: self.observer, extent: .observerLifetime)
      self.schemaVersion = try? database.schemaVersion()
      self.lock.withLock {
        self.observing = .yes
        self.passes.withCommits { $0.completeObservation() }
      }
      self.passes.schedule()
      // All followers may have left while the writer was busy.
      self.stopObserving()
    }
  }

  /// Stops observing the writer as soon as it is free, if there are still no followers.
  private func stopObserving() {
    let ends = lock.withLock {
      guard observing == .yes, ids.isEmpty else { return false }
      observing = .ending
      return true
    }
    guard ends else { return }
    database.asyncWriteWithoutTransaction { database in
      let ends = self.lock.withLock {
        guard self.observing == .ending else { return false }
        self.observing = .no
        self.passes.withCommits { $0.endObservation() }
        return true
      }
      if ends { database.remove(transactionObserver: self.observer) }
    }
  }

  /// Called on the writer's queue when its connection is closed. Reports the error to all, and closes the reader, which would
  /// otherwise stay open.
  private func didClose() {
    let reader = lock.withLock {
      observing = .no
      return passes.close()
    }
    listeners.didClose()
    passes.schedule()
    reader?.close()
  }

  // MARK: Commits

  /// Called on the writer's queue when a commit begins.
  func willCommit(_ events: StoreEvents) {
    listeners.willCommit(events)
    passes.beginCommit()
  }

  /// Called on the writer's queue when a transaction was committed.
  func didCommit(_ committed: StoreEvents, _ database: Database) {
    // A schema change has no events.
    if committed.isEmpty {
      let version = try? database.schemaVersion()
      // If the version cannot be read, it may have changed.
      if version == nil || version != schemaVersion { passes.withCommits { $0.miss() } }
      schemaVersion = version
    }
    passes.endCommits(committed)
    listeners.didCommit(committed, database)
  }

  /// Called on the writer's queue when a transaction was rolled back.
  func didRollBack() {
    listeners.didRollBack()
    passes.endCommits()
  }
}

/// Keeps a follower registered until this token is released.
final class Following: Sendable {
  private let hub: ChangeHub
  private let id: Int

  fileprivate init(_ hub: ChangeHub, _ id: Int) {
    self.hub = hub
    self.id = id
  }

  deinit { hub.leave(id) }
}

import Foundation
import GRDB

/// Observes the writer while anybody follows or listens: one for each container, however many follow.
///
/// Nothing is done for a store that nobody follows. ``FollowerPasses`` lets the followers read what was committed.
final class ChangeHub: @unchecked Sendable {
  private enum Observing { case no, starting, yes, ending }

  private let database: any DatabaseWriter
  private lazy var observer = StoreObserver(self)
  private let passes: FollowerPasses
  private let listeners: NoticeListeners

  /// Held while the passes are locked, never the other way round.
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

  /// Whether anybody follows or listens.
  var isFollowed: Bool { lock.withLock { !ids.isEmpty } }
  /// Whether the writer is observed.
  var isObserving: Bool { lock.withLock { observing != .no } }
  /// Whether anybody listens to changes.
  var isListenedTo: Bool { !listeners.isEmpty }

  // MARK: Following

  /// Lets a follower read, and read again after each change. It never waits for the writer.
  ///
  /// - Returns: a token that ends the following when it is released.
  func follow(_ follower: any Follower) -> Following {
    let id = newID()
    passes.add(follower, id)
    // First: where the reader is the writer itself, nothing is missed then.
    observe()
    passes.schedule()
    return Following(self, id)
  }

  /// Calls a listener after each commit from here on, with its changes, or the error that kept them unknown.
  ///
  /// - Returns: a token that ends the listening when it is released.
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

  /// Takes over what a sync changed, within its transaction.
  func adopt(_ changes: [String: SyncChanges.Table], _ database: Database) throws {
    try listeners.adopt(changes, database)
  }

  /// Calls when the followers have read what was committed before, or have received the error that prevents it.
  func whenCaughtUp(_ body: @escaping @Sendable () -> Void) { passes.whenCaughtUp(body) }

  // MARK: Observing

  /// Starts to observe the writer, as soon as it is free.
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
      // Fails without memory; then the next follower tries again.
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
      // All may have left while the writer was busy.
      self.stopObserving()
    }
  }

  /// Stops observing the writer, as soon as it is free and if still nobody follows.
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

  /// Called on the writer's queue when its connection is closed: reports the error to all, and closes the reader, which
  /// would stay open without the writer.
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
    // A change of the schema has no events.
    if committed.isEmpty {
      let version = try? database.schemaVersion()
      // A version that cannot be read may have changed.
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

/// Keeps a follower following until it is released.
final class Following: Sendable {
  private let hub: ChangeHub
  private let id: Int

  fileprivate init(_ hub: ChangeHub, _ id: Int) {
    self.hub = hub
    self.id = id
  }

  deinit { hub.leave(id) }
}

import Foundation
import GRDB

/// Tells those who follow a store of its commits: one for each container, however many follow.
///
/// The observer of the writer hands over what each commit wrote; a pass on the reader's queue takes a snapshot that is
/// exactly those commits, and lets the followers read in it. Nothing is done for a store that nobody follows.
final class ChangeHub: @unchecked Sendable {
  private enum Observing { case no, starting, yes, ending }

  let database: any DatabaseWriter
  private lazy var observer = StoreObserver(self)

  private let condition = NSCondition()
  // What the condition guards.
  private var observing = Observing.no
  private var lastID = 0
  private var livingIDs: Set<Int> = []
  private var arrivals: [(id: Int, follower: any Follower)] = []
  private var departures: [Int] = []
  /// What was committed since the last pass.
  private var events: StoreEvents = [:]
  private var alignment = Alignment()
  private var isWriterAsked = false
  private var isPassScheduled = false
  /// Whether the next pass has to look whether anything was missed.
  private var mustCheck = false
  /// Whether something was missed.
  private var mustReload = false
  private var reader: ReadConnection?
  /// Whether the writer's connection was closed.
  private var isClosed = false
  /// What to call when all that was committed has been read.
  private var expectants: [@Sendable () -> Void] = []

  private let listeners: NoticeListeners

  // What belongs to the writer's queue.
  /// The version of the schema, as far as the writer has told of it.
  private var writtenSchemaVersion: Int32?
  private var isClosingTold = false

  // What belongs to the reader's queue.
  private let router = Router()
  private var schemaVersion: Int32?
  /// What the store was when it was first read unobserved.
  private var unobservedVersion: Int64?

  /// Which commits the writer has told of.
  private struct Alignment {
    /// How many commits have begun, and how many of these have ended.
    var begun = 0
    var done = 0
    /// Whether commits have to wait until the reader has its snapshot.
    var isSnapshotWanted = false

    var isUnderWay: Bool { begun != done }
  }

  init(_ database: any DatabaseWriter, _ catalog: ModelCatalog) {
    self.database = database
    listeners = NoticeListeners(database, catalog)
    if !(database is DatabasePool) { reader = ReadConnection(database) }
  }

  /// Whether anybody follows or listens.
  var isFollowed: Bool { condition.withLock { !livingIDs.isEmpty } }
  /// Whether the writer is observed.
  var isObserving: Bool { condition.withLock { observing != .no } }

  // MARK: Following

  /// Lets a follower read, and read again after each change. It never waits for the writer.
  ///
  /// - Returns: what keeps it following.
  func follow(_ follower: any Follower) -> Following {
    let id = newID { arrivals.append(($0, follower)) }
    // First: where the reader is the writer itself, nothing is missed then.
    observe()
    schedule()
    return Following(self, id)
  }

  /// Tells of each commit from here on: what it changed, or why that could not be found out.
  ///
  /// - Returns: what keeps it telling.
  func listen(_ listener: @escaping NoticeListeners.Listener) -> Following {
    let id = newID { _ in }
    observe()
    listeners.add(id, listener)
    return Following(self, id)
  }

  private func newID(_ body: (Int) -> Void) -> Int {
    condition.withLock {
      lastID += 1
      livingIDs.insert(lastID)
      body(lastID)
      return lastID
    }
  }

  /// Whether somebody wants to know what commits change.
  var isListenedTo: Bool { !listeners.isEmpty }

  /// Takes over what a sync changed, within its transaction.
  func adopt(_ changes: [String: SyncChanges.Table], _ database: Database) throws {
    try listeners.adopt(changes, database)
  }

  /// Calls when those who follow have read what was committed before, or were told why they cannot.
  func whenCaughtUp(_ body: @escaping @Sendable () -> Void) {
    condition.withLock { expectants.append(body) }
    schedule()
  }

  fileprivate func leave(_ id: Int) {
    let isListener = listeners.remove(id)
    condition.withLock {
      livingIDs.remove(id)
      if !isListener { departures.append(id) }
    }
    schedule()
    stopObserving()
  }

  /// Starts to observe the writer, when it is free.
  private func observe() {
    let starts = condition.withLock {
      defer { if observing == .ending { observing = .yes } }
      guard observing == .no else { return false }
      observing = .starting
      return true
    }
    guard starts else { return }
    database.asyncWriteWithoutTransaction { database in
      guard database.sqliteConnection != nil else { return self.didClose() }
      // Without memory for that, the next who follows tries again.
      if !self.isClosingTold {
        self.isClosingTold = (try? database.whenClosed { [weak self] in self?.didClose() }) != nil
      }
      database.add(transactionObserver: self.observer, extent: .observerLifetime)
      self.writtenSchemaVersion = try? database.schemaVersion()
      self.condition.withLock {
        self.observing = .yes
        self.mustCheck = true
      }
      self.schedule()
      // All may have gone while the writer was busy.
      self.stopObserving()
    }
  }

  /// Ends to observe the writer, when it is free and still nobody follows.
  private func stopObserving() {
    let ends = condition.withLock {
      guard observing == .yes, livingIDs.isEmpty else { return false }
      observing = .ending
      return true
    }
    guard ends else { return }
    database.asyncWriteWithoutTransaction { database in
      let ends = self.condition.withLock {
        guard self.observing == .ending else { return false }
        self.observing = .no
        self.events = [:]
        return true
      }
      if ends { database.remove(transactionObserver: self.observer) }
    }
  }

  /// Called on the writer's queue, when its connection is closed: no other stays open, and all are told.
  private func didClose() {
    let reader = condition.withLock {
      (observing, isClosed, mustReload) = (.no, true, true)
      return self.reader
    }
    listeners.didClose()
    reader?.close()
    schedule()
  }

  // MARK: Commits

  /// Called on the writer's queue, when a commit begins.
  func willCommit(_ events: StoreEvents) {
    listeners.willCommit(events)
    condition.withLock {
      // A writer that never rests lets the reader take its snapshot. It waits for a moment at most.
      let limit = Date(timeIntervalSinceNow: 1)
      while alignment.isSnapshotWanted, condition.wait(until: limit) {}
      alignment.begun += 1
    }
  }

  /// Called on the writer's queue, when a transaction was committed.
  func didCommit(_ committed: StoreEvents, _ database: Database) {
    // A change of the schema has no events.
    if committed.isEmpty {
      let version = try? database.schemaVersion()
      // What cannot be read may have changed.
      if version == nil || version != writtenSchemaVersion { condition.withLock { mustReload = true } }
      writtenSchemaVersion = version
    }
    end(committed)
    listeners.didCommit(committed, database)
  }

  /// Called on the writer's queue, when a transaction was rolled back.
  func didRollBack() {
    listeners.didRollBack()
    end([:])
  }

  private func end(_ committed: StoreEvents) {
    condition.withLock {
      alignment.done = alignment.begun
      if !committed.isEmpty { events.merge(committed) }
      condition.broadcast()
    }
    schedule()
  }

  // MARK: Passes

  /// Has the followers read, on the reader's queue, soon.
  private func schedule() {
    let (isNeeded, reader) = condition.withLock {
      let isNeeded =
        !isPassScheduled
        && (!arrivals.isEmpty || !departures.isEmpty || !events.isEmpty || mustCheck || mustReload
          || !expectants.isEmpty)
      if isNeeded { isPassScheduled = true }
      return (isNeeded, self.reader)
    }
    guard isNeeded else { return }
    if let reader {
      reader.queue.asyncWriteWithoutTransaction { self.run(ReadPass($0, reader)) }
    } else if let pool = database as? DatabasePool {
      DispatchQueue.global().async { self.open(beside: pool) }
    }
  }

  private func open(beside pool: DatabasePool) {
    do {
      let reader = try ReadConnection(beside: pool)
      let isClosed = condition.withLock {
        self.reader = reader
        return self.isClosed
      }
      if isClosed { reader.close() }
      reader.queue.asyncWriteWithoutTransaction { self.run(ReadPass($0, reader)) }
    } catch {
      // Those who want to read are told; the next of them tries again.
      let (waiting, expectants) = condition.withLock {
        isPassScheduled = false
        (departures, mustCheck) = ([], false)
        defer { (arrivals, self.expectants) = ([], []) }
        return (arrivals, self.expectants)
      }
      for arrival in waiting { arrival.follower.fail(error) }
      for expectant in expectants { expectant() }
    }
  }

  private func run(_ pass: ReadPass) {
    let (coming, going) = condition.withLock {
      isPassScheduled = false
      defer { (arrivals, departures) = ([], []) }
      return (arrivals.filter { livingIDs.contains($0.id) }, departures)
    }
    for id in going { router.remove(id) }
    guard pass.isPrivate || !pass.database.isInsideTransaction else {
      // The end of the transaction calls again.
      return condition.withLock { arrivals = coming + arrivals }
    }
    defer { pass.end() }
    if !coming.isEmpty { admit(coming, pass) }
    update(pass)
  }

  /// Lets new followers read what is there. A commit that is told of later is read again then.
  private func admit(_ coming: [(id: Int, follower: any Follower)], _ pass: ReadPass) {
    let isObserved = condition.withLock { observing == .yes || observing == .ending }
    let snapshot = Result {
      let version = try pass.begin()
      if schemaVersion == nil { schemaVersion = version }
      if !isObserved, unobservedVersion == nil { unobservedVersion = try pass.dataVersion() }
    }
    for (id, follower) in coming {
      router.add(follower, id) {
        try snapshot.get()
        try follower.load(pass)
      }
    }
  }

  private func update(_ pass: ReadPass) {
    var expectants: [@Sendable () -> Void] = []
    defer { for expectant in expectants { expectant() } }
    let isNeeded = condition.withLock {
      if router.isEmpty { (events, mustCheck, mustReload) = ([:], false, false) }
      let isNeeded = !events.isEmpty || mustCheck || mustReload
      if !isNeeded { expectants = takeExpectants() }
      return isNeeded
    }
    guard isNeeded else { return }
    do {
      guard let snapshot = try snapshot(pass) else { return }
      expectants = snapshot.expectants
      var isStale = snapshot.mustReload
      if let schemaVersion, schemaVersion != snapshot.schemaVersion { isStale = true }
      schemaVersion = snapshot.schemaVersion
      if let version = unobservedVersion, snapshot.isChecked {
        unobservedVersion = nil
        if try pass.isPrivate && pass.dataVersion() != version { isStale = true }
      }
      if isStale { router.reload(pass) } else { router.update(snapshot.events, pass) }
    } catch {
      router.fail(error)
      expectants += condition.withLock { takeExpectants() }
    }
  }

  /// Those who expect what is read now. What was committed before the writer is observed is looked for when it is.
  private func takeExpectants() -> [@Sendable () -> Void] {
    guard observing != .starting else { return [] }
    defer { expectants = [] }
    return expectants
  }

  // MARK: Snapshots

  /// What is to be read in a snapshot.
  private struct Snapshot {
    let schemaVersion: Int32
    let events: StoreEvents
    let isChecked: Bool
    let mustReload: Bool
    let expectants: [@Sendable () -> Void]
  }

  /// Takes a snapshot of exactly the commits that were told of; nil where a commit does not end, until it does.
  private func snapshot(_ pass: ReadPass) throws -> Snapshot? {
    defer {
      condition.withLock {
        alignment.isSnapshotWanted = false
        condition.broadcast()
      }
    }
    for attempt in 0..<5 {
      // At last a writer that never rests has to wait.
      guard let last = lastCommit(pass, stoppingOthers: attempt == 4) else { break }
      if let snapshot = try snapshot(pass, after: last) { return snapshot }
    }
    askWriter()
    return nil
  }

  /// The number of the last commit, when none is under way; nil where that takes too long.
  private func lastCommit(_ pass: ReadPass, stoppingOthers: Bool) -> Int? {
    condition.withLock {
      if !pass.isPrivate, alignment.isUnderWay { return nil }
      alignment.isSnapshotWanted = stoppingOthers
      let limit = Date(timeIntervalSinceNow: 1)
      while alignment.isUnderWay, condition.wait(until: limit) {}
      return alignment.isUnderWay ? nil : alignment.done
    }
  }

  /// Takes a snapshot; nil where a commit has begun since one that was the last.
  private func snapshot(_ pass: ReadPass, after last: Int) throws -> Snapshot? {
    let version = try pass.begin()
    return condition.withLock {
      guard alignment.begun == last else { return nil }
      defer { (events, mustCheck, mustReload) = ([:], false, false) }
      return Snapshot(
        schemaVersion: version, events: events, isChecked: mustCheck, mustReload: mustReload,
        expectants: takeExpectants())
    }
  }

  /// Asks the writer whether the commit that has begun is still under way. One that was made behind GRDB's back is never
  /// told to have ended.
  private func askWriter() {
    let asks = condition.withLock {
      defer { isWriterAsked = true }
      return !isWriterAsked
    }
    guard asks else { return }
    database.asyncWriteWithoutTransaction { database in
      let isInside = database.isInsideTransaction
      self.condition.withLock {
        self.isWriterAsked = false
        guard !isInside else { return }
        if self.alignment.isUnderWay { self.mustReload = true }
        self.alignment.done = self.alignment.begun
      }
      self.schedule()
    }
  }
}

/// Keeps a follower following, until it is released.
final class Following: Sendable {
  private let hub: ChangeHub
  private let id: Int

  fileprivate init(_ hub: ChangeHub, _ id: Int) {
    self.hub = hub
    self.id = id
  }

  deinit { hub.leave(id) }
}

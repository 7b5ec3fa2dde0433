import Foundation
import GRDB

/// Runs passes, in which the followers read what was committed. At most one is scheduled, and none runs without need.
///
/// A pass takes a snapshot on the reader's queue that contains exactly the commits of a ``CommitDelivery``.
final class FollowerPasses: @unchecked Sendable {
  private typealias Arrival = (id: Int, follower: any Follower)
  private typealias Callback = @Sendable () -> Void

  private let database: any DatabaseWriter

  private let condition = NSCondition()
  // The condition guards:
  private var commits = CommitDelivery()
  /// Whether new commits must wait until the reader has its snapshot.
  private var holdsCommits = false
  private var isWriterAsked = false
  private var isScheduled = false
  private var arrivals: [Arrival] = []
  private var departures: [Int] = []
  private var callbacks: [Callback] = []
  private var reader: ReadConnection?
  private var isClosed = false

  // Only the reader's queue uses:
  private var router = Router()
  private var schemaVersion: Int32?
  /// The store's data version when it was first read unobserved.
  private var unobservedVersion: Int64?

  init(_ database: any DatabaseWriter) {
    self.database = database
    if !(database is DatabasePool) { reader = ReadConnection(database) }
  }

  // MARK: Followers

  func add(_ follower: any Follower, _ id: Int) { condition.withLock { arrivals.append((id, follower)) } }

  func remove(_ id: Int) { condition.withLock { departures.append(id) } }

  /// Calls a closure when the followers have read all earlier commits, or have received the error that prevents it.
  func whenCaughtUp(_ body: @escaping @Sendable () -> Void) {
    condition.withLock { callbacks.append(body) }
    schedule()
  }

  // MARK: Commits

  func withCommits(_ body: (inout CommitDelivery) -> Void) { condition.withLock { body(&commits) } }

  /// Notes that the writer was closed. The next pass to begin reports it to all followers; a running pass may still read.
  ///
  /// - Returns: the reader, which the caller must close.
  func close() -> ReadConnection? {
    condition.withLock {
      commits.endObservation()
      isClosed = true
      return reader
    }
  }

  func beginCommit() {
    condition.withLock {
      // A continuously committing writer must let the reader take its snapshot. It waits for at most one second.
      let limit = Date(timeIntervalSinceNow: 1)
      while holdsCommits, condition.wait(until: limit) {}
      commits.beginCommit()
    }
  }

  func endCommits(_ committed: StoreEvents = [:]) {
    condition.withLock {
      commits.endCommits(committed)
      condition.broadcast()
    }
    schedule()
  }

  // MARK: Scheduling

  /// Runs a pass soon, if one is needed and none is scheduled.
  func schedule() {
    let (isNeeded, reader) = condition.withLock {
      let isEndUnreported = isClosed && self.reader != nil
      let hasWork =
        commits.isNeeded || isEndUnreported || !arrivals.isEmpty || !departures.isEmpty || !callbacks.isEmpty
      let isNeeded = hasWork && !isScheduled
      if isNeeded { isScheduled = true }
      return (isNeeded, self.reader)
    }
    guard isNeeded else { return }
    if let reader {
      run(on: reader)
    } else {
      DispatchQueue.global().async { self.open() }
    }
  }

  private func open() {
    do {
      // The file of a closed store may be deleted: opening it would create a new one.
      guard let pool = database as? DatabasePool, !condition.withLock({ isClosed }) else {
        throw DatabaseError.storeIsClosed
      }
      let reader = try ReadConnection(of: pool)
      let wasClosed = condition.withLock {
        self.reader = reader
        return isClosed
      }
      run(on: reader)
      if wasClosed { reader.close() }
    } catch {
      // All waiting followers and callbacks receive the error; the next commit or follower tries again.
      let (arrivals, callbacks) = condition.withLock {
        isScheduled = false
        let departed = Set(departures)
        let arrivals = self.arrivals.filter { !departed.contains($0.id) }
        self.arrivals = isClosed ? [] : arrivals
        departures = []
        commits.discard()
        defer { self.callbacks = [] }
        return (arrivals, self.callbacks)
      }
      for arrival in arrivals { arrival.follower.fail(error) }
      for callback in callbacks { callback() }
    }
  }

  private func run(on reader: ReadConnection) {
    reader.queue.asyncWriteWithoutTransaction { self.run(ReadPass($0, reader)) }
  }

  // MARK: Passes

  private func run(_ pass: ReadPass) {
    let (arrived, departed, isClosed) = condition.withLock {
      isScheduled = false
      defer { (arrivals, departures) = ([], []) }
      return (arrivals, Set(departures), self.isClosed)
    }
    let coming = arrived.filter { !departed.contains($0.id) }
    for id in departed { router.remove(id) }
    guard !isClosed else { return end(coming) }
    guard pass.isPrivate || !pass.database.isInsideTransaction else {
      // The end of the transaction schedules another pass.
      return condition.withLock { arrivals = coming + arrivals }
    }
    defer { pass.end() }
    if !coming.isEmpty { admit(coming, pass) }
    update(pass)
  }

  /// Reports to all followers that the writer was closed. Reads nothing, as the reader may already be closed.
  private func end(_ coming: [Arrival]) {
    for arrival in coming { arrival.follower.fail(DatabaseError.storeIsClosed) }
    router.fail(DatabaseError.storeIsClosed)
    // This releases the followers' statements, which would keep the reader open.
    router = Router()
    let callbacks = condition.withLock {
      commits.discard()
      // If another open statement keeps it open, it is closed when that statement is released.
      reader = nil
      defer { self.callbacks = [] }
      return self.callbacks
    }
    for callback in callbacks { callback() }
  }

  /// Lets new followers read the store. If a commit is reported later, they read it again.
  private func admit(_ coming: [Arrival], _ pass: ReadPass) {
    let isObserved = condition.withLock { commits.observation == .complete }
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
    var callbacks: [Callback] = []
    defer { for callback in callbacks { callback() } }
    let isNeeded = condition.withLock {
      if router.isEmpty { commits.discard() }
      if !commits.isNeeded { callbacks = takeCallbacks() }
      return commits.isNeeded
    }
    guard isNeeded else { return }
    do {
      guard let snapshot = try snapshot(pass) else { return }
      callbacks = snapshot.callbacks
      if try isStale(snapshot, pass) {
        router.reload(pass)
      } else {
        router.update(snapshot.batch.events, pass)
      }
    } catch {
      router.fail(error)
      callbacks += condition.withLock { takeCallbacks() }
    }
  }

  /// Whether the snapshot's events lack a change.
  private func isStale(_ snapshot: Snapshot, _ pass: ReadPass) throws -> Bool {
    var isStale = snapshot.batch.mustReload
    if let schemaVersion, schemaVersion != snapshot.schemaVersion { isStale = true }
    schemaVersion = snapshot.schemaVersion
    if let version = unobservedVersion, snapshot.batch.mustCheck {
      unobservedVersion = nil
      if try pass.isPrivate && pass.dataVersion() != version { isStale = true }
    }
    return isStale
  }

  /// The callbacks for what is read now. There are none while the observation starts, as earlier commits are read when it has
  /// started, and none for a closed writer, which a later pass reports.
  private func takeCallbacks() -> [Callback] {
    guard commits.observation != .starting, !isClosed else { return [] }
    defer { callbacks = [] }
    return callbacks
  }

  // MARK: Snapshots

  private struct Snapshot {
    let schemaVersion: Int32
    let batch: CommitDelivery.Batch
    let callbacks: [Callback]
  }

  /// Takes a snapshot of exactly the reported commits; nil if a commit does not end. Its end schedules another pass.
  private func snapshot(_ pass: ReadPass) throws -> Snapshot? {
    defer {
      condition.withLock {
        holdsCommits = false
        condition.broadcast()
      }
    }
    for attempt in 0..<5 {
      // At the last attempt, a continuously committing writer has to wait.
      guard let last = lastCommit(pass, holdingOthers: attempt == 4) else { break }
      if let snapshot = try snapshot(pass, after: last) { return snapshot }
    }
    askWriter()
    return nil
  }

  /// The number of the last commit, when none is in progress; nil if that takes too long.
  private func lastCommit(_ pass: ReadPass, holdingOthers: Bool) -> Int? {
    condition.withLock {
      if !pass.isPrivate, commits.isCommitUnderWay { return nil }
      holdsCommits = holdingOthers
      let limit = Date(timeIntervalSinceNow: 1)
      while commits.isCommitUnderWay, condition.wait(until: limit) {}
      return commits.lastCommit
    }
  }

  /// Takes a snapshot; nil if a commit has begun since `last`.
  private func snapshot(_ pass: ReadPass, after last: Int) throws -> Snapshot? {
    let version = try pass.begin()
    return condition.withLock {
      guard let batch = commits.take(after: last) else { return nil }
      return Snapshot(schemaVersion: version, batch: batch, callbacks: takeCallbacks())
    }
  }

  /// Asks the writer whether the commit that has begun is still in progress. GRDB never reports the end of a commit that was made
  /// without GRDB.
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
        if !isInside { self.commits.endUnreportedCommits() }
      }
      self.schedule()
    }
  }
}

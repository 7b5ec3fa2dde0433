import Foundation
import GRDB

/// Runs passes, in which the followers read what was committed: at most one waits, and none runs without need.
///
/// A pass takes a snapshot on the reader's queue that contains exactly the commits of a ``CommitDelivery``.
final class FollowerPasses: @unchecked Sendable {
  private typealias Arrival = (id: Int, follower: any Follower)
  private typealias Callback = @Sendable () -> Void

  private let database: any DatabaseWriter

  private let condition = NSCondition()
  // The condition guards:
  private var commits = CommitDelivery()
  /// Whether commits have to wait until the reader has its snapshot.
  private var holdsCommits = false
  private var isWriterAsked = false
  private var isScheduled = false
  private var arrivals: [Arrival] = []
  private var departures: [Int] = []
  /// Called when all that was committed has been read.
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

  /// Calls when the followers have read what was committed before, or have received the error that prevents it.
  func whenCaughtUp(_ body: @escaping @Sendable () -> Void) {
    condition.withLock { callbacks.append(body) }
    schedule()
  }

  // MARK: Commits

  /// Changes which commits are delivered.
  func withCommits(_ body: (inout CommitDelivery) -> Void) { condition.withLock { body(&commits) } }

  /// The writer was closed: the next pass to begin reports that to all followers. One that runs may still read.
  ///
  /// - Returns: the reader, which has to be closed.
  func close() -> ReadConnection? {
    condition.withLock {
      commits.endObservation()
      isClosed = true
      return reader
    }
  }

  func beginCommit() {
    condition.withLock {
      // A writer that never rests lets the reader take its snapshot, and waits for a moment at most.
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

  /// Runs a pass soon, if one is needed and none waits.
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
      // The file of a store that was closed may be gone, and would be made anew.
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
      // All that wait receive the error; the next follower tries again.
      let (arrivals, callbacks) = condition.withLock {
        isScheduled = false
        departures = []
        commits.discard()
        defer { (self.arrivals, self.callbacks) = ([], []) }
        return (self.arrivals, self.callbacks)
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

  /// Reports to all that the writer was closed. Nothing is read: the reader may be closed already, or not yet.
  private func end(_ coming: [Arrival]) {
    for arrival in coming { arrival.follower.fail(DatabaseError.storeIsClosed) }
    router.fail(DatabaseError.storeIsClosed)
    // With the followers, the statements go that would keep the reader open.
    router = Router()
    let callbacks = condition.withLock {
      commits.discard()
      // Where a statement of somebody else's still keeps it open, it is closed when that is released.
      reader = nil
      defer { self.callbacks = [] }
      return self.callbacks
    }
    for callback in callbacks { callback() }
  }

  /// Lets new followers read the store. A commit that is reported later is read again then.
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

  /// Whether something was changed that the snapshot's events do not contain.
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

  /// The callbacks for what is read now. What was committed before the observation starts is read when it has started;
  /// that the writer was closed is reported by a later pass.
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

  /// Takes a snapshot of exactly the reported commits; nil if a commit does not end. Another pass follows when it does.
  private func snapshot(_ pass: ReadPass) throws -> Snapshot? {
    defer {
      condition.withLock {
        holdsCommits = false
        condition.broadcast()
      }
    }
    for attempt in 0..<5 {
      // In the end a writer that never rests has to wait.
      guard let last = lastCommit(pass, holdingOthers: attempt == 4) else { break }
      if let snapshot = try snapshot(pass, after: last) { return snapshot }
    }
    askWriter()
    return nil
  }

  /// The number of the last commit, when none is under way; nil where that takes too long.
  private func lastCommit(_ pass: ReadPass, holdingOthers: Bool) -> Int? {
    condition.withLock {
      if !pass.isPrivate, commits.isCommitUnderWay { return nil }
      holdsCommits = holdingOthers
      let limit = Date(timeIntervalSinceNow: 1)
      while commits.isCommitUnderWay, condition.wait(until: limit) {}
      return commits.lastCommit
    }
  }

  /// Takes a snapshot; nil if a commit has begun since the last one.
  private func snapshot(_ pass: ReadPass, after last: Int) throws -> Snapshot? {
    let version = try pass.begin()
    return condition.withLock {
      guard let batch = commits.take(after: last) else { return nil }
      return Snapshot(schemaVersion: version, batch: batch, callbacks: takeCallbacks())
    }
  }

  /// Asks the writer whether the commit that has begun is still under way. GRDB never reports the end of one that was
  /// made without it.
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

/// Decides which commits the next pass delivers: exactly those that its snapshot contains.
///
/// The observer reports a commit before other connections see it, and again when it has ended. A snapshot taken while no commit
/// is in progress, and before another begins, contains exactly the reported commits.
struct CommitDelivery {
  /// Whether the observer reports all commits.
  enum Observation { case none, starting, complete }

  /// The changes that one pass delivers.
  struct Batch {
    fileprivate(set) var events: StoreEvents = [:]
    /// Whether a commit may have been missed, so that the pass must check.
    fileprivate(set) var mustCheck = false
    /// Whether a commit was missed, so that the events are incomplete.
    fileprivate(set) var mustReload = false
  }

  private(set) var observation = Observation.none
  private var next = Batch()
  /// The number of commits that have begun, and of those that have ended.
  private var (begun, ended) = (0, 0)

  /// Whether there is anything to deliver.
  var isNeeded: Bool { !next.events.isEmpty || next.mustCheck || next.mustReload }
  var isCommitUnderWay: Bool { begun != ended }
  /// The number of the last commit; nil while a commit is in progress.
  var lastCommit: Int? { isCommitUnderWay ? nil : ended }

  // MARK: Observation

  mutating func startObservation() { observation = .starting }

  /// Commits made since the followers first read may have been missed.
  mutating func completeObservation() { (observation, next.mustCheck) = (.complete, true) }

  mutating func endObservation() { (observation, next.events) = (.none, [:]) }

  // MARK: Commits

  mutating func beginCommit() { begun += 1 }

  /// Ends the commits that have begun. A rollback has no events.
  mutating func endCommits(_ committed: StoreEvents = [:]) {
    ended = begun
    if !committed.isEmpty { next.events.merge(committed) }
  }

  /// Ends commits whose end GRDB never reported: their changes are unknown.
  mutating func endUnreportedCommits() {
    if isCommitUnderWay { next.mustReload = true }
    endCommits()
  }

  /// Notes a change that has no events.
  mutating func miss() { next.mustReload = true }

  // MARK: Delivery

  /// Takes the changes that a snapshot contains; nil if a commit has begun since `last`.
  mutating func take(after last: Int) -> Batch? {
    guard begun == last else { return nil }
    defer { discard() }
    return next
  }

  /// Drops changes that no follower has to read.
  mutating func discard() { next = Batch() }
}

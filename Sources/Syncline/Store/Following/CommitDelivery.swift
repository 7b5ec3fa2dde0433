/// Which commits the next pass delivers: exactly those that its snapshot contains.
///
/// The observer reports a commit before other connections see it, and again when it has ended. A snapshot taken while no
/// commit is under way, and before another begins, contains what was reported and nothing else.
struct CommitDelivery {
  /// Whether the observer reports all commits.
  enum Observation { case none, starting, complete }

  /// What one pass delivers.
  struct Batch {
    let events: StoreEvents
    /// Whether a commit may have gone unobserved, which the pass has to check.
    let mustCheck: Bool
    /// Whether a commit went unobserved, so that the events do not suffice.
    let mustReload: Bool
  }

  private(set) var observation = Observation.none
  private var events: StoreEvents = [:]
  private var mustCheck = false
  private var mustReload = false
  /// How many commits have begun, and how many of these have ended.
  private var (begun, ended) = (0, 0)

  /// Whether there is anything to deliver.
  var isNeeded: Bool { !events.isEmpty || mustCheck || mustReload }
  var isCommitUnderWay: Bool { begun != ended }
  /// The number of the last commit; nil while one is under way.
  var lastCommit: Int? { isCommitUnderWay ? nil : ended }

  // MARK: Observation

  mutating func startObservation() { observation = .starting }

  /// Commits made since the followers first read may have gone unobserved.
  mutating func completeObservation() { (observation, mustCheck) = (.complete, true) }

  mutating func endObservation() { (observation, events) = (.none, [:]) }

  // MARK: Commits

  mutating func beginCommit() { begun += 1 }

  /// Ends the commits that have begun. A rollback has no events.
  mutating func endCommits(_ committed: StoreEvents = [:]) {
    ended = begun
    if !committed.isEmpty { events.merge(committed) }
  }

  /// Ends commits of which GRDB never reported the end: what they wrote is unknown.
  mutating func endUnreportedCommits() {
    if isCommitUnderWay { mustReload = true }
    endCommits()
  }

  /// Something was changed that has no events.
  mutating func miss() { mustReload = true }

  // MARK: Delivery

  /// Takes what a snapshot contains; nil if a commit has begun since the one that was the last.
  mutating func take(after last: Int) -> Batch? {
    guard begun == last else { return nil }
    defer { discard() }
    return Batch(events: events, mustCheck: mustCheck, mustReload: mustReload)
  }

  /// Drops what nobody has to read.
  mutating func discard() { (events, mustCheck, mustReload) = ([:], false, false) }
}

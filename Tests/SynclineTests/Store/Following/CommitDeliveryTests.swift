import Testing

@testable import Syncline

/// Tests which commits a pass delivers, for any order of commits and snapshots.
struct CommitDeliveryTests {
  private func events(_ table: String, _ rows: Int64...) -> StoreEvents {
    var events = TableEvents()
    for row in rows { events.record(.inserted, row: row) }
    return [table: events]
  }

  private func observed() -> CommitDelivery {
    var commits = CommitDelivery()
    commits.startObservation()
    commits.completeObservation()
    _ = commits.take(after: 0)
    return commits
  }

  @Test func noPassIsNeededWithoutCommits() {
    #expect(!CommitDelivery().isNeeded)
    #expect(!observed().isNeeded)
  }

  @Test func commitsAreDeliveredTogetherAndOnce() throws {
    var commits = observed()
    for row in 1...3 {
      commits.beginCommit()
      commits.endCommits(events("Task", Int64(row)))
    }
    let last = try #require(commits.lastCommit)
    let taken = commits.take(after: last)
    let batch = try #require(taken)
    #expect(batch.events["Task"]?.rows == [1, 2, 3])
    #expect(!batch.mustCheck && !batch.mustReload)
    #expect(!commits.isNeeded)
    let rest = commits.take(after: last)
    #expect(rest?.events.isEmpty == true)
  }

  @Test func snapshotWaitsForACommitInProgress() throws {
    var commits = observed()
    commits.beginCommit()
    #expect(commits.isCommitUnderWay && commits.lastCommit == nil)
    commits.endCommits(events("Task", 1))
    #expect(commits.lastCommit == 1)
  }

  @Test func commitDuringASnapshotRefusesItAndKeepsTheEvents() throws {
    var commits = observed()
    commits.beginCommit()
    commits.endCommits(events("Task", 1))
    let last = try #require(commits.lastCommit)
    // The snapshot is taken here. It may or may not contain this commit.
    commits.beginCommit()
    let refused = commits.take(after: last)
    #expect(refused == nil)
    commits.endCommits(events("Label", 2))
    let again = commits.take(after: last)
    #expect(again == nil)
    let next = try #require(commits.lastCommit)
    let taken = commits.take(after: next)
    let batch = try #require(taken)
    #expect(batch.events["Task"]?.rows == [1] && batch.events["Label"]?.rows == [2])
  }

  @Test func aRollbackDeliversNothing() {
    var commits = observed()
    commits.beginCommit()
    commits.endCommits()
    #expect(!commits.isNeeded && commits.lastCommit == 1)
    // A pass without a commit, as after most rollbacks.
    commits.endCommits()
    #expect(!commits.isNeeded && commits.lastCommit == 1)
  }

  @Test func missedCommitsCauseOneReload() {
    var commits = observed()
    commits.miss()
    #expect(commits.isNeeded)
    let first = commits.take(after: 0)
    #expect(first?.mustReload == true)
    let second = commits.take(after: 0)
    #expect(second?.mustReload == false)
  }

  @Test func firstBatchAfterObservationStartMustCheck() {
    var commits = CommitDelivery()
    commits.startObservation()
    #expect(commits.observation == .starting && !commits.isNeeded)
    commits.completeObservation()
    #expect(commits.observation == .complete && commits.isNeeded)
    let first = commits.take(after: 0)
    #expect(first?.mustCheck == true)
    #expect(!commits.isNeeded)
  }

  @Test func endOfObservationDropsEventsButKeepsMisses() {
    var commits = observed()
    commits.beginCommit()
    commits.endCommits(events("Task", 1))
    commits.endObservation()
    #expect(commits.observation == .none && !commits.isNeeded)
    commits.miss()
    commits.endObservation()
    #expect(commits.isNeeded)
  }

  @Test func unreportedCommitEndCausesAReload() {
    var commits = observed()
    commits.endUnreportedCommits()
    #expect(!commits.isNeeded)
    commits.beginCommit()
    commits.endUnreportedCommits()
    #expect(commits.isNeeded && !commits.isCommitUnderWay)
    let batch = commits.take(after: 1)
    #expect(batch?.mustReload == true)
  }

  @Test func discardedEventsNeedNoPass() {
    var commits = observed()
    commits.beginCommit()
    commits.endCommits(events("Task", 1))
    commits.miss()
    commits.discard()
    #expect(!commits.isNeeded)
  }

  /// Any order of commits, rollbacks and snapshots: each event is delivered exactly once, with the snapshot that first contains it.
  @Test func everyCommitIsDeliveredExactlyOnce() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var commits = observed()
      var (written, delivered): (Set<Int64>, Set<Int64>) = ([], [])
      var current: Int64?
      for row in Int64(1)...60 {
        if let under = current {
          #expect(commits.lastCommit == nil)
          current = nil
          if Bool.random(using: &random) {
            written.insert(under)
            commits.endCommits(events("Task", under))
          } else {
            commits.endCommits()
          }
          continue
        }
        let last = try #require(commits.lastCommit)
        let interrupts = Bool.random(using: &random)
        if interrupts {
          commits.beginCommit()
          current = row
        }
        let batch = commits.take(after: last)
        #expect((batch == nil) == interrupts)
        guard let batch else { continue }
        let rows = batch.events["Task"]?.rows ?? []
        #expect(rows.isDisjoint(with: delivered))
        delivered.formUnion(rows)
        #expect(delivered == written)
      }
    }
  }
}

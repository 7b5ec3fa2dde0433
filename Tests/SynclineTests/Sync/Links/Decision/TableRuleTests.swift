import Testing

@testable import Syncline

/// Contract, section 7: the links of a join table. Its sources are 1 to 9, their targets 10 and up.
@Suite("Section 7: a join table") struct TableRuleTests {
  typealias Links = NaiveLinks.Links

  private func list(
    _ owner: Int, _ members: Set<Int>, at begin: Int, complete: Bool = true, adds: Bool = true,
    policy: DeletionPolicy? = nil, stale: Bool = false
  ) -> Links.List {
    .init(
      end: owner < 10 ? "tags" : "tasks", owner: owner, members: members, begin: begin, isComplete: complete,
      adds: adds, policy: policy, isStale: stale, number: begin)
  }

  private func decide(
    _ lists: [Links.List], stored: [(Int, Int)] = [], pending: [Links.Pending] = [], absent: Set<Int> = [],
    new: Set<Int> = [], held: Set<Int> = []
  ) -> Links.Outcome {
    var known = Links.Known(pending: pending)
    known.pairs = Set(stored.map { Links.Pair(source: $0.0, target: $0.1) })
    known.rows = .init(absent: absent, new: new, held: held)
    let outcome = Links.table(source: "tags", target: "tasks", lists: lists, known)
    let other = Links.table(source: "tags", target: "tasks", lists: lists.reversed(), known)
    #expect(outcome.pairs == other.pairs, "the order in which statements are given tells")
    return outcome
  }

  private func isThere(_ outcome: Links.Outcome, _ source: Int, _ target: Int) -> Bool? {
    outcome.pairs[Links.Pair(source: source, target: target)]
  }

  @Test func listAddsAndRemovesLinks() {
    let outcome = decide([list(1, [11], at: 1)], stored: [(1, 10)])
    #expect(isThere(outcome, 1, 11) == true && isThere(outcome, 1, 10) == false)
  }

  @Test func listOfEitherEndThatBeginsLastDecides() {
    #expect(isThere(decide([list(1, [10], at: 1), list(10, [], at: 2)]), 1, 10) == false)
    #expect(isThere(decide([list(1, [10], at: 2), list(10, [], at: 1)]), 1, 10) == true)
  }

  @Test func partialListDoesNotUnlinkRowsItLacks() {
    let outcome = decide([list(1, [10], at: 1), list(10, [], at: 2, complete: false)])
    #expect(isThere(outcome, 1, 10) == true)
  }

  @Test func staleListDecidesOnlyIfItMatchesStoredLinks() {
    let kept = decide([list(1, [], at: 1), list(10, [1], at: 2, stale: true)], stored: [(1, 10)])
    #expect(isThere(kept, 1, 10) == true)
    let silent = decide([list(1, [10], at: 1), list(10, [], at: 2, stale: true)], stored: [])
    #expect(isThere(silent, 1, 10) == false)
    #expect(isThere(decide([list(10, [1], at: 2, stale: true)]), 1, 10) == nil)
  }

  @Test func joinTablePolicyDeletesRowThatPayloadLacks() {
    let lists = [list(1, [], at: 1, policy: .hardDeleteMissing)]
    #expect(decide(lists, stored: [(1, 10)]).missing[10]?.policy == .hardDeleteMissing)
    let held = decide(lists, stored: [(1, 10)], held: [10])
    #expect(held.missing.isEmpty && isThere(held, 1, 10) == false)
  }

  @Test func hardDeletePolicyWinsOverSoftDeletePolicy() {
    let lists = [
      list(1, [], at: 1, policy: .hardDeleteMissing), list(2, [], at: 2, policy: .softDeleteMissing),
    ]
    let missing = decide(lists, stored: (10..<60).flatMap { [(1, $0), (2, $0)] }).missing
    #expect(missing.count == 50 && missing.values.allSatisfy { $0.policy == .hardDeleteMissing })
  }

  @Test func joinTableLinkToAMissingRowIsPending() {
    let outcome = decide([list(1, [10], at: 1)], absent: [10])
    #expect(outcome.pending == [Links.Pending(end: "tags", owner: 1, target: 10): 1])
    #expect(outcome.pairs.isEmpty)
  }

  @Test func pendingJoinTableLinkIsSetUnlessACompleteListDecides() {
    let pending = [Links.Pending(end: "tags", owner: 1, target: 10)]
    #expect(isThere(decide([], pending: pending, new: [10]), 1, 10) == true)
    #expect(isThere(decide([list(10, [], at: 1)], pending: pending, new: [10]), 1, 10) != true)
    #expect(isThere(decide([list(1, [11], at: 1)], pending: pending, new: [10]), 1, 10) != true)
  }
}

import Testing

@testable import Syncline

/// Contract, section 7: the links of a one-to-one. The rows with the column, ships, are 1 to 9; their captains are 10 and up.
@Suite("Section 7: a one-to-one") struct PairRuleTests {
  typealias Links = NaiveLinks.Links
  /// No row.
  private let none: Int? = .none

  private func far(
    _ row: Int, _ target: Int?, at begin: Int, stale: Bool = false, nested: Bool = false
  ) -> Links.OwnKey {
    .init(row: row, target: target, begin: begin, isStale: stale, isNested: nested, number: begin)
  }

  private func known(
    _ stored: [Int: Int] = [:], absent: Set<Int> = [], new: Set<Int> = [], pending: [Links.Pending] = [],
    required: Bool = false
  ) -> Links.Known {
    var known = Links.Known(pending: pending, targets: stored, isRequired: required)
    known.rows = .init(absent: absent, new: new)
    return known
  }

  private func decide(
    _ own: [Links.OwnKey] = [], _ far: [Links.OwnKey] = [], _ known: Links.Known, dropped: Set<Int> = []
  ) -> Links.Outcome {
    Links.pair(
      column: "captain", farEnd: "ship", own: Dictionary(grouping: own, by: \.row),
      far: Dictionary(grouping: far, by: \.row), known, dropped: dropped)
  }

  @Test func eitherEndSetsTheLink() {
    #expect(decide([own(1, 10, at: 1)], [], known()).targets[1] == 10)
    #expect(decide([], [far(10, 1, at: 1)], known()).targets[1] == 10)
  }

  @Test func nullAtEitherEndClearsTheLink() {
    #expect(decide([own(1, nil, at: 1)], [], known([1: 10])).targets[1] == none)
    #expect(decide([], [far(10, nil, at: 1)], known([1: 10])).targets[1] == none)
  }

  @Test func linkingATakenPartnerUnlinksItsFormerRow() {
    let outcome = decide([own(2, 10, at: 1)], [], known([1: 10]))
    #expect(outcome.targets[2] == 10 && outcome.targets[1] == none)
  }

  @Test func laterStatementOverridesEarlierOneAboutSameRow() {
    let outcome = decide([own(1, 10, at: 1), own(2, 10, at: 2)], [], known())
    #expect(outcome.targets == [1: none, 2: 10])
    let ends = decide([own(1, 10, at: 1)], [far(10, 2, at: 2)], known())
    #expect(ends.targets[2] == 10 && ends.targets[1] == none)
  }

  @Test func rowWithOverriddenKeyHasNoPartner() {
    // Ship 1 states captain 10, whom a later statement gives to ship 2. Captain 11, who was on ship 1, has no ship afterwards.
    let outcome = decide([own(1, 10, at: 1), own(2, 10, at: 2)], [], known([1: 11]))
    #expect(outcome.targets[1] == none)
  }

  @Test func rowKeepsRequiredPartnerThatClearsTheLink() {
    let outcome = decide([], [far(10, nil, at: 3)], known([1: 10], required: true))
    #expect(outcome.targets[1] ?? 10 == 10)
    #expect(outcome.kept.map(\.statement) == [3])
  }

  @Test func deletionPolicyDeletesRowWhosePartnerClearsTheLink() {
    var stored = known([1: 10], required: true)
    stored.policy = .hardDeleteMissing
    let outcome = decide([], [far(10, nil, at: 3)], stored)
    #expect(outcome.missing[1] == .init(policy: .hardDeleteMissing, statement: 3))
    #expect(outcome.kept.isEmpty)
    // A row in the payload is not deleted.
    stored.rows.held = [1]
    let kept = decide([], [far(10, nil, at: 3)], stored)
    #expect(kept.missing.isEmpty && kept.kept.map(\.statement) == [3])
  }

  @Test func requiredPartnerIsLostUnlessTakingStatementIsDropped() {
    let stored = known([1: 10], required: true)
    #expect(decide([own(2, 10, at: 1)], [], stored).lost == [1: 1])
    let dropped = decide([own(2, 10, at: 1)], [], stored, dropped: [1])
    #expect(dropped.lost.isEmpty && dropped.targets[1] ?? 10 == 10)
  }

  @Test func nullForARequiredPartnerIsRefused() {
    #expect(decide([own(1, nil, at: 4)], [], known(new: [1], required: true)).refused == [1: 4])
  }

  @Test func staleRowKeepsItsLinkUnlessAFreshRowConfirmsItsKey() {
    let stays = decide([own(1, 10, at: 2, stale: true), own(2, 10, at: 1)], [], known([1: 10]))
    #expect(stays.targets[1] ?? 10 == 10 && stays.targets[2] == none)
    let same = decide([own(1, 11, at: 2, stale: true)], [far(11, 1, at: 1)], known([1: 10]))
    #expect(same.targets[1] == 11)
  }

  /// The decision does not depend on whether the row is stale.
  @Test(arguments: [false, true])
  func overriddenKeyIsNotRestoredIfItsPartnerStaysFree(stale: Bool) {
    let outcome = decide(
      [own(1, 10, at: 1), own(2, 10, at: 4)], [far(10, 2, at: 2, stale: stale), far(11, 2, at: 6)],
      known(stale ? [2: 11] : [:]))
    #expect(outcome.targets[2] == 11 && outcome.targets[1] ?? none == none)
  }

  @Test func lastRowKeepsPendingLinkToMissingPartner() {
    let outcome = decide([own(1, 10, at: 1), own(2, 10, at: 2)], [], known(absent: [10]))
    #expect(outcome.pending == [Links.Pending(end: "captain", owner: 2, target: 10): 2])
  }

  @Test func pendingOneToOneIsOverriddenByAnyKey() {
    let pending = [Links.Pending(end: "captain", owner: 1, target: 10)]
    #expect(decide([], [], known(new: [10], pending: pending)).targets[1] == 10)
    #expect(decide([own(2, 10, at: 1)], [], known(new: [10], pending: pending)).targets[2] == 10)
    #expect(decide([own(1, 11, at: 1)], [], known(new: [10], pending: pending)).targets[1] == 11)
  }

  @Test func parentOfTheCallOverridesLaterKeys() {
    var known = known()
    known.given = [2: own(2, 10, at: 1)]
    #expect(decide([own(1, 10, at: 9)], [], known).targets[2] == 10)
  }

  @Test func oneToOneUsedByObjectWithoutIdentityIsKept() {
    var known = known([1: 10])
    known.fixed = [1: 10]
    #expect(decide([own(2, 10, at: 9)], [], known).targets[1] ?? 10 == 10)
  }
}

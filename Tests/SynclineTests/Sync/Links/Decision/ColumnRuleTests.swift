import Testing

@testable import Syncline

/// Contract, section 7: the target of a row's to-one, decided from the statements of rows and lists. Tasks are 1 to 9, their
/// projects are 10 and up.
@Suite("Section 7: the column of a to-one") struct ColumnRuleTests {
  typealias Links = NaiveLinks.Links
  /// No row.
  private let none: Int? = .none

  private func list(
    _ owner: Int, _ members: Set<Int>, at begin: Int, nested: Set<Int> = [], complete: Bool = true,
    adds: Bool = true, policy: DeletionPolicy? = nil, stale: Bool = false
  ) -> Links.List {
    .init(
      end: "tasks", owner: owner, members: members, nested: nested, begin: begin, isComplete: complete,
      adds: adds, policy: policy, isStale: stale, number: begin)
  }

  private func known(
    _ stored: [Int: Int] = [:], absent: Set<Int> = [], new: Set<Int> = [], held: Set<Int> = [],
    pending: [Links.Pending] = [], required: Bool = false
  ) -> Links.Known {
    var known = Links.Known(pending: pending, targets: stored, isRequired: required)
    known.rows = .init(absent: absent, new: new, held: held)
    return known
  }

  private func decide(
    _ own: [Links.OwnKey] = [], _ lists: [Links.List] = [], _ known: Links.Known
  ) -> Links.Outcome {
    let keys = Dictionary(grouping: own, by: \.row)
    let outcome = Links.column("project", own: keys, lists: lists, known)
    let other = Links.column(
      "project", own: keys.mapValues { $0.reversed() }, lists: lists.reversed(), known)
    #expect(outcome.targets == other.targets, "the order in which statements are given tells")
    return outcome
  }

  private func waits(_ row: Int, for target: Int) -> Links.Pending {
    .init(end: "project", owner: row, target: target)
  }

  private func listWaits(_ owner: Int, for row: Int) -> Links.Pending {
    .init(end: "tasks", owner: owner, target: row)
  }

  // MARK: Targets that only one row may reference

  @Test func rowWithTheLastStatementGetsAnExclusiveTarget() {
    var facts = known([3: 10])
    facts.exclusive = [10]
    let keys = [own(1, 10, at: 2), own(2, 10, at: 1), own(3, 11, at: 3), own(4, 11, at: 4)]
    #expect(decide(keys, [], facts).targets == [1: 10, 2: none, 3: 11, 4: 11])
  }

  @Test func rowWhosePendingLinkIsNotMadeKeepsItsLink() {
    var facts = known([2: 11], new: [10], pending: [waits(2, for: 10)])
    facts.exclusive = [10]
    #expect(decide([own(1, 10, at: 1)], [], facts).targets == [1: 10, 2: 11])
  }

  @Test func rowWithTheLastStatementWaitsForAnExclusiveTarget() {
    var facts = known(absent: [10], pending: [waits(3, for: 10)])
    facts.exclusive = [10]
    let outcome = decide([own(1, 10, at: 2), own(2, 10, at: 1)], [], facts)
    #expect(outcome.pending == [waits(1, for: 10): 2])
    #expect(outcome.forgotten == [waits(3, for: 10)])
  }

  // MARK: Keys

  @Test func keySetsTheLink() {
    #expect(decide([own(1, 10, at: 1)], [], known()).targets == [1: 10])
  }

  @Test func nullClearsTheLink() {
    #expect(decide([own(1, nil, at: 1)], [], known([1: 10])).targets == [1: none])
  }

  @Test func keyOfAMissingRowIsPendingAndKeepsTheLink() {
    let outcome = decide([own(1, 11, at: 1)], [], known([1: 10], absent: [11]))
    #expect(outcome.targets == [1: 10])
    #expect(outcome.pending == [waits(1, for: 11): 1])
  }

  @Test func lastResolvableKeyIsLinkedAndLastKeyIsPending() {
    let outcome = decide(
      [own(1, 10, at: 1), own(1, 11, at: 2), own(1, 12, at: 3)], [], known(absent: [11, 12]))
    #expect(outcome.targets == [1: 10])
    #expect(outcome.pending == [waits(1, for: 12): 3])
  }

  @Test func nullDropsAPendingKey() {
    let outcome = decide([own(1, 11, at: 1), own(1, nil, at: 2)], [], known(absent: [11]))
    #expect(outcome.pending.isEmpty)
  }

  @Test func aStaleRowsKeyChangesNothing() {
    let outcome = decide([own(1, 11, at: 1, stale: true)], [], known([1: 10]))
    #expect(outcome.targets[1] == 10)
  }

  // MARK: Lists

  @Test func aListWinsOverTheKeyOfARowInIt() {
    #expect(decide([own(1, 11, at: 9)], [list(10, [1], at: 1)], known()).targets == [1: 10])
  }

  @Test func aLaterListWinsOverAnEarlierOne() {
    #expect(decide([], [list(10, [1], at: 1), list(11, [1], at: 2)], known()).targets == [1: 11])
  }

  @Test func aRowThatACompleteListLacksIsUnlinked() {
    #expect(decide([], [list(10, [], at: 1)], known([1: 10])).targets == [1: none])
  }

  @Test func aPartialListOnlyAdds() {
    let outcome = decide([], [list(10, [2], at: 1, complete: false)], known([1: 10]))
    #expect(outcome.targets == [2: 10])
  }

  @Test func lastCompleteListAndLaterPartialListsDecide() {
    let lists = [
      list(10, [1], at: 1), list(10, [2], at: 2), list(10, [3], at: 3, complete: false),
    ]
    #expect(decide([], lists, known([1: 10])).targets == [1: none, 2: 10, 3: 10])
  }

  @Test func completeListOverridesKeyOfARowItLacks() {
    #expect(decide([own(1, 10, at: 9)], [list(10, [], at: 1)], known()).targets == [1: none])
  }

  @Test func requiredKeyIsAppliedEvenIfAListLacksItsRow() {
    let outcome = decide([own(1, 10, at: 9)], [list(10, [], at: 1)], known([1: 11], required: true))
    #expect(outcome.targets == [1: 10])
  }

  @Test func requiredLinkIsKeptAndReportedIfAListLacksTheRow() {
    let outcome = decide([], [list(10, [], at: 4)], known([1: 10], required: true))
    #expect(outcome.targets == [1: 10])
    #expect(outcome.kept.map(\.row) == [1] && outcome.kept.map(\.statement) == [4])
  }

  @Test func listPolicyDeletesRowThatPayloadLacks() {
    let lists = [list(10, [], at: 1, policy: .hardDeleteMissing)]
    #expect(decide([], lists, known([1: 10])).missing[1]?.policy == .hardDeleteMissing)
    let held = decide([], lists, known([1: 10], held: [1]))
    #expect(held.missing.isEmpty && held.targets == [1: none])
  }

  @Test func listLinkToAMissingRowIsPending() {
    let outcome = decide([], [list(10, [1], at: 1)], known(absent: [1]))
    #expect(outcome.pending == [listWaits(10, for: 1): 1])
  }

  @Test func lastOfTwoListsKeepsPendingLinkToMissingRow() {
    let outcome = decide([], [list(10, [1], at: 1), list(11, [1], at: 2)], known(absent: [1]))
    #expect(outcome.pending == [listWaits(11, for: 1): 2])
  }

  @Test func listOfADeletedOwnerIsIgnored() {
    #expect(decide([], [list(10, [1], at: 1)], known(absent: [10])).targets[1] == nil)
  }

  // MARK: Stale rows

  @Test func staleListAddsAndRemovesNoRows() {
    let lists = [list(10, [1], at: 1, stale: true)]
    let outcome = decide([], lists, known([1: 11, 2: 10]))
    #expect(outcome.targets[1] ?? 11 == 11 && outcome.targets[2] ?? 10 == 10)
  }

  @Test func staleListThatMatchesStoredLinkOverridesEarlierList() {
    let lists = [list(11, [1], at: 1), list(10, [1], at: 2, stale: true)]
    #expect(decide([], lists, known([1: 10])).targets == [1: 10])
  }

  @Test func listOfStoredParentUnlinksRowThatAStaleListLacks() {
    let lists = [list(11, [], at: 1, stale: true), list(10, [], at: 3)]
    #expect(decide([own(1, 11, at: 2)], lists, known([1: 10])).targets[1] == .some(nil))
    #expect(decide([own(1, 11, at: 2)], [lists[0]], known([1: 10])).targets[1] == 10)
  }

  @Test func newRowWithoutKeyGetsOwnerOfStaleListAsParent() {
    let lists = [list(10, [1], at: 1, nested: [1], stale: true)]
    #expect(decide([], lists, known(new: [1])).targets == [1: 10])
    #expect(decide([own(1, 11, at: 2)], lists, known(new: [1])).targets == [1: 11])
  }

  // MARK: What is required

  @Test func nullForARequiredLinkIsRefusedUnlessAListGivesIt() {
    #expect(decide([own(1, nil, at: 5)], [], known(new: [1], required: true)).refused == [1: 5])
    let given = decide([own(1, nil, at: 5)], [list(10, [1], at: 1)], known(new: [1], required: true))
    #expect(given.refused.isEmpty && given.targets == [1: 10])
  }

  @Test func newRowIsLinkedToRequiredOwnerThatNestsIt() {
    let lists = [list(10, [1], at: 1, nested: [1]), list(10, [], at: 2)]
    #expect(decide([], lists, known(new: [1], required: true)).targets == [1: 10])
  }

  // MARK: The call's parent, and objects without identity

  @Test func theCallsParentWinsOverLists() {
    var known = known()
    known.given = [1: own(1, 12, at: 1)]
    #expect(decide([own(1, 11, at: 8)], [list(10, [1], at: 9)], known).targets == [1: 12])
  }

  @Test func linkUsedByAnObjectWithoutIdentityIsKept() {
    var known = known([1: 10])
    known.fixed = [1: 10]
    #expect(decide([own(1, 11, at: 8)], [list(12, [1], at: 9)], known).targets == [1: 10])
  }

  // MARK: Remembered links

  @Test func pendingLinkIsSetWhenItsRowArrives() {
    let key = decide([], [], known(new: [10], pending: [waits(1, for: 10)]))
    #expect(key.targets == [1: 10] && key.recalled == [waits(1, for: 10)])
    let list = decide([], [], known(new: [1], pending: [listWaits(10, for: 1)]))
    #expect(list.targets == [1: 10] && list.recalled == [listWaits(10, for: 1)])
  }

  @Test func pendingLinkIsOverriddenByKeysAndLists() {
    let pending = [waits(1, for: 10)]
    #expect(decide([own(1, 11, at: 1)], [], known(new: [10], pending: pending)).targets == [1: 11])
    #expect(decide([], [list(11, [1], at: 1)], known(new: [10], pending: pending)).targets == [1: 11])
    let complete = decide([], [list(10, [], at: 1)], known(new: [10], pending: pending))
    #expect(complete.targets[1] ?? nil == nil)
  }

  @Test func keyOrListOfTheRowRemovesItsPendingLink() {
    let pending = [waits(1, for: 12)]
    let place = Links.Place(end: "project", row: 1)
    #expect(decide([own(1, 10, at: 1)], [], known(absent: [12], pending: pending)).settled.contains(place))
    #expect(decide([], [list(10, [1], at: 1)], known(absent: [12], pending: pending)).settled.contains(place))
  }

  @Test func newPendingLinkOfAnotherListReplacesTheOldOne() {
    let pending = [listWaits(10, for: 1)]
    let outcome = decide([], [list(11, [1], at: 1)], known(absent: [1], pending: pending))
    #expect(outcome.forgotten == [listWaits(10, for: 1)])
  }
}

import Testing

@testable import Syncline

/// Tests the functions that decide links: the contract's table of operation masks, and other rules.
@Suite struct LinkDecisionTests {
  private static let one = SyncIdentity.integer(1)
  private static let two = SyncIdentity.integer(2)

  /// The decision about a known row's link to 1.
  private func decide(_ statement: ToOneDecision.Statement, _ row: MaskRow) -> ToOneDecision {
    guard LinkMask.applies(row.mask, isNew: false) else { return .keep }
    return ToOneDecision(
      statement, .init(), mask: LinkMask(row.mask, isNew: false))
  }

  /// The decision about a known row's list [1, 2].
  private func decide(_ list: [Int64], creating new: Set<Int64> = [], _ row: MaskRow) -> [SyncIdentity] {
    let current: Set<SyncIdentity> = [Self.one, Self.two]
    guard LinkMask.applies(row.mask, isNew: false) else { return current.sorted() }
    let mask = LinkMask(row.mask, isNew: false)
    var decision = ToManyDecision(current: current, canAdd: mask.canAdd, isComplete: mask.canRemove)
    for element in list {
      let isKept = mask.creates || !new.contains(element)
      decision.add(.integer(element), isKept: isKept, exists: true)
    }
    return current.subtracting(decision.removed).union(decision.added).sorted()
  }

  private func identities(_ list: [SyncJSON]) -> [SyncIdentity] {
    list.compactMap { if case .number(let number) = $0 { number.integer.map { .integer($0) } } else { nil } }
  }

  // MARK: Masks

  @Test(arguments: MaskRow.all) func newRowIsLinkedOnlyIfMaskHasInsert(_ row: MaskRow) {
    #expect(LinkMask.applies(row.mask, isNew: true) == row.linksNewRow)
    // All links of a new row are set, whatever the mask.
    #expect(LinkMask(row.mask, isNew: true).canAdd)
    let decision = ToOneDecision(
      .named(Self.two, isStored: true), .init(isNew: true), mask: LinkMask(row.mask, isNew: true))
    #expect(decision == .hold(Self.two))
  }

  @Test(arguments: MaskRow.all) func keyOfAKnownRowIsSetAsMaskAllows(_ row: MaskRow) {
    #expect(decide(.named(Self.two, isStored: true), row) == (row.setsKey ? .hold(Self.two) : .keep))
  }

  @Test(arguments: MaskRow.all) func nullClearsLinkOnlyIfMaskHasDelete(_ row: MaskRow) {
    #expect(decide(.null, row) == (row.clears ? .hold(nil) : .keep))
  }

  @Test(arguments: MaskRow.all) func listOfAKnownRowAddsAndRemovesAsMaskAllows(_ row: MaskRow) {
    #expect(decide([2, 3], row) == identities(row.list))
    #expect(decide([], row) == identities(row.emptyList))
  }

  @Test(arguments: MaskRow.all) func nestedRowsAreCreatedAndChangedAsMaskAllows(_ row: MaskRow) {
    #expect(decide([2, 3], creating: [3], row) == identities(row.nestedList))
    let isLooked = LinkMask.applies(row.mask, isNew: false)
    let mode = RowMode.nested(row.mask, policies: [])
    #expect((isLooked && mode.inserts && LinkMask(row.mask, isNew: false).canAdd) == row.createsUnknown)
    #expect((isLooked && mode.updatesFields) == row.renamesMember)
  }

  // MARK: What else decides

  private let all = LinkMask(.all, isNew: false)

  @Test func keyOfAMissingRowIsPending() {
    let missing = ToOneDecision.Statement.named(Self.two, isStored: false)
    #expect(ToOneDecision(missing, .init(), mask: all) == .wait(Self.two))
    #expect(ToOneDecision(missing, .init(isNew: true, isUnique: true), mask: all) == .wait(Self.two))
    #expect(ToOneDecision(missing, .init(isUnique: true), mask: all) == .wait(Self.two))
  }

  @Test func aOneToOneLinkIsDecidedWithItsOtherEnd() {
    let stored = ToOneDecision.Statement.named(Self.two, isStored: true)
    #expect(ToOneDecision(stored, .init(isUnique: true), mask: all) == .pair(Self.two))
    #expect(ToOneDecision(.null, .init(isUnique: true), mask: all) == .pair(nil))
    // Clearing a required link is rejected.
    let required = ToOneDecision.Link(isOptional: false, isUnique: true)
    #expect(ToOneDecision(.null, required, mask: all) == .hold(nil))
  }

  @Test func aStaleRowChangesNoLink() {
    let mask = LinkMask(.all, isNew: false, isStale: true)
    #expect(!mask.canAdd && !mask.canRemove)
    #expect(ToOneDecision(.null, .init(isUnique: true), mask: mask) == .keep)
  }

  @Test func listElementsAreAddedOnceAndUnkeptMembersStay() {
    var decision = ToManyDecision(current: [Self.one, Self.two], canAdd: true, isComplete: true)
    #expect(decision.add(Self.two, isKept: false, exists: true) == .member)
    #expect(decision.add(.integer(3), exists: true) == .added)
    #expect(decision.add(.integer(3), exists: true) == .ignored)
    #expect(decision.add(.integer(4), isKept: false, exists: false) == .ignored)
    #expect(decision.add(.integer(4), exists: false) == .waits)
    #expect(decision.added == [.integer(3)])
    #expect(decision.waiting == [.integer(4)])
    #expect(decision.removed == [Self.one])
  }
}

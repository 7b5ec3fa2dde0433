import GRDB

/// Links to rows that are not stored yet. They are remembered in the store, and made when the row arrives.
final class PendingLinks {
  unowned(unsafe) let run: Run
  let stored: StoredPendingLinks
  /// What this payload says that relationships wait for.
  private(set) var decisions = PendingDecisions()
  /// All before it were looked at since they were decided.
  private var firstOpen = 0
  /// New rows that an earlier sync may have waited for.
  private(set) var arrivals: [(model: ModelNumber, row: RowKey)] = []
  /// The to-one relationships that the rows of this payload decide by keys of their own, where rows wait for others.
  private(set) var ownLinks: Set<LinkPlace> = []

  init(_ run: Run) {
    self.run = run
    stored = run.storedLinks
  }

  // MARK: Asking

  /// Whether what is remembered changed.
  var hasChanged: Bool { stored.hasChanged }

  /// Whether nothing is remembered of a model's rows, neither by this sync nor by earlier ones.
  func isIdle(_ table: SyncTable) -> Bool { decisions.isEmpty && !stored.hasOwners(of: table) }

  /// Whether a relationship waits for a row since this payload.
  func waits(_ place: LinkPlace, for target: SyncIdentity) -> Bool {
    decisions.number(of: place).map { decisions.targets($0).contains(target) } ?? false
  }

  /// Whether this payload says all that a relationship waits for.
  func isDecided(_ place: LinkPlace) -> Bool {
    decisions.number(of: place).map(decisions.isComplete) ?? false
  }

  /// Whether a relationship waits for any row since this payload; nil where nothing was decided of it.
  func waits(_ place: LinkPlace) -> Bool? { decisions.number(of: place).map(decisions.hasTargets) }

  // MARK: What the payload says

  /// Remembers what a relationship waits for; nothing, when the payload decided it otherwise.
  func decide(
    _ place: LinkPlace, waitsFor targets: [SyncIdentity], begin: Int, isComplete: Bool = true,
    _ problem: @autoclosure () -> ProblemPlace
  ) {
    if targets.isEmpty, !isComplete { return }
    let known = decisions.number(of: place)
    if targets.isEmpty, known == nil, !stored.hasOwners(of: place.end.table) { return }
    // Of two lists of a row the one that begins later counts, whichever is read first.
    if let known, decisions.begin(known) > begin, place.end.isToMany || run.isReordered { return }
    if !isComplete, let known {
      if !decisions.hasTargets(known) { decisions.set(problem().parts, at: known) }
      return decisions.add(targets, at: known)
    }
    if !targets.isEmpty { run.rows(place.end.owner).notes.hasWaiting = true }
    decisions.decide(
      place, at: known, waitsFor: targets, begin: begin, isComplete: isComplete,
      targets.isEmpty ? nil : problem().parts)
  }

  /// Remembers that the payload says what a row is linked to, where rows wait for others.
  func noteOwnLink(_ place: LinkPlace) {
    if stored.hasEntries { ownLinks.formUnion([place] + otherCases(of: place)) }
  }

  /// Goes on waiting for those rows of a list that it waited for already.
  func keep(_ targets: [SyncIdentity], of list: ListStatement) throws {
    guard !targets.isEmpty else { return }
    let waiting = try stored.targets(of: list.place)
    decide(
      list.place, waitsFor: targets.filter(waiting.contains), begin: list.begin, isComplete: false,
      list.problem)
  }

  /// Forgets a row that a list waits for.
  func forget(_ target: SyncIdentity, at place: LinkPlace) {
    guard let known = decisions.number(of: place) else { return }
    decisions.set(decisions.targets(known).filter { $0 != target }, at: known)
  }

  /// Forgets the key that a row waits with: the other end names the row.
  ///
  /// - Parameter begin: where the other end does so: a key of this payload counts that begins later.
  func forgetKey(_ place: LinkPlace, saidBefore begin: Int = 0) {
    let place = LinkPlace(end: place.end, owner: RowKey(identity: place.owner.identity))
    forgetOtherCases(than: place)
    if let known = decisions.number(of: place) {
      if decisions.begin(known) < begin { decisions.set([], at: known) }
    } else if stored.hasOwners(of: place.end.table) {
      decisions.decide(place, at: nil, waitsFor: [], begin: 0, isComplete: true)
    }
  }

  /// Forgets the keys that the other cases of a union wait with, of which one is told now.
  func forgetOtherCases(than place: LinkPlace) {
    for other in otherCases(of: LinkPlace(end: place.end, owner: RowKey(identity: place.owner.identity))) {
      if let known = decisions.number(of: other) {
        decisions.set([], at: known)
      } else if stored.hasOwners(of: other.end.table) {
        decisions.decide(other, at: nil, waitsFor: [], begin: 0, isComplete: true)
      }
    }
  }

  /// The other cases of a union, where a relationship is one.
  private func otherCases(of place: LinkPlace) -> [LinkPlace] {
    guard let gate = place.end.table.unionGates[place.end.position] else { return [] }
    let model = run.rows(place.end.owner)
    return gate.otherColumns.compactMap { model.end($0).map { LinkPlace(end: $0, owner: place.owner) } }
  }

  func didInsert(_ row: RowKey, in model: ModelRows) {
    if stored.hasTargets(in: model.table) { arrivals.append((model.entry.number, row)) }
  }

  /// Forgets what a deleted row waited for.
  func forget(_ row: RowKey, in model: ModelRows) throws {
    if !decisions.isEmpty {
      for case let end? in model.entry.ends { decisions.forget(LinkPlace(end: end, owner: row)) }
    }
    try stored.removeAll(of: model.table, row)
  }

  // MARK: The end

  /// Looks for the rows that links wait for.
  ///
  /// - Parameter link: is called with those whose rows have arrived, and where the payload says so.
  func resolve(_ link: (LinkPlace, SyncIdentity, _ begin: Int) throws -> Void) throws {
    let open = firstOpen..<decisions.count
    firstOpen = open.upperBound
    for number in open where !decisions.isForgotten(number) && !decisions.isResolved(number) {
      if decisions.hasTargets(number) {
        let place = decisions.place(number)
        let target = run.rows(place.end.target)
        let begin = decisions.begin(number)
        var missing: [SyncIdentity] = []
        for identity in decisions.targets(number) {
          if try target.exists(identity) {
            try link(place, identity, begin)
          } else {
            missing.append(identity)
          }
        }
        decisions.set(missing, at: number)
      }
      decisions.setResolved(number, true)
    }
  }

  /// Looks once more at what waits: further rows have come.
  func reopen() {
    for number in 0..<decisions.count where decisions.hasTargets(number) {
      decisions.setResolved(number, false)
    }
    firstOpen = 0
  }

  /// Remembers and reports what still waits.
  func finish() throws {
    // They are reported as they stand in the payload, whichever order it is read in.
    let places = resolvedInOrder()
    let owners = latestOwners(places)
    for number in places.lazy.map(Int.init) {
      let place = decisions.place(number)
      let missing = decisions.targets(number).filter { !isOutdone(place, $0, owners) }
      try stored.replace(place, with: missing, keepsOthers: !decisions.isComplete(number))
      for identity in missing {
        if place.end.memberColumn != nil { try stored.removeOthers(than: place, waitingFor: identity) }
        run.log.recordWaiting(waitingLink(number, place, identity))
      }
    }
  }

  /// The places that were looked at, as they stand in the payload.
  private func resolvedInOrder() -> ContiguousArray<UInt32> {
    var places: ContiguousArray<UInt32> = []
    places.reserveCapacity(decisions.count)
    var isInOrder = true
    for number in 0..<decisions.count where !decisions.isForgotten(number) && decisions.isResolved(number) {
      if let last = places.last, decisions.begin(Int(last)) > decisions.begin(number) { isInOrder = false }
      places.append(UInt32(truncatingIfNeeded: number))
    }
    if !isInOrder { places.sort { (decisions.begin(Int($0)), $0) < (decisions.begin(Int($1)), $1) } }
    return places
  }

  private func waitingLink(
    _ number: PendingDecisions.Number, _ place: LinkPlace, _ target: SyncIdentity
  ) -> SyncWaitingLink {
    let (path, row) = decisions.problem(number)
    return SyncWaitingLink(
      model: place.end.table.name, row: row, identity: place.owner.identity.description,
      relationship: place.end.name, target: place.end.targetTable.name, targetIdentity: target.description,
      path: path)
  }

  /// Of the lists that wait for one row, which can have one owner, the one that begins last.
  private func latestOwners(_ places: ContiguousArray<UInt32>) -> [WaitingMember: LinkPlace] {
    var owners: [WaitingMember: (place: LinkPlace, begin: Int)] = [:]
    for number in places.lazy.map(Int.init) {
      let place = decisions.place(number)
      guard place.end.memberColumn != nil else { continue }
      let begin = decisions.begin(number)
      for identity in decisions.targets(number) {
        let member = WaitingMember(end: place.end, identity: identity)
        if let other = owners[member], other.begin > begin { continue }
        owners[member] = (place, begin)
      }
    }
    return owners.mapValues(\.place)
  }

  private struct WaitingMember: Hashable {
    let end: LinkEnd
    let identity: SyncIdentity
  }

  /// Whether a list of the payload says otherwise of what waits.
  private func isOutdone(
    _ place: LinkPlace, _ identity: SyncIdentity, _ owners: [WaitingMember: LinkPlace]
  ) -> Bool {
    if place.end.isColumn { return run.isDecided(place) }
    return owners[WaitingMember(end: place.end, identity: identity)].map { $0.owner != place.owner } ?? false
  }
}

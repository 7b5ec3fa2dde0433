/// Links to rows that are not stored yet. They are saved in the store, and made when the row arrives.
final class PendingLinks {
  unowned(unsafe) let run: Run
  let stored: StoredPendingLinks
  /// The pending targets of relationships in this payload.
  private(set) var decisions = PendingDecisions()
  /// The index of the first decision whose targets may not be looked up yet.
  private var firstOpen = 0
  /// New rows that pending links of earlier syncs may reference.
  private(set) var arrivals: [LinkedRow] = []
  /// The to-one links that rows of this payload state themselves. Only noted if the store has pending links.
  private var ownLinks: [LinkEnd: RowMarks] = [:]

  init(_ run: Run) {
    self.run = run
    stored = run.storedLinks
  }

  // MARK: Asking

  /// Whether there are no pending links: neither of this sync nor, for the model's rows, of earlier ones.
  func isIdle(_ table: SyncTable) -> Bool { decisions.isEmpty && !stored.hasOwners(of: table) }

  /// The pending targets of a relationship in this payload.
  func targets(of place: LinkPlace) -> [SyncIdentity] {
    decisions.number(of: place).map { decisions.targets($0) } ?? []
  }

  /// Whether this payload states all pending targets of a relationship.
  func isDecided(_ place: LinkPlace) -> Bool {
    decisions.number(of: place).map(decisions.isComplete) ?? false
  }

  // MARK: Statements of the payload

  /// Sets the pending targets of a relationship. They are empty if the payload decided the relationship otherwise.
  func decide(
    _ place: LinkPlace, waitsFor targets: [SyncIdentity], begin: Int, isComplete: Bool = true,
    _ problem: @autoclosure () -> ProblemPlace
  ) {
    if targets.isEmpty, !isComplete { return }
    let known = decisions.number(of: place)
    if targets.isEmpty, known == nil, !stored.hasOwners(of: place.end.table) { return }
    // If a row has two lists, the one that begins later wins, whichever is read first.
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

  /// Decides that a row still waits for the target of its stored pending link. The payload must not have stated the link before.
  func waitAgain(_ place: LinkPlace, for target: SyncIdentity, begin: Int, _ problem: ProblemPlace) {
    decisions.decide(place, waitsAgainFor: target, begin: begin, problem.parts)
  }

  /// Whether a row has a stored pending link to a target that is not stored, and the payload has not stated the link before.
  func isWaiting(_ place: LinkPlace, for target: SyncIdentity) throws -> Bool {
    try !place.end.isUnique && place.end.table.unionGates[place.end.position] == nil
      && stored.entry(of: place) == .waits(for: target) && decisions.number(of: place) == nil
  }

  /// Notes that the payload states a row's link, if the store has pending links.
  func noteOwnLink(_ place: LinkPlace) {
    guard stored.hasEntries else { return }
    ownLinks[place.end, default: RowMarks()].insert(place.owner, .named)
    for other in run.otherCases(of: place) {
      ownLinks[other.end, default: RowMarks()].insert(other.owner, .named)
    }
  }

  func isOwnLink(_ place: LinkPlace) -> Bool {
    ownLinks[place.end]?.contains(place.owner, .named) ?? false
      || decisions.number(of: place).map(decisions.isStored) ?? false
  }

  /// Forgets the pending key of a row, since the other end decides the link.
  ///
  /// - Parameter begin: where the other end's statement begins. A key of this payload that begins later stays.
  func forgetKey(_ place: LinkPlace, saidBefore begin: Int = 0) {
    forgetOtherCases(than: place)
    forget(LinkPlace(end: place.end, owner: RowKey(identity: place.owner.identity)), saidBefore: begin)
  }

  /// Forgets the pending keys of a union's other cases, since the payload now states one case.
  func forgetOtherCases(than place: LinkPlace) {
    let place = LinkPlace(end: place.end, owner: RowKey(identity: place.owner.identity))
    for other in run.otherCases(of: place) { forget(other, saidBefore: .max) }
  }

  private func forget(_ place: LinkPlace, saidBefore begin: Int) {
    if let known = decisions.number(of: place) {
      if decisions.begin(known) < begin { decisions.set([], at: known) }
    } else if stored.hasOwners(of: place.end.table) {
      decisions.decide(place, at: nil, waitsFor: [], begin: 0, isComplete: true)
    }
  }

  func didInsert(_ row: RowKey, in model: ModelRows) throws {
    try stored.removeOrphans(of: model.table, row)
    if stored.hasTargets(in: model.table) { arrivals.append(LinkedRow(model.entry.number, row)) }
  }

  func forget(_ row: RowKey, in model: ModelRows) throws {
    if !decisions.isEmpty {
      for case let end? in model.entry.ends { decisions.forget(LinkPlace(end: end, owner: row)) }
    }
    try stored.removeAll(of: model.table, row)
  }

  // MARK: The end

  /// - Parameter link: is called with each link whose target has arrived, and where it begins in the payload.
  func resolve(_ link: (LinkPlace, SyncIdentity, _ begin: Int) throws -> Void) throws {
    let open = firstOpen..<decisions.count
    firstOpen = open.upperBound
    for number in open where !decisions.isForgotten(number) {
      if decisions.isStored(number), !mayHaveArrived(number) {
        // The target was not stored when the payload was read, and has not arrived since.
      } else if decisions.hasTargets(number) {
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
    }
  }

  /// Whether this sync may have inserted a target that was not stored.
  private func mayHaveArrived(_ number: PendingDecisions.Number) -> Bool {
    let target = run.rows(decisions.end(number).target)
    guard target.named.newCount > 0 else { return false }
    return decisions.targets(number).contains { target.journal.isInserted(RowKey(identity: $0)) }
  }

  /// Saves and reports the links that are still pending.
  func finish() throws {
    stored.closeScans()
    // They are reported in payload order, whatever the order of reading.
    let places = placesInOrder()
    let owners = latestOwners(places)
    for number in places.lazy.map(Int.init) {
      let place = decisions.place(number)
      if decisions.isStored(number), !run.isDecided(place) {
        run.log.recordWaiting(
          run.waitingLink(place, decisions.targets(number)[0], decisions.problem(number)))
        continue
      }
      let missing = decisions.targets(number).filter { !isDecidedByList(place, $0, owners) }
      try stored.replace(place, with: missing, keepsOthers: !decisions.isComplete(number))
      for identity in missing {
        if place.end.memberColumn != nil { try stored.removeOthers(than: place, waitingFor: identity) }
        run.log.recordWaiting(run.waitingLink(place, identity, decisions.problem(number)))
      }
    }
  }

  /// The places of the decisions, in payload order. The targets of all of them were looked up.
  private func placesInOrder() -> ContiguousArray<UInt32> {
    var places: ContiguousArray<UInt32> = []
    places.reserveCapacity(decisions.count)
    var isInOrder = true
    for number in 0..<decisions.count where !decisions.isForgotten(number) {
      if let last = places.last, decisions.begin(Int(last)) > decisions.begin(number) { isInOrder = false }
      places.append(UInt32(truncatingIfNeeded: number))
    }
    if !isInOrder { places.sort { (decisions.begin(Int($0)), $0) < (decisions.begin(Int($1)), $1) } }
    return places
  }

  /// For each row that several lists wait for, the list that begins last, since the row can have one owner.
  private func latestOwners(_ places: ContiguousArray<UInt32>) -> [WaitingMember: LinkPlace] {
    var owners: [WaitingMember: (place: LinkPlace, begin: Int)] = [:]
    for number in places.lazy.map(Int.init) where decisions.end(number).memberColumn != nil {
      let place = decisions.place(number)
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

  /// Whether a list of the payload decides the pending link otherwise.
  private func isDecidedByList(
    _ place: LinkPlace, _ identity: SyncIdentity, _ owners: [WaitingMember: LinkPlace]
  ) -> Bool {
    if place.end.isColumn { return run.isDecided(place) }
    return owners[WaitingMember(end: place.end, identity: identity)].map { $0.owner != place.owner } ?? false
  }
}

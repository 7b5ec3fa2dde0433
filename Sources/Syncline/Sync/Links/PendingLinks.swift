import GRDB

/// Links to rows that are not stored yet. They are remembered in the store, and made when the row arrives.
final class PendingLinks {
  /// What this payload says a relationship of a row waits for.
  struct Decision {
    var targets: [SyncIdentity]
    /// Where the statement begins in the text of the payload.
    let begin: Int
    /// Whether it is all that the relationship waits for.
    var isComplete = true
    /// Where a target that stays away is reported.
    var path = ""
    var row: Int?
  }

  unowned(unsafe) let run: SyncRun
  let stored: StoredPendingLinks
  private(set) var decisions: [LinkPlace: Decision] = [:]
  /// The models whose rows wait since this payload.
  private var waitingModels: Set<ModelNumber> = []
  private var order: [LinkPlace] = []
  /// The places that were looked at since they were decided.
  private var resolved: [LinkPlace] = []
  /// New rows that an earlier sync may have waited for.
  private(set) var arrivals: [(model: ModelNumber, row: RowKey)] = []
  /// The to-one relationships that the rows of this payload decide by keys of their own, where rows wait for others.
  private(set) var ownLinks: Set<LinkPlace> = []

  init(_ run: SyncRun) {
    self.run = run
    stored = StoredPendingLinks(run.database)
  }

  // MARK: Asking

  /// Whether what is remembered changed.
  var hasChanged: Bool { stored.hasChanged }

  /// Whether rows of a model wait for others, or others for them.
  func mayConcern(_ model: ModelRows) -> Bool {
    waitingModels.contains(model.entry.number) || stored.hasOwners(of: model.table)
      || stored.hasTargets(in: model.table)
  }

  /// Whether nothing is remembered of a model's rows, neither by this sync nor by earlier ones.
  func isIdle(_ table: SyncTable) -> Bool { decisions.isEmpty && !stored.hasOwners(of: table) }

  /// Whether a relationship waits for a row since this payload.
  func waits(_ place: LinkPlace, for target: SyncIdentity) -> Bool {
    decisions[place]?.targets.contains(target) ?? false
  }

  /// Whether a relationship waits for any row since this payload; nil where nothing was decided of it.
  func waits(_ place: LinkPlace) -> Bool? { decisions[place].map { !$0.targets.isEmpty } }

  // MARK: What the payload says

  /// Remembers what a relationship waits for; nothing, when the payload decided it otherwise.
  func decide(
    _ place: LinkPlace, waitsFor targets: [SyncIdentity], begin: Int, isComplete: Bool = true,
    _ problem: @autoclosure () -> ProblemPlace
  ) {
    if targets.isEmpty, !isComplete { return }
    if targets.isEmpty, decisions[place] == nil, !stored.hasOwners(of: place.end.table) { return }
    // Of two lists of a row the one that begins later counts, whichever is read first.
    if let other = decisions[place], other.begin > begin, place.end.isToMany || run.isReordered { return }
    if !isComplete, var decision = decisions[place] {
      if decision.targets.isEmpty {
        let problem = problem()
        (decision.path, decision.row) = (problem.path, problem.row)
      }
      decision.targets += targets.filter { !decision.targets.contains($0) }
      decisions[place] = decision
      return
    }
    if decisions[place] == nil { order.append(place) }
    if !targets.isEmpty { waitingModels.insert(place.end.owner) }
    let problem = targets.isEmpty ? nil : problem()
    decisions[place] = Decision(
      targets: targets, begin: begin, isComplete: isComplete, path: problem?.path ?? "", row: problem?.row)
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
    if decisions[place] != nil { decisions[place]?.targets.removeAll { $0 == target } }
  }

  /// Forgets the key that a row waits with: the other end names the row.
  ///
  /// - Parameter begin: where the other end does so: a key of this payload counts that begins later.
  func forgetKey(_ place: LinkPlace, saidBefore begin: Int = 0) {
    let place = LinkPlace(end: place.end, owner: RowKey(identity: place.owner.identity))
    forgetOtherCases(than: place)
    if let decision = decisions[place] {
      if decision.begin < begin { decisions[place]?.targets = [] }
      return
    }
    guard stored.hasOwners(of: place.end.table) else { return }
    order.append(place)
    decisions[place] = Decision(targets: [], begin: 0)
  }

  /// Forgets the keys that the other cases of a union wait with, of which one is told now.
  func forgetOtherCases(than place: LinkPlace) {
    for other in otherCases(of: LinkPlace(end: place.end, owner: RowKey(identity: place.owner.identity))) {
      if decisions[other] != nil {
        decisions[other]?.targets = []
      } else if stored.hasOwners(of: other.end.table) {
        order.append(other)
        decisions[other] = Decision(targets: [], begin: 0)
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
      for case let end? in model.entry.ends { decisions[LinkPlace(end: end, owner: row)] = nil }
    }
    try stored.removeAll(of: model.table, row)
  }

  // MARK: The end

  /// Makes the links of the payload whose rows have arrived.
  func resolve() throws {
    let places = order
    order = []
    for place in places {
      guard let decision = decisions[place] else { continue }
      let target = run.rows(place.end.target)
      var missing: [SyncIdentity] = []
      for identity in decision.targets {
        if try target.exists(identity) {
          try link(place, to: identity, begin: decision.begin)
        } else {
          missing.append(identity)
        }
      }
      decisions[place]?.targets = missing
      resolved.append(place)
    }
  }

  /// Looks once more at what waits: further rows have come.
  func reopen() {
    order += resolved.filter { decisions[$0]?.targets.isEmpty == false }
    resolved.removeAll { decisions[$0]?.targets.isEmpty == false }
  }

  /// Remembers and reports what still waits.
  func finish() throws {
    let places = resolved.compactMap { place in decisions[place].map { (place: place, begin: $0.begin) } }
    // They are reported as they stand in the payload, whichever order it is read in.
    resolved = places.enumerated().sorted { ($0.1.begin, $0.0) < ($1.1.begin, $1.0) }.map(\.1.place)
    let owners = latestOwners(resolved)
    for place in resolved {
      guard let decision = decisions[place] else { continue }
      let missing = decision.targets.filter { !isOutdone(place, $0, owners) }
      try stored.replace(place, with: missing, keepsOthers: !decision.isComplete)
      for identity in missing {
        if place.end.memberColumn != nil { try stored.removeOthers(than: place, waitingFor: identity) }
        run.log.recordWaiting(
          SyncWaitingLink(
            model: place.end.table.name, row: decision.row, identity: place.owner.identity.description,
            relationship: place.end.name, target: place.end.targetTable.name,
            targetIdentity: identity.description, path: decision.path))
      }
    }
  }

  /// Of the lists that wait for one row, which can have one owner, the one that begins last.
  private func latestOwners(_ places: [LinkPlace]) -> [WaitingMember: LinkPlace] {
    var owners: [WaitingMember: LinkPlace] = [:]
    for place in places where place.end.memberColumn != nil {
      guard let decision = decisions[place] else { continue }
      for identity in decision.targets {
        let member = WaitingMember(end: place.end, identity: identity)
        if let other = owners[member], decisions[other]?.begin ?? 0 > decision.begin { continue }
        owners[member] = place
      }
    }
    return owners
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

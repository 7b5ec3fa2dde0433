import GRDB

/// Links to rows that are not stored yet. They are remembered in the store, and made when the row arrives.
final class PendingLinks {
  /// What this payload says a relationship of a row waits for.
  private struct Decision {
    let model: ModelSession
    let position: Int
    let owner: RowKey
    var targets: [SyncIdentity]
    /// Where the statement begins in the text of the payload.
    let begin: Int
    /// Whether it is all that the relationship waits for.
    var isComplete = true
    /// Where a target that stays away is reported.
    let path: String
    let row: Int?
  }

  private var decisions: [LinkPlace: Decision] = [:]
  /// The models whose rows wait since this payload.
  private var waitingModels: Set<ObjectIdentifier> = []
  private var order: [LinkPlace] = []
  /// The places that were looked at since they were decided.
  private var resolved: [LinkPlace] = []
  /// New rows that an earlier sync may have waited for.
  private var arrivals: [(model: ModelSession, key: RowKey)] = []
  private let stored: StoredPendingLinks

  init(_ database: Database) {
    stored = StoredPendingLinks(database)
  }

  /// Whether earlier syncs left anything to wait for.
  var hasEntries: Bool { stored.hasEntries }
  /// Whether what is remembered changed.
  var hasChanged: Bool { stored.hasChanged }

  /// Whether rows of a model wait for others since an earlier sync.
  func hasOwners(of table: SyncTable) -> Bool { stored.hasOwners(of: table) }

  /// Whether rows of a model wait for others, or others for them.
  func mayConcern(_ model: ModelSession) -> Bool {
    waitingModels.contains(model.id) || stored.hasOwners(of: model.table)
      || stored.hasTargets(in: model.table)
  }

  /// Whether nothing is remembered of a model's rows, neither by this sync nor by earlier ones.
  func isIdle(_ table: SyncTable) -> Bool { decisions.isEmpty && !hasOwners(of: table) }

  /// Remembers what a relationship waits for; nothing, when the payload decided it otherwise.
  func decide(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, waitsFor targets: [SyncIdentity], begin: Int,
    isComplete: Bool = true, _ problem: @autoclosure () -> ProblemPlace
  ) {
    let place = LinkPlace(model: model.id, position: position, owner: owner)
    if targets.isEmpty, !isComplete { return }
    if targets.isEmpty, decisions[place] == nil, !hasOwners(of: model.table) { return }
    // Of two lists of a row the one that begins later counts, whichever is read first.
    if let other = decisions[place], other.begin > begin, model.table.properties[position].isToMany { return }
    if !isComplete, let earlier = decisions[place] {
      decisions[place]?.targets = earlier.targets + targets.filter { !earlier.targets.contains($0) }
      return
    }
    if decisions[place] == nil { order.append(place) }
    if !targets.isEmpty { waitingModels.insert(model.id) }
    let problem = targets.isEmpty ? nil : problem()
    decisions[place] = Decision(
      model: model, position: position, owner: owner, targets: targets, begin: begin, isComplete: isComplete,
      path: problem?.path ?? "", row: problem?.row)
  }

  /// Goes on waiting for those rows of a list that it waited for already.
  func keep(_ targets: [SyncIdentity], of list: ListStatement) throws {
    guard !targets.isEmpty else { return }
    let waiting = try stored.targets(list.owner, list.position, list.key)
    decide(
      list.owner, list.position, list.key, waitsFor: targets.filter(waiting.contains), begin: list.begin,
      isComplete: false, list.place)
  }

  /// Forgets the key that a row waits with: the other end names the row.
  ///
  /// - Parameter begin: where the other end does so: a key of this payload counts that begins later.
  func forgetKey(_ model: ModelSession, _ position: Int, _ identity: SyncIdentity, saidBefore begin: Int = 0)
  {
    let owner = RowKey(identity: identity)
    let place = LinkPlace(model: model.id, position: position, owner: owner)
    if let decision = decisions[place] {
      if decision.begin < begin { decisions[place]?.targets = [] }
      return
    }
    guard hasOwners(of: model.table) else { return }
    order.append(place)
    decisions[place] = Decision(
      model: model, position: position, owner: owner, targets: [], begin: 0, path: "", row: nil)
  }

  func didInsert(_ model: ModelSession, _ key: RowKey) {
    if stored.hasTargets(in: model.table) { arrivals.append((model, key)) }
  }

  /// Forgets what a deleted row waited for.
  func forget(_ model: ModelSession, _ key: RowKey) throws {
    if !decisions.isEmpty {
      for position in model.table.properties.indices where model.table.properties[position].isRelationship {
        decisions[LinkPlace(model: model.id, position: position, owner: key)] = nil
      }
    }
    try stored.removeAll(of: model.table, key)
  }

  // MARK: The end

  /// Makes the links of the payload whose rows have arrived.
  func resolve(in session: SyncSession) throws {
    let places = order
    order = []
    for place in places {
      guard let decision = decisions[place],
        let related = decision.model.table.properties[place.position].related
      else { continue }
      let target = try session.models(related)
      var missing: [SyncIdentity] = []
      for identity in decision.targets {
        if try target.exists(identity) {
          try link(decision, identity, target, in: session)
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
  func finish(in session: SyncSession) throws {
    let owners = latestOwners(resolved)
    for place in resolved {
      guard let decision = decisions[place],
        let related = decision.model.table.properties[place.position].related
      else { continue }
      let property = decision.model.table.properties[place.position]
      let target = try session.models(related).table
      let missing = decision.targets.filter { !isOutdone(decision, $0, owners) }
      try stored.replace(
        decision.model, decision.position, decision.owner, with: missing, of: target,
        keepsOthers: !decision.isComplete)
      for identity in missing {
        if property.isInverse {
          try stored.removeOthers(decision.model, decision.position, decision.owner, member: identity)
        }
        session.waits(
          SyncWaitingLink(
            model: decision.model.table.name, row: decision.row,
            identity: decision.owner.identity.description,
            relationship: property.name, target: target.name, targetIdentity: identity.description,
            path: decision.path))
      }
    }
  }

  /// Of the lists that wait for one row, which can have one owner, the one that begins last.
  private func latestOwners(_ places: [LinkPlace]) -> [LinkKey: LinkPlace] {
    var owners: [LinkKey: LinkPlace] = [:]
    for place in places {
      guard let decision = decisions[place], decision.model.table.properties[place.position].isInverse else {
        continue
      }
      for identity in decision.targets {
        let member = LinkKey(
          model: place.model, position: place.position, owner: RowKey(identity: identity), member: identity)
        if let other = owners[member], decisions[other]?.begin ?? 0 > decision.begin { continue }
        owners[member] = place
      }
    }
    return owners
  }

  /// Whether a list of the payload says otherwise of what waits.
  private func isOutdone(
    _ decision: Decision, _ identity: SyncIdentity, _ owners: [LinkKey: LinkPlace]
  ) -> Bool {
    let (model, position) = (decision.model, decision.position)
    if case .toOne = model.table.properties[position].kind {
      return model.isMarked(decision.owner, at: position)
    }
    let member = LinkKey(
      model: model.id, position: position, owner: RowKey(identity: identity), member: identity)
    return owners[member].map { $0.owner != decision.owner } ?? false
  }

  /// Makes a link of this payload, whose row has arrived, unless the payload says otherwise elsewhere.
  private func link(
    _ decision: Decision, _ identity: SyncIdentity, _ target: ModelSession, in session: SyncSession
  ) throws {
    let (model, position, owner) = (decision.model, decision.position, decision.owner)
    switch model.table.properties[position].kind {
    case .toOne:
      if model.table.properties[position].isUnique {
        model.pairs[position, default: PairClaims()].statements.append(
          .init(begin: decision.begin, holder: owner, partner: identity))
      } else if !model.isMarked(owner, at: position) {
        // The list of the row that it leads to says what there is, and does not name it.
        let isLeftOut = try isListed(at: identity, model, position)
        if isLeftOut, !model.table.properties[position].isOptional { return }
        _ = try model.link(owner, position, to: isLeftOut ? nil : identity)
      }
    case .inverse(_, isToMany: false):
      guard let slot = try model.otherEnd(of: position)?.column else { return }
      target.pairs[slot, default: PairClaims()].statements.append(
        .init(
          begin: decision.begin, holder: RowKey(identity: identity), partner: owner.identity,
          far: (model, position, nil)))
    case .inverse:
      guard let slot = try model.otherEnd(of: position)?.column else { return }
      try session.claimArrived(
        RowKey(identity: identity), for: model, position, owner, begin: decision.begin, in: target, slot)
    case .link:
      // The other end's list was read when the row arrived: which one begins later?
      if let far = try model.otherEnd(of: position),
        far.model.isMarked(RowKey(identity: identity), at: far.position),
        try !session.members(model, position, owner).contains(identity)
      {
        try session.contradict()
      }
      try session.addMember(model, position, owner, identity)
    case .scalar: break
    }
  }

  /// Whether the row that a to-one leads to has a list of those that lead to it, which says what there is.
  private func isListed(at identity: SyncIdentity, _ model: ModelSession, _ position: Int) throws -> Bool {
    guard let far = try model.otherEnd(of: position) else { return false }
    return far.model.isMarked(RowKey(identity: identity), at: far.position)
  }

  /// Makes the links that earlier syncs remembered for the rows that are new now, where this payload does not say
  /// otherwise.
  func linkArrivals(in session: SyncSession) throws {
    for (target, key) in arrivals where target.isInserted(key) {
      for entry in try stored.entries(for: target.table, key.identity) {
        if let owner = session.catalog.tables.first(where: { $0.name == entry.owner }),
          let position = owner.position(of: entry.relationship)
        {
          let model = try session.models(owner)
          let place = LinkPlace(model: model.id, position: position, owner: entry.key)
          // What this payload said of the place counts instead, unless it only adds to it.
          if decisions[place]?.isComplete == true { continue }
          try linkRemembered(model, position, entry.key, key, target)
        }
        try stored.remove(entry)
      }
    }
  }

  private func linkRemembered(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, _ arrived: RowKey, _ target: ModelSession
  ) throws {
    let session = model.session
    guard try model.exists(owner.identity) else { return }
    let far = try model.otherEnd(of: position)
    // The row that arrives says itself what it is linked to.
    if let far, far.column == nil, far.model.isMarked(arrived, at: far.position) { return }
    switch model.table.properties[position].kind {
    case .toOne:
      if model.isMarked(owner, at: position) { return }
      if model.table.properties[position].isUnique {
        model.pairs[position, default: PairClaims()].remember(holder: owner, partner: arrived.identity)
      } else {
        _ = try model.link(owner, position, to: arrived.identity)
      }
    case .inverse(_, let isToMany):
      guard let slot = far?.column,
        !target.ownLinks.contains(LinkPlace(model: target.id, position: slot, owner: arrived))
      else { return }
      if !isToMany {
        target.pairs[slot, default: PairClaims()].remember(
          holder: arrived, partner: owner.identity, far: (model, position, nil))
      } else if !target.isMarked(arrived, at: slot), try target.link(arrived, slot, to: owner.identity) {
        session.links.recordListed(model, position, owner, arrived)
      }
    case .link: try session.addMember(model, position, owner, arrived.identity)
    case .scalar: break
    }
  }
}

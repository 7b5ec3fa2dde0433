/// What the payload says of a one-to-one column, from either end. It is decided when all of it is known.
struct PairClaims {
  struct Statement {
    /// Where it begins in the text of the payload.
    let begin: Int
    /// The row with the column; nil where its partner says that there is none.
    let holder: RowKey?
    /// The row that the column leads to; nil where the holder says that there is none.
    let partner: SyncIdentity?
    /// The end that said it, where it is the partner's.
    var far: (model: ModelSession, position: Int, place: ProblemPlace?)?
    /// Whether an earlier payload said it: then it yields to all that this one says.
    var isRemembered = false
  }

  var statements: [Statement] = []

  /// Adds what an earlier payload said.
  mutating func remember(
    holder: RowKey, partner: SyncIdentity,
    far: (model: ModelSession, position: Int, place: ProblemPlace?)? = nil
  ) {
    statements.append(.init(begin: -1, holder: holder, partner: partner, far: far, isRemembered: true))
  }

  /// What became of the rows at either end: of statements about one row the last one counts.
  struct Outcome {
    var partners: [RowKey: SyncIdentity?] = [:]
    var holders: [SyncIdentity: RowKey?] = [:]
    /// The statements that hold, in the order they begin.
    var held: [Statement] = []
  }

  /// Goes through the statements from the last to the first: each holds unless a later one said otherwise of a row in
  /// it. A row whose own last statement does not hold has no partner.
  func decide() -> Outcome {
    var outcome = Outcome()
    for (_, statement) in statements.enumerated().sorted(by: {
      ($0.element.begin, $0.offset) > ($1.element.begin, $1.offset)
    }) {
      let isHolderFree = statement.holder.map { outcome.partners[$0] == nil } ?? true
      let isPartnerFree = statement.partner.map { outcome.holders[$0] == nil } ?? true
      let holds = isHolderFree && isPartnerFree
      if statement.isRemembered, !holds { continue }
      if let holder = statement.holder, isHolderFree {
        outcome.partners[holder] = .some(holds ? statement.partner : nil)
      }
      if let partner = statement.partner, isPartnerFree {
        outcome.holders[partner] = .some(holds ? statement.holder : nil)
      }
      if holds { outcome.held.append(statement) }
    }
    outcome.held.reverse()
    return outcome
  }
}

extension SyncSession {
  /// Writes what the payload says of one-to-one links.
  func writePairs() throws {
    for model in order {
      for slot in model.pairs.keys.sorted() {
        guard let claims = model.pairs.removeValue(forKey: slot) else { continue }
        model.writtenPairs[slot, default: PairClaims()].statements += claims.statements
        let outcome = claims.decide()
        try clearPartners(outcome, in: model, slot)
        for statement in outcome.held {
          guard let holder = statement.holder, let partner = statement.partner else { continue }
          try link(holder, to: partner, statement, in: model, slot)
          if !statement.isRemembered { try forgetKeys(of: statement, holder, partner, model, slot) }
        }
      }
    }
    try retryHeldPairs()
  }

  /// Forgets the key that the other end waits with.
  private func forgetKeys(
    of statement: PairClaims.Statement, _ holder: RowKey, _ partner: SyncIdentity, _ model: ModelSession,
    _ slot: Int
  ) throws {
    if statement.far != nil {
      pending.forgetKey(model, slot, holder.identity, saidBefore: statement.begin)
    } else if let far = try model.otherEnd(of: slot) {
      pending.forgetKey(far.model, far.position, partner, saidBefore: statement.begin)
    }
  }

  /// Decides one-to-one links again, of which rows were deleted since: what they outdid counts now, as it would if the
  /// payload came again.
  func rewritePairs() throws {
    for model in order {
      for (slot, claims) in model.writtenPairs {
        guard let related = model.table.properties[slot].related else { continue }
        let partners = try models(related)
        let kept = claims.statements.filter { statement in
          statement.holder.map { !model.deletedRows.contains($0) } ?? true
            && statement.partner.map { !partners.deletedRows.contains(RowKey(identity: $0)) } ?? true
        }
        guard kept.count < claims.statements.count else { continue }
        model.writtenPairs[slot] = nil
        model.pairs[slot] = PairClaims(statements: kept)
      }
    }
    try writePairs()
  }

  /// Tries again to make the links that others had a claim to, as long as that helps.
  func retryHeldPairs() throws {
    while !heldPairs.isEmpty {
      let pairs = heldPairs
      heldPairs = []
      for pair in pairs {
        guard let holder = pair.statement.holder, let partner = pair.statement.partner else { continue }
        if let far = pair.statement.far, try !pair.model.exists(holder.identity) {
          // The row was deleted meanwhile: the link waits for it, as it would if the payload came again.
          deletedTargets.note(far.model, far.position, RowKey(identity: partner), holder.identity)
          continue
        }
        try link(holder, to: partner, pair.statement, in: pair.model, pair.slot)
      }
      if heldPairs.count == pairs.count { return }
    }
  }

  /// Reports the one-to-one links that cannot be made.
  func reportHeldPairs() {
    for pair in heldPairs {
      log.record(
        SyncProblem(
          model: pair.model.table.name, row: nil, identity: pair.statement.holder?.identity.description,
          path: pair.model.table.properties[pair.slot].name, reason: pair.error.description,
          action: .keptLink))
    }
    heldPairs = []
  }

  /// Clears the columns of rows that have no partner any more.
  private func clearPartners(_ outcome: PairClaims.Outcome, in model: ModelSession, _ slot: Int) throws {
    guard model.table.properties[slot].isOptional else {
      for statement in outcome.held where statement.holder == nil {
        try reportKeptPartner(statement, outcome, in: model, slot)
      }
      return
    }
    for holder in outcome.partners.filter({ $0.value == nil }).keys.sorted(by: { $0.identity < $1.identity })
    {
      _ = try model.link(holder, slot, to: nil)
    }
    for statement in outcome.held where statement.holder == nil {
      guard let partner = statement.partner, let far = statement.far else { continue }
      for identity in try model.holders(of: partner, at: slot) {
        let holder = RowKey(identity: identity)
        guard outcome.partners[holder] == nil, try model.link(holder, slot, to: nil) else { continue }
        links.recordPartner(far.model, far.position, RowKey(identity: partner), holder)
      }
    }
  }

  /// A row that requires its partner keeps it when the partner lets go.
  private func reportKeptPartner(
    _ statement: PairClaims.Statement, _ outcome: PairClaims.Outcome, in model: ModelSession, _ slot: Int
  ) throws {
    guard let partner = statement.partner, let far = statement.far, let place = far.place else { return }
    for identity in try model.holders(of: partner, at: slot)
    where outcome.partners[RowKey(identity: identity)] == nil {
      log.record(
        SyncProblem(
          model: far.model.table.name, row: place.row, identity: partner.description, path: place.path,
          reason: "\(model.table.name) \(identity) is missing, and its"
            + " “\(model.table.properties[slot].name)” is required", action: .keptRow))
    }
  }

  private func link(
    _ holder: RowKey, to partner: SyncIdentity, _ statement: PairClaims.Statement, in model: ModelSession,
    _ slot: Int
  ) throws {
    do {
      let former = statement.far == nil ? [] : try model.holders(of: partner, at: slot)
      let isLinked = try model.link(holder, slot, to: partner)
      guard let far = statement.far, isLinked || model.isInserted(holder) else { return }
      links.recordPartner(far.model, far.position, RowKey(identity: partner), holder)
      for identity in former where identity != holder.identity {
        links.recordPartner(far.model, far.position, RowKey(identity: partner), RowKey(identity: identity))
      }
    } catch let error as PartnerTaken {
      heldPairs.append(HeldPair(model: model, slot: slot, statement: statement, error: error.error))
    }
  }
}

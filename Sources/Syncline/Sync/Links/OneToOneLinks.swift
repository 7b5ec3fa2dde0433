/// The one-to-one links of a payload, by the columns that store them.
final class OneToOneLinks {
  private unowned(unsafe) let run: Run
  private let pending: PendingLinks
  private let deletedTargets: DeletedTargets
  private var claims: [LinkEnd: PairClaims] = [:]
  /// What was said where it is written.
  private var written: [LinkEnd: PairClaims] = [:]
  /// Links that take a partner from a row that requires it, where invalid rows are skipped.
  private var held: [HeldPair] = []

  private struct HeldPair {
    let column: LinkEnd
    let statement: PairClaims.Statement
    let error: SyncError
  }

  init(_ run: Run, _ pending: PendingLinks, _ deletedTargets: DeletedTargets) {
    self.run = run
    self.pending = pending
    self.deletedTargets = deletedTargets
  }

  /// Remembers what one end says.
  func state(_ statement: PairClaims.Statement, at column: LinkEnd) {
    claims[column, default: PairClaims()].statements.append(statement)
  }

  /// The columns of the rows that are held.
  var heldPlaces: Set<LinkPlace> {
    Set(held.compactMap { pair in pair.statement.holder.map { LinkPlace(end: pair.column, owner: $0) } })
  }

  // MARK: Writing

  /// Writes what the payload says.
  func write() throws {
    let unwritten = claims
    claims = [:]
    for (column, claims) in unwritten where try !written.isEmpty || concernOthers(claims, column) {
      try run.logLinks()
    }
    for (column, claims) in unwritten.sorted(by: { $0.key < $1.key }) {
      written[column, default: PairClaims()].statements += claims.statements
      let outcome = claims.decide()
      try clearPartners(outcome, column)
      for statement in outcome.held {
        guard let holder = statement.holder, let partner = statement.partner else { continue }
        let place = LinkPlace(end: column, owner: holder)
        try link(place, to: partner, statement)
        if !statement.isRemembered { forgetKeys(of: statement, place, partner) }
      }
    }
    try retryHeld()
  }

  /// Whether statements concern the same rows, or take a partner from a row that requires it.
  private func concernOthers(_ claims: PairClaims, _ column: LinkEnd) throws -> Bool {
    var (holders, partners): (Set<RowKey>, Set<SyncIdentity>) = ([], [])
    for statement in claims.statements {
      if statement.isRemembered { return true }
      if let holder = statement.holder, !holders.insert(holder).inserted { return true }
      guard let partner = statement.partner else { continue }
      if !partners.insert(partner).inserted { return true }
      guard !column.isOptional else { continue }
      let others = try run.rows(column.owner).holders(of: partner, at: column.position)
      if others.contains(where: { $0 != statement.holder?.identity }) { return true }
    }
    return false
  }

  /// Forgets the key that the other end waits with.
  private func forgetKeys(of statement: PairClaims.Statement, _ place: LinkPlace, _ partner: SyncIdentity) {
    if statement.far != nil {
      pending.forgetKey(place, saidBefore: statement.begin)
    } else if let far = place.end.inverse {
      pending.forgetKey(
        LinkPlace(end: far, owner: RowKey(identity: partner)), saidBefore: statement.begin)
    }
  }

  /// Decides links again, of which rows were deleted since: what they outdid counts now, as it would if the payload came
  /// again.
  func rewrite() throws {
    for (column, claims) in written {
      let holders = run.rows(column.owner).journal.deleted
      let partners = run.rows(column.target).journal.deleted
      let kept = claims.statements.filter { statement in
        statement.holder.map { !holders.contains($0) } ?? true
          && statement.partner.map { !partners.contains(RowKey(identity: $0)) } ?? true
      }
      guard kept.count < claims.statements.count else { continue }
      written[column] = nil
      self.claims[column] = PairClaims(statements: kept)
    }
    try write()
  }

  /// Tries again to make the links that others had a claim to, as long as that helps.
  func retryHeld() throws {
    while !held.isEmpty {
      let pairs = held
      held = []
      for pair in pairs {
        guard let holder = pair.statement.holder, let partner = pair.statement.partner else { continue }
        if let far = pair.statement.farPlace, try !run.rows(pair.column.owner).exists(holder.identity) {
          // The row was deleted meanwhile: the link waits for it, as it would if the payload came again.
          deletedTargets.note(holder.identity, at: far)
          continue
        }
        try link(LinkPlace(end: pair.column, owner: holder), to: partner, pair.statement)
      }
      if held.count == pairs.count { return }
    }
  }

  private func link(_ place: LinkPlace, to partner: SyncIdentity, _ statement: PairClaims.Statement) throws {
    let (column, holder) = (place.end, place.owner)
    let model = run.rows(column.owner)
    do {
      let former = statement.far == nil ? [] : try model.holders(of: partner, at: column.position)
      let isLinked = try model.link(holder, at: column.position, to: partner)
      guard let far = statement.farPlace, isLinked || model.journal.isInserted(holder) else { return }
      run.ledger.recordPartner(holder, at: far)
      for identity in former where identity != holder.identity {
        run.ledger.recordPartner(RowKey(identity: identity), at: far)
      }
    } catch let error as PartnerTaken {
      held.append(HeldPair(column: column, statement: statement, error: error.error))
    }
  }

  // MARK: Clearing

  /// Clears the columns of rows that have no partner any more.
  private func clearPartners(_ outcome: PairClaims.Outcome, _ column: LinkEnd) throws {
    let model = run.rows(column.owner)
    guard column.isOptional else {
      for statement in outcome.held where statement.holder == nil {
        try reportKeptPartner(statement, outcome, column)
      }
      return
    }
    for holder in outcome.partners.filter({ $0.value == nil }).keys.sorted(by: { $0.identity < $1.identity })
    {
      _ = try model.link(holder, at: column.position, to: nil)
    }
    for statement in outcome.held where statement.holder == nil {
      guard let partner = statement.partner, let far = statement.farPlace else { continue }
      for identity in try model.holders(of: partner, at: column.position) {
        let holder = RowKey(identity: identity)
        guard outcome.partners[holder] == nil, try model.link(holder, at: column.position, to: nil) else {
          continue
        }
        run.ledger.recordPartner(holder, at: far)
      }
    }
  }

  /// A row that requires its partner keeps it when the partner lets go.
  private func reportKeptPartner(
    _ statement: PairClaims.Statement, _ outcome: PairClaims.Outcome, _ column: LinkEnd
  ) throws {
    guard let partner = statement.partner, let far = statement.far, let problem = far.problem else { return }
    for identity in try run.rows(column.owner).holders(of: partner, at: column.position)
    where outcome.partners[RowKey(identity: identity)] == nil {
      run.log.record(
        SyncProblem(
          model: far.end.table.name, row: problem.row, identity: partner.description, path: problem.path,
          .missingRequired(
            model: column.table.name, identity: identity.description, column: column.name),
          action: .keptRow))
    }
  }

  /// Reports the links that cannot be made.
  func reportHeld() {
    for pair in held {
      run.log.record(
        SyncProblem(
          model: pair.column.table.name, row: nil, identity: pair.statement.holder?.identity.description,
          path: pair.column.name, reason: pair.error.description, action: .keptLink))
    }
    held = []
  }
}

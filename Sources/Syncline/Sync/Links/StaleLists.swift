/// Lists of rows that are as old as what is stored. They change no membership, but the rows' own keys yield to them as they
/// do to others: what a payload says twice ends as it did when it was new.
extension ChildLists {
  func noteStale(_ list: inout ListStatement) throws {
    guard let column = list.column else { return }
    let owner = list.place.owner
    // Its members keep the row as their parent.
    list.current = Set(try run.members(of: list.place))
    // Where it says anything else than what is stored, it is decided with all others.
    if list.hasUnreadableElements || Set(list.elements.map(\.identity)) != list.current { try run.logLinks() }
    if run.isDecided(list.place) {
      // Another list of the row.
      try run.noteOrderTells()
      let named = claims[column]?.named ?? [:]
      if !named.isEmpty { claims[column]?.named = named.filter { $0.value != owner.identity } }
    }
    run.noteDecided(list.place)
    list.owner.notes.stale.insert(owner, .named)
    let lastOfAll = claims[column]?.lastBegin ?? -1
    claims[column, default: ListClaims()].lastBegin = max(list.begin, lastOfAll)
    var rest = list.current
    var missing: [SyncIdentity] = []
    for element in list.elements {
      let member = LinkPlace(end: column, owner: list.member(element.identity))
      if rest.remove(element.identity) != nil {
        if list.target.journal.isInserted(member.owner) { try run.noteOrderTells() }
        run.noteDecided(member)
        if let claim = claims[column]?.claims[member.owner], claim.begin < list.begin {
          claims[column]?.claims[member.owner] = nil
        }
      } else if !list.current.contains(element.identity) {
        if try !list.target.exists(element.identity) { missing.append(element.identity) }
        // Its own key took it away before.
        if change(of: member, to: owner) < 0 { try run.logLinks() }
        claims[column, default: ListClaims()].named[member.owner] = owner.identity
      }
    }
    if !missing.isEmpty { try run.noteOrderTells() }
    try pending.keep(missing, of: list)
    for identity in rest {
      let member = LinkPlace(end: column, owner: list.member(identity))
      if change(of: member, to: owner) > 0 || list.target.journal.isInserted(member.owner) {
        try run.logLinks()
      }
    }
  }

  /// Notes the new rows that stand in a stale list. They get its owner as parent where nothing else is said: else they would
  /// have none, as long as the owner stays as it is.
  func noteStanding(_ list: ListStatement) throws {
    guard let column = list.column, list.target.table.parentScope == nil else { return }
    let owner = list.place.owner.identity
    for element in list.elements where element.nested != nil {
      let member = LinkPlace(end: column, owner: list.member(element.identity))
      let isMade = list.target.journal.isInserted(member.owner)
      guard isMade || element.outcome == .waits else { continue }
      pending.noteOwnLink(member)
      // It stands in the list, which has waited for it.
      if isMade { pending.forget(element.identity, at: list.place) }
      if claims[column]?.standing[member.owner] ?? owner != owner { try run.logLinks() }
      claims[column, default: ListClaims()].standing[member.owner] = owner
    }
  }

  /// Begins again where new rows that stand in stale lists are said to have another parent, or none.
  func checkStanding() throws {
    for (column, claims) in claims where column.isOptional {
      let model = run.rows(column.owner)
      for (row, owner) in claims.standing where model.journal.isInserted(row) {
        let place = LinkPlace(end: column, owner: row)
        if run.isDecided(place) || model.isGiven(row, at: column.position) { continue }
        let target = try model.target(of: row, at: column.position)
        if target == nil || (target == owner && pending.waits(place) == true) { try run.logLinks() }
      }
    }
  }

  /// What became of a member's link to an owner in this sync.
  func change(of member: LinkPlace, to owner: RowKey) -> Int {
    run.ledger.change(of: Link(place: member, member: owner.identity))
  }
}

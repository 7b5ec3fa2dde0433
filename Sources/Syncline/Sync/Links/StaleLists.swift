/// Lists of rows that are as old as what is stored. They change no membership, but the rows' own keys yield to them as they
/// do to others: what a payload says twice ends as it did when it was new.
extension SyncSession {
  func noteStale(_ list: inout ListStatement) throws {
    guard let slot = list.slot else { return }
    // Its members keep the row as their parent.
    list.current = Set(try members(list.owner, list.position, list.key))
    guard !list.hasUnreadableElements else { return }
    if list.owner.isMarked(list.key, at: list.position), let named = list.target.claims[slot]?.named {
      // Another list of the row.
      list.target.claims[slot]?.named = named.filter { $0.value != list.key.identity }
    }
    list.owner.mark(list.key, at: list.position)
    list.owner.staleRows.insert(list.key, .named)
    let lastOfAll = list.target.claims[slot]?.lastBegin ?? -1
    list.target.claims[slot, default: ListClaims()].lastBegin = max(list.begin, lastOfAll)
    var rest = list.current
    var missing: [SyncIdentity] = []
    for element in list.elements {
      let member = list.member(element.identity)
      if rest.remove(element.identity) != nil {
        list.target.mark(member, at: slot)
        if let claim = list.target.claims[slot]?.claims[member], claim.begin < list.begin {
          list.target.claims[slot]?.claims[member] = nil
        }
        if decidesListsAtEnd { list.target.claims[slot, default: ListClaims()].kept[member] = list.begin }
      } else if !list.current.contains(element.identity) {
        if try !list.target.exists(element.identity) { missing.append(element.identity) }
        // Its own key took it away before.
        if links.change(of: member, in: list.target, slot, to: list.key.identity) < 0 { try contradict() }
        list.target.claims[slot, default: ListClaims()].named[member] = list.key.identity
      }
    }
    try pending.keep(missing, of: list)
    for identity in rest {
      let member = list.member(identity)
      let isLinked = links.change(of: member, in: list.target, slot, to: list.key.identity) > 0
      if isLinked || list.target.isInserted(member) { try contradict() }
    }
  }
}

/// What the list of a row that a key leads to says of it.
enum ListedRow {
  /// There is no list, or the row is in it.
  case linked
  /// The list does not have the row.
  case unlisted
  /// The list does not have the row, and is as old as what is stored.
  case kept
}

extension ModelSession {
  /// What the list of the row that a key leads to says, where that row's list has been read and no list has this one.
  func listed(_ key: RowKey, _ position: Int, at target: SyncIdentity) throws -> ListedRow {
    let owner = RowKey(identity: target)
    guard let far = try otherEnd(of: position), far.model.isMarked(owner, at: far.position) else {
      return .linked
    }
    guard far.model.staleRows.contains(owner, .named) else { return .unlisted }
    return claims[position]?.named[key] == target ? .linked : .kept
  }
}

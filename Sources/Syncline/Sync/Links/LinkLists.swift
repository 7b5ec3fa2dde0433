/// Lists whose links are stored in a table of their own. They are written as they are read: of two lists that
/// contradict each other the one that begins later is written later, and so counts.
extension SyncSession {
  func settleLinks(_ list: ListStatement) throws {
    guard case .link(let link) = list.owner.table.properties[list.position].kind else { return }
    let members = list.isFirst && !decidesListsAtEnd ? [] : try members(list.owner, list.position, list.key)
    let current = Set(members)
    var added: [SyncIdentity] = []
    var isDesired: Set<SyncIdentity> = []
    isDesired.reserveCapacity(list.elements.count)
    var waiting: [SyncIdentity] = []
    var isWaiting: Set<SyncIdentity> = []
    var isSkipped = false
    for element in list.elements {
      let isMember = current.contains(element.identity)
      if element.outcome == .left, !isMember { continue }
      if element.outcome == .waits, skipsInvalidRows {
        // Where the row is skipped in the end, the list keeps its other members.
        let member = list.member(element.identity)
        if setAside.object(of: member, in: list.target) != nil { try contradict() }
        isSkipped = isSkipped || list.target.isSkipped(member)
      }
      if try isMember || list.target.exists(element.identity) {
        if isDesired.insert(element.identity).inserted, !isMember, list.canAdd {
          added.append(element.identity)
        }
      } else if list.canAdd, isWaiting.insert(element.identity).inserted {
        waiting.append(element.identity)
      }
    }
    let removed = list.isComplete && !isSkipped ? current.subtracting(isDesired).sorted() : []
    pending.decide(
      list.owner, list.position, list.key, waitsFor: waiting, begin: list.begin,
      isComplete: list.isComplete, list.place)
    try noteList(
      list.owner, list.position, list.key, link, begin: list.begin, isComplete: list.isComplete,
      changes: list.policy == nil ? added + removed + waiting : added + waiting)
    for identity in added { try addMember(list.owner, list.position, list.key, identity) }
    if !removed.isEmpty { try remove(removed, link, list) }
  }

  private func remove(_ removed: [SyncIdentity], _ link: LinkTable, _ list: ListStatement) throws {
    guard let policy = list.policy else {
      for identity in removed { try unlink(list.owner, list.position, link, list.key, identity) }
      return
    }
    if policy.policy == .none { return }
    if list.isHeldBack { return reportHeldBack(list) }
    deferredDeletions.append(
      DeferredDeletion(
        model: list.target, keys: removed.map { RowKey(identity: $0) }, policy: policy.policy))
  }

  /// Remembers that a row has a list of its links, where the other end may have one too.
  func noteList(
    _ owner: ModelSession, _ position: Int, _ key: RowKey, _ link: LinkTable, begin: Int,
    isComplete: Bool = true, changes: [SyncIdentity]
  ) throws {
    guard let far = try owner.otherEnd(of: position) else { return }
    let hasList = owner.isMarked(key, at: position)
    if isComplete { owner.mark(key, at: position) }
    let last = lastLinkLists[link.name] ?? -1
    lastLinkLists[link.name] = max(last, begin)
    guard begin < last, !changes.isEmpty else { return }
    if hasList || changes.contains(where: { far.model.isMarked(RowKey(identity: $0), at: far.position) }) {
      try contradict()
    }
  }
}

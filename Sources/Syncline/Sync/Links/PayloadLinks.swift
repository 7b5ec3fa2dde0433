/// The links of one payload: statements about them, pending links, and deletions because of missing members.
final class PayloadLinks {
  unowned(unsafe) let run: Run
  let pending: PendingLinks
  let lists: ChildLists
  let linkLists: LinkLists
  let pairs: OneToOneLinks
  let missing: MissingRows
  /// The logged statements; nil unless links are decided at the end of the payload.
  let statements: LinkStatements?
  let settlement: LinkSettlement
  /// Rows that the operations do not insert where they are nested. If they are inserted elsewhere, they are linked here, too.
  private var uninserted: Set<LinkedRow> = []

  init(_ run: Run) {
    self.run = run
    pending = PendingLinks(run)
    missing = MissingRows(run)
    pairs = OneToOneLinks(run, pending, missing)
    lists = ChildLists(run, pending, missing: missing)
    linkLists = LinkLists(run, pending, missing)
    statements = run.mode.logsLinks ? LinkStatements(run.catalog) : nil
    settlement = LinkSettlement(run, statements ?? LinkStatements(run.catalog), pending)
  }

  /// Notes a list of a stale row. If it differs from the stored list, the call restarts and logs all link statements.
  func noteStale(_ list: ListStatement) throws {
    // Without an inverse, no other statement concerns these links.
    guard list.column != nil || list.place.end.inverse != nil else { return }
    let members = Set(try run.members(of: list.place))
    if list.hasUnreadableElements || Set(list.elements.map(\.identity)) != members { try run.logLinks() }
    try lists.noteStale(list, members)
    if list.place.end.linkTable != nil { try linkLists.note(list.place) }
  }

  func noteNotInserted(_ identity: SyncIdentity, of model: ModelNumber) {
    uninserted.insert(LinkedRow(model, identity))
  }

  /// Decides a list after the rows nested in it were synced.
  func settle(_ list: ListStatement) throws {
    if !list.isHeldBack { run.noteListOfPage(list.place) }
    for identity in list.uninserted where try !list.target.exists(identity) {
      noteNotInserted(identity, of: list.place.end.target)
    }
    try lists.settle(list)
    try linkLists.settle(list)
  }

  func decide() throws {
    for row in uninserted where try run.rows(row.model).exists(row.key.identity) { try run.logLinks() }
    try resolveArrived()
    try linkArrivals()
    try pairs.write()
    try lists.write()
  }
}

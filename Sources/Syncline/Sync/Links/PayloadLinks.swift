/// The links of one payload: what is said of them, what waits for other rows, and what is deleted with the missing ones.
final class PayloadLinks {
  let pending: PendingLinks
  let arrived: ArrivedLinks
  let lists: ChildLists
  let linkLists: LinkLists
  let closedLists: ClosedLists
  let pairs: OneToOneLinks
  let required: RequiredLinks
  let missing: MissingRows
  let deletedTargets: DeletedTargets

  init(_ run: Run) {
    pending = PendingLinks(run)
    deletedTargets = DeletedTargets(run, pending)
    missing = MissingRows(run, DeleteRules(run, pending, deletedTargets), deletedTargets)
    pairs = OneToOneLinks(run, pending, deletedTargets)
    required = RequiredLinks(run, pairs)
    lists = ChildLists(run, pending, missing, required)
    linkLists = LinkLists(run, pending, missing)
    closedLists = ClosedLists(run, pending, lists, linkLists)
    arrived = ArrivedLinks(run, pending, lists, pairs)
  }

  /// Decides what a list says when the rows nested in it are synced.
  func settle(_ list: ListStatement) throws {
    try lists.settle(list)
    try linkLists.settle(list)
  }

  /// Decides the links that the payload has said something of so far.
  func decide() throws {
    try arrived.resolve()
    try closedLists.decide()
    try arrived.resolve()
    try arrived.linkArrivals()
    try pairs.write()
    try lists.write()
  }
}

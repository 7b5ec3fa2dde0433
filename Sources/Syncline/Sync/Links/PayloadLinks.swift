/// The links of one payload: what is said of them, what waits for other rows, and what is deleted with the missing ones.
final class PayloadLinks {
  let pending: PendingLinks
  let arrived: ArrivedLinks
  let lists: ChildLists
  let linkLists: LinkLists
  let pairs: OneToOneLinks
  let required: RequiredLinks
  let missing: MissingRows
  /// What the payload says of links, and how they are settled, where that is done when all of it is known.
  let statements: LinkStatements?
  let settlement: LinkSettlement?
  let deletedTargets: DeletedTargets

  init(_ run: Run) {
    pending = PendingLinks(run)
    deletedTargets = DeletedTargets(run, pending)
    missing = MissingRows(run, DeleteRules(run, pending, deletedTargets), deletedTargets)
    pairs = OneToOneLinks(run, pending, deletedTargets)
    required = RequiredLinks(run, pairs)
    lists = ChildLists(run, pending, missing: missing, required: required)
    linkLists = LinkLists(run, pending, missing)
    statements = run.mode.logsLinks ? LinkStatements(run.catalog) : nil
    settlement = statements.map { [pending, required] in LinkSettlement(run, $0, pending, required: required)
    }
    arrived = ArrivedLinks(run, pending, lists: lists, pairs: pairs)
  }

  /// Decides what a list says when the rows nested in it are synced.
  func settle(_ list: ListStatement) throws {
    try lists.settle(list)
    try linkLists.settle(list)
  }

  /// Decides the links that the payload has said something of so far.
  func decide() throws {
    try arrived.resolve()
    try arrived.linkArrivals()
    try pairs.write()
    try lists.write()
  }
}

/// What is kept from one page of a run to the next.
///
/// It is changed within the pages' transactions, and read between them.
final class PageNotes: @unchecked Sendable {
  /// What would be missing if the page were the last; nil where nothing is deleted.
  let unseen: UnseenRows?
  /// How many rows the pages before had; nil where the pages are no whole list, and rows have no place in it.
  var rowCount: Int?
  /// How many the last page had.
  var lastRowCount = 0
  /// The tables of the models that pages touched.
  var models: Set<String> = []

  /// Rows that a list no longer has, whose schema says that they are deleted.
  struct LeftOut {
    let rows: [RowKey]
    let list: LinkPlace
    let policy: DeletionPolicy
  }

  private(set) var leftOut: [LeftOut] = []

  init(unseen: UnseenRows?) {
    self.unseen = unseen
  }

  /// Remembers rows that a list no longer has: another page may have them, and a run that fails deletes nothing.
  ///
  /// - Returns: true, so that they are not deleted now.
  func leaveOut(_ rows: [RowKey], of list: LinkPlace, _ policy: DeletionPolicy) -> Bool {
    leftOut.append(LeftOut(rows: rows, list: list, policy: policy))
    return true
  }
}

/// The end of a run of pages: what is missing is deleted.
struct PagesEnd: Sendable {
  let missing: [SyncIdentity]
  /// Whether no page had a row, and nothing is deleted for that.
  let isHeldBack: Bool

  func delete(in run: SyncRun, of request: SyncRequest) throws {
    let table = request.entry.table
    if isHeldBack {
      run.log.record(
        SyncProblem(
          model: table.name, identity: nil, path: request.path ?? "", .emptyPayload, action: .deletedNothing))
    }
    let rows = run.rows(request.entry.number)
    let parent = table.parentScope == nil ? nil : request.scope?.parent
    try run.settle {
      try run.missing.delete(
        missing.map { RowKey(identity: $0, parent: parent) }, in: rows, request.policy, isOfSlice: true)
      for leftOut in request.pages?.leftOut ?? [] { try delete(leftOut, in: run) }
    }
    try run.pending.resolve()
    try run.pending.finish()
  }

  private func delete(_ leftOut: PageNotes.LeftOut, in run: SyncRun) throws {
    let members = Set(try run.members(of: leftOut.list))
    let rows = leftOut.rows.filter { members.contains($0.identity) }
    try run.missing.delete(rows, in: run.rows(leftOut.list.end.target), leftOut.policy)
  }
}

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

  /// What lists of the pages before have left out, and no page since has named.
  private(set) var leftOut: [LeftOutRows] = []
  /// The same with what the last page says, until it is stored.
  private var next: [LeftOutRows] = []

  init(unseen: UnseenRows?) {
    self.unseen = unseen
  }

  /// Takes over what lists of a page leave out. What the page names itself is not left out, whichever page said so.
  func readPage(_ run: Run, _ links: PayloadLinks) {
    next = (leftOut + links.missing.leftOut).compactMap { leftOut in
      let target = run.rows(leftOut.list.end.target)
      let rows = leftOut.rows.filter { !target.isNamed($0) }
      return rows.isEmpty ? nil : LeftOutRows(rows: rows, list: leftOut.list, policy: leftOut.policy)
    }
  }

  /// Whether a cursor behind the page that is read leaves nothing behind: what lists have left out is known here alone.
  var isAllStored: Bool { next.isEmpty }

  /// The page is stored.
  func storePage() {
    leftOut = next
    rowCount = rowCount.map { $0 + lastRowCount }
  }
}

/// The end of a run of pages: what is missing is deleted.
struct PagesEnd: Sendable {
  let missing: [SyncIdentity]
  /// Whether no page had a row, and nothing is deleted for that.
  let isHeldBack: Bool
}

/// State that is kept from one page of a run to the next.
///
/// It is changed within the pages' transactions, and read between them.
final class PageNotes: @unchecked Sendable {
  /// The name of the run's cursor: pages with different names are different lists.
  let name: String
  /// The rows that no page has contained yet; nil if nothing is deleted.
  let unseen: UnseenRows?
  /// Whether all pages so far are lists whose resources all have a model. If not, nothing is deleted.
  var areWhole = true
  /// How many rows the earlier pages had; nil if the pages are not the whole list, so that rows have no place in it.
  var rowCount: Int?
  var lastRowCount = 0
  /// The tables of the models that pages touched.
  var models: Set<String> = []
  /// Whether a page had new values for a row that was kept unchanged. If so, no later cursor is stored.
  var hasSkippedValues = false

  /// The rows that lists of earlier pages left out, by list. Those that another page has only leave the list.
  private(set) var leftOut: [LinkPlace: [LeftOutRows]] = [:]
  /// The lists that the last page replaces in ``leftOut`` or adds to it, until that page is stored.
  private var next: [LinkPlace: [LeftOutRows]] = [:]

  init(_ name: String, unseen: UnseenRows?) {
    self.name = name
    self.unseen = unseen
  }

  /// Adds the rows that lists of a page leave out. A list that the page has again replaces the earlier one.
  func readPage(_ links: PayloadLinks) {
    next = [:]
    for list in links.run.listsOfPage where leftOut[list] != nil { next[list] = [] }
    for rows in links.missing.leftOut {
      next[rows.list, default: leftOut[rows.list] ?? []].append(rows)
    }
  }

  /// Whether the page's cursor may be stored. Left-out rows are only in memory: a run resumed there would not delete them.
  var isAllStored: Bool { next.count == leftOut.count && next.values.allSatisfy(\.isEmpty) }

  func storePage() {
    for (list, rows) in next { leftOut[list] = rows.isEmpty ? nil : rows }
    rowCount = rowCount.map { $0 + lastRowCount }
  }
}

/// The end of a run of pages, which deletes the missing rows.
struct PagesEnd: Sendable {
  let missing: [SyncIdentity]
  /// Rows that no page had, but that `confirm` or `absences` keeps: nested lists do not delete them either.
  let kept: Set<SyncIdentity>
  /// Whether nothing is deleted because no page had a row.
  let isHeldBack: Bool
}

/// The kind of a payload. It decides which lists of rows the payload has.
enum PayloadKind: Sendable {
  case list
  case item
  /// A JSON:API document.
  case document(isItem: Bool)
  /// Rows of the models of a union.
  case union(RowUnion, isItem: Bool)
  /// Lists of changes, under keys.
  case changes(SyncChangeKeys)
  /// One of the pages of a list.
  case page(PageNotes, isDocument: Bool = false)
  /// The end of the pages: rows are deleted, and nothing else.
  case end(PagesEnd, PageNotes)

  /// The same kind, or a document if the bytes are one.
  func read(from bytes: SyncPayloadBytes) -> PayloadKind {
    guard bytes.isDocument else { return self }
    switch self {
    case .list, .item: return .document(isItem: isItem)
    case .page(let notes, _): return .page(notes, isDocument: true)
    case .document, .union, .changes, .end: return self
    }
  }

  /// The state that is kept from page to page.
  var notes: PageNotes? {
    switch self {
    case .page(let notes, _), .end(_, let notes): notes
    case .list, .item, .document, .union, .changes: nil
    }
  }

  var isItem: Bool {
    switch self {
    case .item: true
    case .document(let isItem), .union(_, let isItem): isItem
    case .list, .changes, .page, .end: false
    }
  }

  /// Whether a lone object is read as a list of one row: `@OneOrMany` of the model, or of all models of a union.
  func acceptsSingleRow(of table: SyncTable) -> Bool {
    switch self {
    case .list, .page(_, isDocument: false): table.isOneOrMany
    case .union(let union, isItem: false): union.entries.allSatisfy(\.table.isOneOrMany)
    // The lists of changes are checked when they are read, and a document with one object is not a list.
    case .item, .document, .union, .changes, .page, .end: false
    }
  }

  /// Whether rows that are missing from the payload stay, whatever the call's policy.
  var keepsMissing: Bool {
    if case .page = self { return true }
    return isItem
  }

  /// The lists of rows in the payload.
  ///
  /// - Parameter whole: the payload as one list of rows of the call's model.
  func slices(of whole: PayloadSlice, in run: Run) throws -> [PayloadSlice] {
    switch self {
    case .list, .item, .page(_, isDocument: false): [whole]
    case .document, .page: try PayloadDocument.slices(of: whole, in: run, notes)
    case .union(let union, _): try union.slices(of: whole, in: run)
    case .changes(let keys): [try keys.slice(of: whole)]
    case .end: []
    }
  }
}

import Foundation

/// One page of a list: its rows, and where the server goes on behind them.
public struct SyncPage: Sendable {
  /// The JSON of the page.
  public let payload: SyncPayloadBytes
  /// Where the server goes on behind the page; nil where it does not say. It is stored with the page's rows.
  public let cursor: String?
  /// Whether no page follows. A page that has a cursor and is the last one says where the next run begins, as servers do that
  /// answer with a token for what changes later.
  public let isLast: Bool
  /// The cursor that the page was asked for by; nil where that is not known, or the start of the list.
  var askedBy: String?
  /// Whether its cursor is one that was asked for by before.
  var isStuck = false

  /// A page of any payload.
  ///
  /// - Parameters:
  ///   - payload: the JSON of the page.
  ///   - cursor: where the server goes on behind the page.
  ///   - isLast: whether no page follows; nil for a page without a cursor.
  /// - Throws: what ``SyncPayloadSource/syncPayloadBytes()`` throws.
  @_disfavoredOverload
  public init(_ payload: some SyncPayloadSource, cursor: String? = nil, isLast: Bool? = nil) throws {
    self.init(bytes: try payload.syncPayloadBytes(), cursor: cursor, isLast: isLast)
  }

  /// A page of data, such as the body of a response.
  public init(_ data: Data, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: SyncPayloadBytes(data), cursor: cursor, isLast: isLast)
  }

  /// A page of text.
  public init(_ text: String, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: SyncPayloadBytes(Array(text.utf8)), cursor: cursor, isLast: isLast)
  }

  /// A page of a response, whose validator is stored with the page's rows.
  public init(_ response: SyncResponse, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: response.syncPayloadBytes(), cursor: cursor, isLast: isLast)
  }

  /// A page of a JSON:API document.
  public init(_ document: SyncDocument, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: document.syncPayloadBytes(), cursor: cursor, isLast: isLast)
  }

  init(bytes: SyncPayloadBytes, cursor: String?, isLast: Bool?) {
    payload = bytes
    self.cursor = cursor
    self.isLast = isLast ?? (cursor == nil)
  }
}

/// The pages of a list, each asked for by the cursor of the one before.
///
/// ```swift
/// let pages = SyncPages(startingAt: try await container.cursor(for: Task.self)) { cursor in
///   let response = try await api.tasks(after: cursor)
///   return SyncPage(response.body, cursor: response.next)
/// }
/// try await container.sync(pages: pages, at: "items", as: Task.self)
/// ```
public struct SyncPages: AsyncSequence, Sendable {
  public typealias Element = SyncPage

  /// The cursor of the first page; nil for the start of the list.
  public let start: String?
  private let page: @Sendable (String?) async throws -> SyncPage

  /// Pages that a function asks for.
  ///
  /// They end behind the first that ``SyncPage/isLast``. A page whose cursor was asked for by before ends them as well, so that
  /// nothing is asked for without end; it counts as one that others would follow, and the next run begins at the start.
  ///
  /// - Parameters:
  ///   - cursor: that of the first page; nil for the start of the list.
  ///   - page: asks for the page at a cursor.
  public init(
    startingAt cursor: String? = nil, _ page: @escaping @Sendable (_ cursor: String?) async throws -> SyncPage
  ) {
    start = cursor
    self.page = page
  }

  public func makeAsyncIterator() -> Iterator { Iterator(pages: self, cursor: start) }

  /// Asks for one page after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let pages: SyncPages
    fileprivate var cursor: String?
    private var isAtEnd = false
    private var asked: Set<String> = []

    fileprivate init(pages: SyncPages, cursor: String?) {
      self.pages = pages
      self.cursor = cursor
    }

    /// The next page; nil behind the last.
    ///
    /// - Throws: what the function throws that asks for the pages, and `CancellationError`.
    public mutating func next() async throws -> SyncPage? {
      guard !isAtEnd else { return nil }
      try _Concurrency.Task.checkCancellation()
      var page = try await pages.page(cursor)
      page.askedBy = cursor
      if let cursor { asked.insert(cursor) }
      page.isStuck = !page.isLast && page.cursor.map(asked.contains) ?? false
      isAtEnd = page.isLast || page.cursor == nil || page.isStuck
      cursor = page.cursor
      return page
    }
  }
}

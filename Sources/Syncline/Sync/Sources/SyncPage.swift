import Foundation

/// One page of a list: its JSON, and the cursor at which the next page begins.
///
/// A page without a cursor is the last one, unless `isLast` says otherwise.
///
/// ```swift
/// let first = SyncPage(#"[{"id": 7, "name": "urgent"}]"#, cursor: "page 2")
/// print(first.cursor ?? "none", first.isLast)  // page 2 false
///
/// let last = SyncPage(#"[{"id": 8, "name": "text"}]"#)
/// print(last.cursor ?? "none", last.isLast)  // none true
/// ```
///
/// ## Topics
///
/// ### Reading a page
///
/// - ``SyncPage/payload``
/// - ``SyncPage/cursor``
/// - ``SyncPage/isLast``
public struct SyncPage: Sendable {
  /// The JSON of the page.
  public let payload: SyncPayloadBytes
  /// The cursor of the next page; nil if the server gives none. It is stored with the page's rows.
  public let cursor: String?
  /// Whether this is the last page. The cursor of a last page is where the next run begins. Servers use it as a token for later
  /// changes.
  public let isLast: Bool
  /// The cursor that was used to request the page; nil if it is not known, or for the start of the list.
  var askedBy: String?
  /// Whether the page's cursor was already used for a request.
  var isStuck = false

  /// Creates a page from any payload.
  ///
  /// - Parameters:
  ///   - payload: the JSON of the page.
  ///   - cursor: the cursor of the next page.
  ///   - isLast: whether this is the last page; by default, whether it has no cursor.
  /// - Throws: the errors of ``SyncPayloadSource/syncPayloadBytes()``.
  @_disfavoredOverload
  public init(_ payload: some SyncPayloadSource, cursor: String? = nil, isLast: Bool? = nil) throws {
    self.init(bytes: try payload.syncPayloadBytes(), cursor: cursor, isLast: isLast)
  }

  /// Creates a page from data, such as the body of a response.
  public init(_ data: Data, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: SyncPayloadBytes(data), cursor: cursor, isLast: isLast)
  }

  /// Creates a page from a string.
  public init(_ text: String, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: SyncPayloadBytes(Array(text.utf8)), cursor: cursor, isLast: isLast)
  }

  /// Creates a page from a response, whose validator is stored with the page's rows. By default, the cursor of the response is
  /// that of the page.
  public init(_ response: SyncResponse, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: response.syncPayloadBytes(), cursor: cursor, isLast: isLast)
  }

  /// Creates a page from a JSON:API document.
  public init(_ document: SyncDocument, cursor: String? = nil, isLast: Bool? = nil) {
    self.init(bytes: document.syncPayloadBytes(), cursor: cursor, isLast: isLast)
  }

  init(bytes: SyncPayloadBytes, cursor: String?, isLast: Bool?) {
    var (bytes, cursor) = (bytes, cursor)
    // The run stores the cursor of a response, which must not be stored before the run has ended.
    if let response = bytes.response, let next = response.cursor {
      cursor = cursor ?? next
      bytes.response = ResponseBookmark(name: response.name, validator: response.validator, cursor: nil)
    }
    payload = bytes
    self.cursor = cursor
    self.isLast = isLast ?? (cursor == nil)
  }
}

/// An asynchronous sequence that requests the pages of a list, each by the cursor of the page before.
///
/// The closure asks your server for the page at a cursor. It is called when the sync needs the next page.
///
/// ```swift
/// let pages = SyncPages(startingAt: try await container.cursor(for: Tag.self)) { cursor in
///   // Ask your server for the page at the cursor.
///   cursor == nil
///     ? SyncPage(#"[{"id": 7, "name": "urgent"}]"#, cursor: "page 2") : SyncPage(#"[{"id": 8, "name": "text"}]"#)
/// }
/// let report = try await container.sync(pages: pages, as: Tag.self)
/// print(report.inserted)  // 2
/// ```
///
/// ## Topics
///
/// ### Creating pages
///
/// - ``SyncPages/init(startingAt:_:)``
/// - ``SyncPages/start``
///
/// ### Iterating
///
/// - ``SyncPages/makeAsyncIterator()``
/// - ``SyncPages/Iterator``
public struct SyncPages: AsyncSequence, Sendable {
  public typealias Element = SyncPage

  /// The cursor of the first page; nil for the start of the list.
  public let start: String?
  private let page: @Sendable (String?) async throws -> SyncPage

  /// Creates a sequence that requests pages with a closure.
  ///
  /// It ends after the first page that ``SyncPage/isLast``. It also ends after a page whose cursor was already used for a
  /// request, because the requests would never end; that page does not count as the last one, and the next run begins at the
  /// start.
  ///
  /// - Parameters:
  ///   - cursor: the cursor of the first page; nil for the start of the list.
  ///   - page: requests the page at a cursor.
  public init(
    startingAt cursor: String? = nil, _ page: @escaping @Sendable (_ cursor: String?) async throws -> SyncPage
  ) {
    start = cursor
    self.page = page
  }

  public func makeAsyncIterator() -> Iterator { Iterator(pages: self, cursor: start) }

  /// Requests one page after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let pages: SyncPages
    fileprivate var cursor: String?
    private var isAtEnd = false
    private var asked: Set<String> = []

    fileprivate init(pages: SyncPages, cursor: String?) {
      self.pages = pages
      self.cursor = cursor
    }

    /// The next page; nil after the last one.
    ///
    /// - Throws: the errors of the closure, and `CancellationError`.
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

import Foundation

/// An asynchronous sequence that cuts newline-delimited JSON into pages, so that memory holds one page at a time.
///
/// The lines come from a file, or from a body that arrives in parts. The pages have no cursor: after an error the next call
/// begins at the first line.
///
/// ```swift
/// try await container.sync(pages: SyncLinePages(of: URL(filePath: "tasks.ndjson")), as: Task.self)
///
/// let body = AsyncStream<Data> { parts in
///   parts.yield(Data(#"{"id": 1, "title": "Write"}"#.utf8))
///   parts.finish()
/// }
/// try await container.sync(pages: SyncLinePages(body, rowsPerPage: 500), as: Task.self)
/// ```
///
/// ## Topics
///
/// ### Creating pages
///
/// - ``SyncLinePages/init(of:rowsPerPage:)``
/// - ``SyncLinePages/init(_:rowsPerPage:)``
///
/// ### Iterating
///
/// - ``SyncLinePages/makeAsyncIterator()``
/// - ``SyncLinePages/Iterator``
public struct SyncLinePages<Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
  public typealias Element = SyncPage

  private let chunks: Chunks
  private let rowsPerPage: Int

  /// Creates pages from a body that arrives in parts. Parts may end anywhere, even within a line.
  ///
  /// - Parameters:
  ///   - chunks: the parts of the body.
  ///   - rowsPerPage: how many lines make a page.
  public init(_ chunks: Chunks, rowsPerPage: Int = 1_000) {
    self.chunks = chunks
    self.rowsPerPage = Swift.max(1, rowsPerPage)
  }

  public func makeAsyncIterator() -> Iterator { Iterator(chunks.makeAsyncIterator(), rowsPerPage) }

  /// Cuts one page after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private let rowsPerPage: Int
    /// The bytes that were read, where the next page begins, and up to where they were searched for newlines.
    private var bytes: [UInt8] = []
    private var start = 0
    private var position = 0
    private var isAtEnd = false

    fileprivate init(_ chunks: Chunks.AsyncIterator, _ rowsPerPage: Int) {
      self.chunks = chunks
      self.rowsPerPage = rowsPerPage
    }

    /// The next page; nil after the last one. A body without lines is one page without rows.
    ///
    /// - Throws: the errors of the parts.
    public mutating func next() async throws -> SyncPage? {
      if isAtEnd { return nil }
      var rows = 0
      while true {
        while let end = endOfLine() {
          position = end
          rows += 1
          if rows == rowsPerPage { return cut(upTo: end) }
        }
        position = bytes.count
        guard let chunk = try await chunks.next() else { break }
        bytes.removeFirst(start)
        (start, position) = (0, position - start)
        bytes.append(contentsOf: chunk)
      }
      isAtEnd = true
      return cut(upTo: bytes.count)
    }

    /// Where the line at the position ends; nil if its end was not read yet.
    private func endOfLine() -> Int? {
      bytes.withUnsafeBytes { bytes in
        guard position < bytes.count, let start = bytes.baseAddress,
          let end = memchr(start + position, 0x0A, bytes.count - position)
        else { return nil }
        return UnsafeRawPointer(end) - start + 1
      }
    }

    private mutating func cut(upTo end: Int) -> SyncPage {
      let page = SyncPayloadBytes(Array(bytes[start..<end])).lines
      start = end
      return SyncPage(bytes: page, cursor: nil, isLast: nil)
    }
  }
}

extension SyncLinePages: Sendable where Chunks: Sendable {}

extension SyncLinePages where Chunks == SyncFileChunks {
  /// Creates pages from a file.
  ///
  /// - Parameters:
  ///   - file: a file of lines. It is opened when the first page is requested.
  ///   - rowsPerPage: how many lines make a page.
  public init(of file: URL, rowsPerPage: Int = 1_000) {
    self.init(SyncFileChunks(of: file), rowsPerPage: rowsPerPage)
  }
}

/// The bytes of a file in parts.
public struct SyncFileChunks: AsyncSequence, Sendable {
  public typealias Element = Data

  private let file: URL

  /// Creates a sequence of a file's bytes. The file is opened when the first part is requested.
  public init(of file: URL) { self.file = file }

  public func makeAsyncIterator() -> Iterator { Iterator(file) }

  /// Reads one part after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let file: URL
    private var handle: FileHandle?

    fileprivate init(_ file: URL) { self.file = file }

    /// The next part; nil at the end.
    ///
    /// - Throws: the file system's error.
    public mutating func next() async throws -> Data? {
      let handle = try handle ?? FileHandle(forReadingFrom: file)
      self.handle = handle
      guard let part = try handle.read(upToCount: 1 << 16), !part.isEmpty else { return nil }
      return part
    }
  }
}

import Foundation

/// Pages of lines, each of which is a row, cut from a body as it comes, or from a file: memory holds one page at a time.
///
/// ```swift
/// try await container.sync(pages: SyncLinePages(of: file), as: Task.self)
/// try await container.sync(pages: SyncLinePages(response.body.map(\.readableBytesView)), as: Task.self)
/// ```
public struct SyncLinePages<Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
  public typealias Element = SyncPage

  private let chunks: Chunks
  private let rowsPerPage: Int

  /// Pages of a body that comes in parts, wherever these are cut.
  ///
  /// - Parameters:
  ///   - chunks: the parts of the body.
  ///   - rowsPerPage: how many lines make a page.
  public init(_ chunks: Chunks, rowsPerPage: Int = 1_000) {
    self.chunks = chunks
    self.rowsPerPage = Swift.max(1, rowsPerPage)
  }

  public func makeAsyncIterator() -> Iterator { Iterator(chunks.makeAsyncIterator(), rowsPerPage) }

  /// Cuts pages one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private let rowsPerPage: Int
    /// What was read, where the next page begins in it, and how far it was looked through.
    private var bytes: [UInt8] = []
    private var start = 0
    private var position = 0
    private var isAtEnd = false

    fileprivate init(_ chunks: Chunks.AsyncIterator, _ rowsPerPage: Int) {
      self.chunks = chunks
      self.rowsPerPage = rowsPerPage
    }

    /// The next page; nil behind the last. A body without lines is one page without rows.
    ///
    /// - Throws: what the parts throw.
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

    /// Where the line ends that the position is in; nil where its end was not read.
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
  /// Pages of a file.
  ///
  /// - Parameters:
  ///   - file: a file of lines. It is opened when the first page is asked for.
  ///   - rowsPerPage: how many lines make a page.
  public init(of file: URL, rowsPerPage: Int = 1_000) {
    self.init(SyncFileChunks(of: file), rowsPerPage: rowsPerPage)
  }
}

/// The bytes of a file in parts.
public struct SyncFileChunks: AsyncSequence, Sendable {
  public typealias Element = Data

  private let file: URL

  /// The bytes of a file, which is opened when the first part is asked for.
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

import Foundation

/// An asynchronous sequence of the text of an export, in chunks of up to 256 KiB, from one state of the
/// store.
///
/// Requesting the first chunk writes the whole export to a temporary file without a name, from which all chunks are read. So no
/// read of the store stays open while you send a chunk, and memory does not grow with the number of rows. No file remains, even
/// if a loop ends early. Each iterator is a separate export.
///
/// Iterating throws ``SyncError/cancelled``, the file system's error, or the database's.
public struct SyncExportChunks: AsyncSequence, Sendable {
  public typealias Element = Data

  let container: SyncContainer
  let table: SyncTable
  let nulls: SyncExportNulls?
  let write: @Sendable (SyncExportContext, @escaping JSONWriter.Drain) throws -> Void

  public func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

  /// An iterator of the chunks. The export begins when the first chunk is requested.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let chunks: SyncExportChunks
    fileprivate var file: FileHandle?
    fileprivate var isAtEnd = false

    /// Returns the next chunk of the text; nil at the end.
    public mutating func next() async throws -> Data? {
      if isAtEnd { return nil }
      let opened = self.file
      // An error ends the sequence, too.
      (self.file, isAtEnd) = (nil, true)
      guard !_Concurrency.Task.isCancelled else { throw SyncError.cancelled }
      let file = if let opened { opened } else { try await open() }
      guard let part = try file.read(upToCount: JSONWriter.partSize), !part.isEmpty else { return nil }
      (self.file, isAtEnd) = (file, false)
      return part
    }

    private func open() async throws -> FileHandle {
      let write = chunks.write
      return try await chunks.container.readExport(of: chunks.table, nulls: chunks.nulls) { context in
        let file = try ExportFile.temporary()
        try write(context) { try file.write(contentsOf: ExportFile.data($0)) }
        try file.seek(toOffset: 0)
        return file
      }
    }
  }
}

import Foundation

/// The text of an export in parts of up to 256 KiB, from one state of the store.
///
/// The first request reads the store into a file without a name, and all parts come from this file. So however long you take to
/// send a part, no read of the store stays open, and memory stays bounded. A loop that ends early leaves no file. Each loop is a
/// separate export.
///
/// Iterating throws ``SyncError/cancelled``, the file system's error, or the database's.
public struct SyncExportChunks: AsyncSequence, Sendable {
  public typealias Element = Data

  let container: SyncContainer
  let table: SyncTable
  let nulls: SyncExportNulls?
  let write: @Sendable (SyncExportContext, @escaping JSONWriter.Drain) throws -> Void

  public func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

  /// The parts of one export, which begins with the first request.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let chunks: SyncExportChunks
    fileprivate var file: FileHandle?
    fileprivate var isAtEnd = false

    /// Returns the next part of the text; nil at its end.
    public mutating func next() async throws -> Data? {
      if isAtEnd { return nil }
      do {
        guard !_Concurrency.Task.isCancelled else { throw SyncError.cancelled }
        let file = if let file { file } else { try await open() }
        self.file = file
        if let part = try file.read(upToCount: JSONWriter.partSize), !part.isEmpty { return part }
      } catch {
        end()
        throw error
      }
      end()
      return nil
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

    private mutating func end() {
      isAtEnd = true
      file = nil
    }
  }
}

import Foundation

/// A payload of lines, each of which is a row: `.ndjson`, `.jsonl`.
///
/// Lines that are blank are passed over. Text without any line is an empty list.
///
/// ```swift
/// try await container.sync(payload: SyncLines(body), as: Task.self)
/// ```
public struct SyncLines: SyncPayloadSource, Sendable {
  private let bytes: SyncPayloadBytes

  /// Lines of data, which is not copied: a file that is mapped is read where it is.
  public init(_ data: Data) { bytes = SyncPayloadBytes(data).lines }
  /// Lines of a text.
  public init(_ text: String) { bytes = SyncPayloadBytes(Array(text.utf8)).lines }

  public func syncPayloadBytes() -> SyncPayloadBytes { bytes }
}

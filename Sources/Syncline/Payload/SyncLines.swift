import Foundation

/// A newline-delimited JSON payload (`.ndjson`, `.jsonl`), in which each line is a row.
///
/// Blank lines are skipped. A string without lines is an empty list.
///
/// ```swift
/// let body = """
///   {"id": 1, "title": "Write"}
///   {"id": 2, "title": "Publish"}
///   """
/// let report = try await container.sync(payload: SyncLines(body), as: Task.self)
/// print(report.inserted)  // 2
/// ```
///
/// ## Topics
///
/// ### Reading the bytes
///
/// - ``SyncLines/syncPayloadBytes()``
public struct SyncLines: SyncPayloadSource, Sendable {
  private let bytes: SyncPayloadBytes

  /// Lines from data, which is not copied: a memory-mapped file is read in place.
  public init(_ data: Data) { bytes = SyncPayloadBytes(data).lines }
  /// Lines from a string.
  public init(_ text: String) { bytes = SyncPayloadBytes(Array(text.utf8)).lines }

  public func syncPayloadBytes() -> SyncPayloadBytes { bytes }
}

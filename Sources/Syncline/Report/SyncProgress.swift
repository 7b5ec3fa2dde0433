import Dispatch

/// How far a sync has come.
///
/// ```swift
/// try await container.sync(payload: data, as: Task.self) { progress in
///   print("\(Int(progress.fraction * 100)) %, \(progress.rows) rows")
/// }
/// ```
public struct SyncProgress: Sendable, Hashable {
  /// What a sync does, in the order in which it does it.
  public enum Phase: Int, Sendable, Hashable, Codable, Comparable {
    /// Reads the rows of the payload, compares and writes them.
    case reading
    /// Decides the links that take the whole payload to know.
    case linking
    /// Deletes the rows that the payload does not name.
    case deleting
    /// Ends the transaction.
    case committing
    /// All is written. It comes once, as the last, and not where the sync throws.
    case finished

    /// Whether a phase comes before another.
    public static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// What is done at the moment.
  public let phase: Phase
  /// How many bytes of the payload were read. It never falls.
  public let bytes: Int
  /// How many bytes the payload has.
  public let totalBytes: Int
  /// How many rows of the list were read. It never falls.
  public let rows: Int

  /// How much of the payload was read, from 0 to 1.
  public var fraction: Double {
    totalBytes > 0 ? Double(bytes) / Double(totalBytes) : phase == .finished ? 1 : 0
  }

  /// What is called with the progress of a sync: at most sixty times a second, and once at the end.
  ///
  /// It is called where the sync runs, which waits for it. So it must not wait for another call: a blocking read throws
  /// ``SyncError/reentrantCall(reason:)``, and one that waits for another sync of the store waits for ever.
  public typealias Handler = @Sendable (SyncProgress) -> Void
}

/// Tells of the progress of one call. A call that begins again, because its payload contradicts itself, goes on from where it was.
final class ProgressReporter {
  private let handler: SyncProgress.Handler
  private let totalBytes: Int
  private var phase = SyncProgress.Phase.reading
  private var bytes = 0
  private var rows = 0
  /// When it was told last, in nanoseconds.
  private var last: UInt64 = 0

  private static let interval: UInt64 = 1_000_000_000 / 60

  init(_ handler: @escaping SyncProgress.Handler, totalBytes: Int) {
    self.handler = handler
    self.totalBytes = totalBytes
  }

  func read(bytes: Int, rows: Int) {
    self.bytes = max(self.bytes, min(bytes, totalBytes))
    self.rows = max(self.rows, rows)
    tell()
  }

  func begin(_ phase: SyncProgress.Phase) {
    guard phase > self.phase else { return }
    self.phase = phase
    // All was read.
    bytes = totalBytes
    tell()
  }

  private func tell() {
    let now = DispatchTime.now().uptimeNanoseconds
    guard phase == .finished || now &- last >= ProgressReporter.interval else { return }
    last = now
    handler(SyncProgress(phase: phase, bytes: bytes, totalBytes: totalBytes, rows: rows))
  }
}

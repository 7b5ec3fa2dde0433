import Dispatch

/// The progress of a sync, as its `progress:` handler gets it.
///
/// A handler is called at most sixty times a second, and once at the end of a sync that succeeds.
///
/// ```swift
/// let payload = #"[{"id": 1, "title": "Write"}]"#
/// try await container.sync(payload: payload, as: Task.self) { progress in
///   guard progress.phase == .finished else { return }
///   print("\(Int(progress.fraction * 100)) %, \(progress.rows) row")  // 100 %, 1 row
/// }
/// ```
///
/// ## Topics
///
/// ### How much is done
///
/// - ``SyncProgress/fraction``
/// - ``SyncProgress/bytes``
/// - ``SyncProgress/totalBytes``
/// - ``SyncProgress/rows``
///
/// ### Which step runs
///
/// - ``SyncProgress/phase``
/// - ``SyncProgress/Phase``
///
/// ### Handling progress
///
/// - ``SyncProgress/Handler``
public struct SyncProgress: Sendable, Hashable {
  /// The steps of a sync, in their order.
  public enum Phase: Int, Sendable, Hashable, Codable, Comparable {
    /// Reads the rows of the payload, compares and writes them.
    case reading
    /// Decides the links that depend on the whole payload.
    case linking
    /// Deletes the rows that the payload does not contain.
    case deleting
    /// Ends the transaction.
    case committing
    /// Everything is written. It is reported once, at the end, and not if the sync throws.
    case finished

    /// Whether a phase comes before another.
    public static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// The current step.
  public let phase: Phase
  /// How many bytes of the payload were read. The number never decreases.
  public let bytes: Int
  /// How many bytes the payload has.
  public let totalBytes: Int
  /// How many rows of the list, or of the lists of a body, were read. The number never decreases.
  public let rows: Int

  /// How much of the payload was read, from 0 to 1.
  public var fraction: Double {
    totalBytes > 0 ? Double(bytes) / Double(totalBytes) : phase == .finished ? 1 : 0
  }

  /// A closure that receives the progress of a sync: at most sixty times a second, and once at the end.
  ///
  /// It is called where the sync runs, and the sync waits for it. So it must not wait for another call: a blocking read throws
  /// ``SyncError/reentrantCall(reason:)``, and a wait for another sync of the store never ends.
  public typealias Handler = @Sendable (SyncProgress) -> Void
}

/// Reports the progress of one call. If a call restarts because its payload conflicts with itself, the progress does not go back.
final class ProgressReporter {
  private let handler: SyncProgress.Handler
  private let totalBytes: Int
  private var phase = SyncProgress.Phase.reading
  private var bytes = 0
  private var rows = 0
  /// How many rows the lists have that were read.
  private var rowsBefore = 0
  /// When the handler was called last, in nanoseconds.
  private var last: UInt64 = 0

  private static let interval: UInt64 = 1_000_000_000 / 60

  init(_ handler: @escaping SyncProgress.Handler, totalBytes: Int) {
    self.handler = handler
    self.totalBytes = totalBytes
  }

  func read(bytes: Int, rows: Int) {
    self.bytes = max(self.bytes, min(bytes, totalBytes))
    self.rows = max(self.rows, rowsBefore + rows)
    report()
  }

  /// Called when the payload is read from the start.
  func beginReading() { rowsBefore = 0 }

  /// Called at the end of a list of a body.
  func endList(rows: Int) {
    rowsBefore += rows
    self.rows = max(self.rows, rowsBefore)
  }

  func begin(_ phase: SyncProgress.Phase) {
    guard phase > self.phase else { return }
    self.phase = phase
    // The whole payload was read.
    bytes = totalBytes
    report()
  }

  private func report() {
    let now = DispatchTime.now().uptimeNanoseconds
    guard phase == .finished || now &- last >= ProgressReporter.interval else { return }
    last = now
    handler(SyncProgress(phase: phase, bytes: bytes, totalBytes: totalBytes, rows: rows))
  }
}

import Foundation
import GRDB
import GRDBSQLite

/// SQLite's wait for the locks of other connections, ended by the cancellation of the task that waits.
final class BusyWait {
  private let limit: UInt64
  private var start: UInt64 = 0

  init(milliseconds: Int32) {
    limit = UInt64(max(milliseconds, 0)) * 1_000_000
  }

  /// Makes a connection wait this way. It must be made to wait in another way before this one is gone.
  func install(in connection: SQLiteConnection) {
    sqlite3_busy_handler(
      connection,
      { context, tries in
        guard let context else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().waits(tries) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Waits a little; false when the wait is over.
  private func waits(_ tries: Int32) -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    if tries == 0 { start = now }
    guard !_Concurrency.Task.isCancelled, now &- start < limit else { return false }
    // Soon at first: most locks are held for a moment. Never so long that a cancellation would wait for it.
    usleep(tries < 10 ? 1_000 : tries < 30 ? 5_000 : 20_000)
    return true
  }
}

import Foundation
import GRDB
import GRDBSQLite

/// A busy handler for SQLite: waits for the locks of other connections, until a time limit or the task's
/// cancellation.
final class BusyWait {
  private let limit: UInt64
  private var start: UInt64 = 0

  init(milliseconds: Int32) {
    limit = UInt64(max(milliseconds, 0)) * 1_000_000
  }

  /// Installs this handler in a connection. Replace it before this object is deallocated.
  func install(in connection: SQLiteConnection) {
    sqlite3_busy_handler(
      connection,
      { context, tries in
        guard let context else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().waits(tries) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Sleeps before the next try; false when the wait is over.
  private func waits(_ tries: Int32) -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    if tries == 0 { start = now }
    guard !_Concurrency.Task.isCancelled, now &- start < limit else { return false }
    // Short at first, as most locks are held briefly. Never long, so that a cancellation takes effect soon.
    usleep(tries < 10 ? 1_000 : tries < 30 ? 5_000 : 20_000)
    return true
  }
}

import FaultStore
import GRDBSQLite

/// A fault for the n-th call of some kinds.
struct Fault: Sendable {
  let name: String
  let kinds: FaultKinds
  var action = FAULT_FAIL_ONCE
  var code: Int32 = 0
  /// The maximum number of points for each workload, evenly distributed; nil for all points.
  var limit: Int?

  /// What happens at the call, which then proceeds normally; nil if the call fails.
  var event: Event?

  /// What can happen to a call of a container while it runs.
  enum Event: Sendable { case cancel, interrupt, close }

  /// Whether reads return wrong bytes. SQLite cannot detect this, so a successful call may have stored them.
  var damages: Bool { action == FAULT_READ_SHORT || action == FAULT_READ_FLIP }

  static let all: [Fault] = [
    Fault(name: "open", kinds: .open),
    Fault(name: "read", kinds: .read),
    Fault(name: "read-short", kinds: .read, action: FAULT_READ_SHORT),
    Fault(name: "read-flip", kinds: .read, action: FAULT_READ_FLIP),
    Fault(name: "write", kinds: .write),
    Fault(name: "write-for-good", kinds: .write, action: FAULT_FAIL_FOR_GOOD),
    Fault(name: "write-half", kinds: .write, action: FAULT_WRITE_HALF),
    Fault(name: "full", kinds: .write, code: SQLITE_FULL),
    Fault(name: "full-for-good", kinds: .write, action: FAULT_FAIL_FOR_GOOD, code: SQLITE_FULL),
    Fault(name: "full-half", kinds: .write, action: FAULT_WRITE_HALF, code: SQLITE_FULL),
    Fault(name: "truncate", kinds: .truncate),
    Fault(name: "sync", kinds: .sync),
    Fault(name: "sync-for-good", kinds: .sync, action: FAULT_FAIL_FOR_GOOD),
    Fault(name: "delete", kinds: .delete),
    Fault(name: "delete-for-good", kinds: .delete, action: FAULT_FAIL_FOR_GOOD),
    Fault(name: "lock", kinds: .lock),
    Fault(name: "lock-busy", kinds: .lock, code: SQLITE_BUSY),
    Fault(name: "shm-map", kinds: .shmMap),
    Fault(name: "shm-lock", kinds: .shmLock),
    Fault(name: "shm-lock-busy", kinds: .shmLock, code: SQLITE_BUSY),
    Fault(name: "access", kinds: .access),
    Fault(name: "size", kinds: .size),
    // A call allocates memory thousands of times, mostly at the same few code locations.
    Fault(name: "memory", kinds: .memory, limit: 50),
    Fault(name: "memory-for-good", kinds: .memory, action: FAULT_FAIL_FOR_GOOD, limit: 50),
    Fault(name: "cancel", kinds: .memory, limit: 20, event: .cancel),
    Fault(name: "cancel-file", kinds: .files, limit: 30, event: .cancel),
    Fault(name: "interrupt", kinds: .memory, limit: 20, event: .interrupt),
    Fault(name: "interrupt-file", kinds: .files, limit: 30, event: .interrupt),
    Fault(name: "close", kinds: .memory, limit: 20, event: .close),
    Fault(name: "close-file", kinds: .files, limit: 30, event: .close),
  ]

  /// Another connection that holds its lock. Each point waits for ten seconds, so only few points of few workloads try it.
  static let endlessLock = Fault(
    name: "lock-busy-for-good", kinds: [.lock, .shmLock], action: FAULT_FAIL_FOR_GOOD, code: SQLITE_BUSY,
    limit: 2)

  /// Kills the process. This must be a finding, which shows that the sweep works.
  static let end = Fault(name: "kill", kinds: .write, action: FAULT_KILL)

  static func named(_ name: String) -> Fault? { (all + [endlessLock, end]).first { $0.name == name } }
}

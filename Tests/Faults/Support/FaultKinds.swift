import FaultStore

/// The kinds of SQLite calls for which a fault can be armed.
struct FaultKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(_ kind: Int) { rawValue = UInt32(kind) }

  static let open = FaultKinds(Int(FAULT_OPEN))
  static let read = FaultKinds(Int(FAULT_READ))
  static let write = FaultKinds(Int(FAULT_WRITE))
  static let truncate = FaultKinds(Int(FAULT_TRUNCATE))
  static let sync = FaultKinds(Int(FAULT_SYNC))
  static let delete = FaultKinds(Int(FAULT_DELETE))
  static let lock = FaultKinds(Int(FAULT_LOCK))
  static let shmMap = FaultKinds(Int(FAULT_SHM_MAP))
  static let shmLock = FaultKinds(Int(FAULT_SHM_LOCK))
  static let access = FaultKinds(Int(FAULT_ACCESS))
  static let size = FaultKinds(Int(FAULT_SIZE))
  /// Memory allocations. They do not belong to a file, so they are counted for all folders.
  static let memory = FaultKinds(Int(FAULT_MEMORY))

  /// Calls that concern a file.
  static let files: FaultKinds = [.open, .read, .write, .sync, .lock, .shmLock, .shmMap, .size]

  /// Calls that change a file.
  static let changes: FaultKinds = [.open, .write, .truncate, .sync, .delete]
}

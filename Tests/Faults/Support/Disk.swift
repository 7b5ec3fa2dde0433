import FaultStore
import Foundation

/// SQLite's file system and memory allocator in this process.
enum Disk {
  /// Replaces SQLite's default file system and its memory allocator. Must be called before a database is opened.
  static func install() throws {
    let code = fault_store_install()
    guard code == 0 else { throw Failure(description: "SQLite refused the file system: error \(code)") }
  }

  /// Restricts faults, counts and recording to files in this folder; nil for no files.
  static func watch(_ folder: URL?) {
    // SQLite opens files by their real paths.
    let path = folder.flatMap { realpath($0.path, nil) }
    defer { free(path) }
    fault_store_watch(path)
  }

  /// Arms a fault for the n-th call of these kinds, counted from 0. With a negative n, calls are counted without a fault.
  ///
  /// - Parameter code: the extended result code of the failing call; 0 for the usual code of its kind.
  static func arm(
    _ kinds: FaultKinds, at n: Int, _ action: fault_action = FAULT_FAIL_ONCE, code: Int32 = 0
  ) {
    callback.forget()
    fault_store_arm(kinds.rawValue, n, action, code, nil, nil)
  }

  /// Arms a closure that runs before the n-th call of these kinds, on the thread of that call.
  static func armCallback(_ kinds: FaultKinds, at n: Int, _ callback: @escaping @Sendable () -> Void) {
    self.callback.set(callback)
    fault_store_arm(kinds.rawValue, n, FAULT_CALL_BACK, 0, { _ in Disk.callback.run() }, nil)
  }

  /// Disarms the fault.
  ///
  /// - Returns: the number of calls of the armed kinds since arming.
  @discardableResult
  static func disarm() -> Int { fault_store_disarm() }

  /// Whether the fault has occurred since arming.
  static var hasStruck: Bool { fault_store_has_struck() != 0 }

  private static let callback = Callback()

  struct Failure: Error, CustomStringConvertible { let description: String }
}

/// Holds the closure of a fault, because C code cannot retain it.
private final class Callback: @unchecked Sendable {
  private let lock = NSLock()
  private var closure: (@Sendable () -> Void)?

  func set(_ closure: @escaping @Sendable () -> Void) { lock.withLock { self.closure = closure } }

  func forget() { lock.withLock { closure = nil } }

  func run() {
    let closure = lock.withLock { self.closure }
    closure?()
  }
}

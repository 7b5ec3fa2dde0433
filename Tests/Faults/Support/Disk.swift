import FaultStore
import Foundation

/// The file system and the memory that SQLite uses in this process.
enum Disk {
  /// Replaces SQLite's default file system and its memory allocator. Call it before anything opens a database.
  static func install() throws {
    let code = fault_store_install()
    guard code == 0 else { throw Failure(description: "SQLite refused the file system: error \(code)") }
  }

  /// Only files below this folder are struck, counted and recorded; none if it is nil.
  static func watch(_ folder: URL?) {
    // SQLite asks for files by their real paths.
    let path = folder.flatMap { realpath($0.path, nil) }
    defer { free(path) }
    fault_store_watch(path)
  }

  /// Strikes the n-th call of these kinds from now on, counted from 0. A negative n counts and strikes none.
  ///
  /// - Parameter code: the extended result code of a call that fails; 0 for the usual one of its kind.
  static func arm(
    _ kinds: FaultKinds, at n: Int, _ action: fault_action = FAULT_FAIL_ONCE, code: Int32 = 0
  ) {
    callback.forget()
    fault_store_arm(kinds.rawValue, n, action, code, nil, nil)
  }

  /// Makes the n-th call of these kinds run a closure first, on the thread that makes the call.
  static func armCallback(_ kinds: FaultKinds, at n: Int, _ callback: @escaping @Sendable () -> Void) {
    self.callback.set(callback)
    fault_store_arm(kinds.rawValue, n, FAULT_CALL_BACK, 0, { _ in Disk.callback.run() }, nil)
  }

  /// Strikes nothing more.
  ///
  /// - Returns: how many calls of the armed kinds there were since arming.
  @discardableResult
  static func disarm() -> Int { fault_store_disarm() }

  /// Whether a call was struck since arming.
  static var hasStruck: Bool { fault_store_has_struck() != 0 }

  private static let callback = Callback()

  struct Failure: Error, CustomStringConvertible { let description: String }
}

/// The closure that a strike calls. C can keep no reference to it.
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

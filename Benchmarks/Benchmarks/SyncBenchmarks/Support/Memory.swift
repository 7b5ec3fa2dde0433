import Foundation

#if canImport(Glibc)
  /// Returns free memory to the system. The Swift module of the C library does not declare it.
  @_silgen_name("malloc_trim")
  private func mallocTrim(_ padding: Int) -> Int32
#endif

/// The memory of this process. The peak between two moments is known only on Linux.
enum Memory {
  /// Returns free memory to the system, and resets the peak.
  static func resetPeak() {
    #if canImport(Glibc)
      _ = mallocTrim(0)
      try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    #endif
  }

  /// The current resident memory in bytes, without pages of mapped files.
  static var withoutFiles: Int? { status("RssAnon:") }

  /// The highest resident memory since the reset in bytes, including pages of mapped files.
  static var peak: Int? { status("VmHWM:") }

  /// All resident memory now, in bytes.
  static var total: Int? { status("VmRSS:") }

  private static func status(_ key: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      let digits = line.filter(\.isNumber)
      return Int(digits).map { $0 * 1_024 }
    }
    return nil
  }
}

/// Samples the memory of this process repeatedly on a separate thread.
final class MemorySampler: @unchecked Sendable {
  private let lock = NSLock()
  private var highest = 0
  private var isDone = false

  init() {
    Thread { [self] in
      while lock.withLock({ !isDone }) {
        if let now = Memory.withoutFiles { lock.withLock { highest = max(highest, now) } }
        Thread.sleep(forTimeInterval: 0.002)
      }
    }
    .start()
  }

  /// The highest sampled memory, without pages of mapped files.
  func finish() -> Int {
    lock.withLock {
      isDone = true
      return highest
    }
  }
}

import Foundation

#if canImport(Glibc)
  /// Gives free memory back to the system. The module of the C library does not have it.
  @_silgen_name("malloc_trim")
  private func mallocTrim(_ padding: Int) -> Int32
#endif

/// The memory of this process. Elsewhere than on Linux nothing is known of its peak between two moments.
enum Memory {
  /// Gives free memory back, and forgets the peak.
  static func resetPeak() {
    #if canImport(Glibc)
      _ = mallocTrim(0)
      try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    #endif
  }

  /// The resident memory now, in bytes, without pages of mapped files.
  static var resident: Int? { status("RssAnon:") }

  /// The highest resident memory since the reset, in bytes, pages of mapped files included.
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

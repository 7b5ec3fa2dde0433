import Foundation
import TestSupport

/// The resources of the process at one moment.
struct Resources {
  /// The resident memory in bytes.
  let memory: Int
  /// The number of open file descriptors.
  let descriptors: Int
  /// The size of the store's write-ahead log in bytes.
  let log: Int

  /// - Throws: the file system's error where `/proc` does not describe the process.
  init(of store: TextStore) throws {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard pages.count > 1, let resident = Int(pages[1]) else { throw Unknown() }
    memory = resident * sysconf(Int32(_SC_PAGESIZE))
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    log = try store.container.logSize
  }

  struct Unknown: Error {}

  /// The resources as text, for a line of output.
  var text: String {
    "memory \(Resources.megabytes(memory)) MB, descriptors \(descriptors), log \(Resources.megabytes(log)) MB"
  }

  static func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000).\(bytes / 100_000 % 10)" }

  /// The resources that grew between the first quarter and the second half of the moments.
  static func growth(in moments: [Resources]) -> [String] {
    // At first, caches fill and new threads allocate memory. After that, the memory must stay constant.
    growth("memory", of: moments.map(\.memory), beyond: 6_000_000)
      + growth("descriptors", of: moments.map(\.descriptors), beyond: 8)
      // SQLite makes a checkpoint at 4 MB, which a reading follower may delay for a few commits.
      + growth("log", of: moments.map(\.log), beyond: 4_000_000)
  }

  private static func growth(_ name: String, of values: [Int], beyond slack: Int) -> [String] {
    guard let first = values.prefix(max(1, values.count / 4)).max(),
      let later = values.suffix(max(1, values.count / 2)).max(), later > first + first / 10 + slack
    else { return [] }
    return ["\(name) grew from \(first) to \(later)"]
  }
}

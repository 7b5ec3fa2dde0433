import Foundation

/// A temporary folder that is removed when this value is deallocated. A suite keeps it while a test runs.
package final class TemporaryFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "syncline-\(UUID())")

  package init() {}

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The URL of a file in the folder.
  package func file(_ name: String = "\(UUID()).sqlite") throws -> URL {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url.appending(path: name)
  }
}

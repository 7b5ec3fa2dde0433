import Foundation

/// A temporary folder that is removed when this value is deallocated.
final class BenchmarkFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(
    path: "syncline-bench-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name) }
}

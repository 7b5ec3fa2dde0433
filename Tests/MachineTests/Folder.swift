import Foundation

/// A folder of its own, which goes with its value.
final class Folder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "syncline-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name) }
}

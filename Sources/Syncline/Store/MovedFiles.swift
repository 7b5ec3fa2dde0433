import Foundation

/// The files of a store, moved to names with the time in them.
struct MovedFiles {
  private static let suffixes = ["", "-wal", "-shm", "-journal"]

  private let path: String
  private var moves: [(source: URL, target: URL)] = []

  var targets: [URL] { moves.map(\.target) }

  /// Moves all, or none.
  init(of path: String) throws {
    self.path = path
    let stamp = Int(Date().timeIntervalSince1970 * 1_000)
    do {
      for suffix in MovedFiles.suffixes {
        let source = URL(fileURLWithPath: path + suffix)
        guard FileManager.default.fileExists(atPath: source.path) else { continue }
        let target = URL(fileURLWithPath: "\(path).unusable-\(stamp)\(suffix)")
        try FileManager.default.moveItem(at: source, to: target)
        moves.append((source, target))
      }
    } catch {
      try moveBack()
      throw error
    }
  }

  /// Moves the files back, in place of those that were made meanwhile.
  func moveBack() throws {
    guard !moves.isEmpty else { return }
    for suffix in MovedFiles.suffixes {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    for move in moves.reversed() { try FileManager.default.moveItem(at: move.target, to: move.source) }
  }
}

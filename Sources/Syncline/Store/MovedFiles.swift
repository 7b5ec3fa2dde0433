import Foundation

/// The files of a store, moved to names with the time in them.
struct MovedFiles {
  /// The file itself is the last that is moved. While it is there, and locked, nobody makes its other files; when it is
  /// gone, a file that others make at its path stays.
  static let suffixes = ["-journal", "-shm", "-wal", ""]

  private var moves: [(source: URL, target: URL)] = []

  /// Where the files are now, the store's own first.
  var targets: [URL] { moves.reversed().map(\.target) }

  /// Moves all, or none.
  ///
  /// - Parameter stamp: what the names have in them.
  init(of path: String, stamp: Int = Int(Date().timeIntervalSince1970 * 1_000)) throws {
    do {
      for suffix in MovedFiles.suffixes {
        let source = URL(fileURLWithPath: path + suffix)
        guard FileManager.default.fileExists(atPath: source.path) else { continue }
        let target = URL(fileURLWithPath: "\(path).unusable-\(stamp)\(suffix)")
        try FileManager.default.moveItem(at: source, to: target)
        moves.append((source, target))
      }
    } catch {
      for move in moves.reversed() { try FileManager.default.moveItem(at: move.target, to: move.source) }
      throw error
    }
  }
}

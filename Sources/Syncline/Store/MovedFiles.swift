import Foundation

/// The files of a store, renamed to names with a time stamp.
struct MovedFiles {
  /// The database file is moved last. While it exists and is locked, no connection creates its side files. Once it is moved, a
  /// file that another process creates at its path stays.
  static let suffixes = ["-journal", "-shm", "-wal", ""]

  private var moves: [(source: URL, target: URL)] = []

  /// The new locations of the files, the database file first.
  var targets: [URL] { moves.reversed().map(\.target) }

  /// Moves all files, or none.
  ///
  /// - Parameter stamp: the number in the new names.
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
      // A file that cannot be moved back is reported, and does not keep the others from it.
      var failure = error
      for move in moves.reversed() {
        do { try FileManager.default.moveItem(at: move.target, to: move.source) } catch { failure = error }
      }
      throw failure
    }
  }
}

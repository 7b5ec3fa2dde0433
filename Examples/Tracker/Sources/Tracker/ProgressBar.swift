import Foundation
import Syncline

/// A progress bar of a sync on standard error, if that is a terminal.
struct ProgressBar {
  private static let width = 30

  /// The progress handler to pass to a sync; nil if standard error is not a terminal.
  static var handler: SyncProgress.Handler? {
    guard isatty(2) == 1 else { return nil }
    return { progress in
      guard progress.phase != .finished else { return write("\r\u{1b}[K") }
      let filled = Int(progress.fraction * Double(width))
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      write("\r\(bar) \(Int(progress.fraction * 100)) %, \(progress.rows) rows, \(progress.phase)")
    }
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

import Foundation

/// The terminal: keys without the return key, and a screen that is drawn over itself.
@MainActor
final class Terminal {
  /// The keys that are pressed, until the input ends.
  let keys: AsyncStream<Character>
  private var former: termios?

  init() {
    keys = AsyncStream { continuation in
      FileHandle.standardInput.readabilityHandler = { input in
        let data = input.availableData
        for key in String(decoding: data, as: UTF8.self) { continuation.yield(key) }
        if data.isEmpty { continuation.finish() }
      }
    }
    if isatty(STDIN_FILENO) == 1 {
      var mode = termios()
      tcgetattr(STDIN_FILENO, &mode)
      former = mode
      cfmakeraw(&mode)
      tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
    // The screen beside the one that the shell has, without a cursor.
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Draws the screen.
  func draw(_ lines: [String]) {
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    write("\u{1B}[H\(text)\u{1B}[J")
  }

  /// Gives the terminal back as it was.
  func restore() {
    FileHandle.standardInput.readabilityHandler = nil
    write("\u{1B}[?25h\u{1B}[?1049l")
    if var former { tcsetattr(STDIN_FILENO, TCSANOW, &former) }
  }

  private func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}

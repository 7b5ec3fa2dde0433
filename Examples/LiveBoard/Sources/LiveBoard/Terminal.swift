import Foundation

/// The terminal in raw mode: it reads keys without the return key, and redraws the screen in place.
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
    // Switches to the terminal's alternate screen, and hides the cursor.
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Draws the screen.
  func draw(_ lines: [String]) {
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    write("\u{1B}[H\(text)\u{1B}[J")
  }

  /// Restores the terminal.
  func restore() {
    FileHandle.standardInput.readabilityHandler = nil
    write("\u{1B}[?25h\u{1B}[?1049l")
    if var former { tcsetattr(STDIN_FILENO, TCSANOW, &former) }
  }

  private func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}

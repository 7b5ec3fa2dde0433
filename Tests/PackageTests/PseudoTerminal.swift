import Foundation

/// A program with a screen, driven as a user at a terminal drives it.
final class PseudoTerminal {
  private let process = Process()
  private let main: FileHandle
  /// What was written after the last whole frame.
  private var rest = ""
  /// The screen as it was drawn last, without what colours and places it.
  private(set) var screen = ""

  struct Ended: Error, CustomStringConvertible {
    let screen: String
    var description: String { "the program ended; its last screen:\n\(screen)" }
  }

  /// Starts a program.
  init(_ program: URL, _ arguments: String...) throws {
    var (ours, theirs): (Int32, Int32) = (-1, -1)
    guard openpty(&ours, &theirs, nil, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
    main = FileHandle(fileDescriptor: ours, closeOnDealloc: true)
    let side = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = side
    process.standardOutput = side
    process.standardError = side
    try process.run()
    try side.close()
  }

  deinit { if process.isRunning { process.terminate() } }

  func press(_ key: Character) throws { try main.write(contentsOf: Data(String(key).utf8)) }

  /// Waits until the program draws a screen with a text.
  ///
  /// - Throws: ``Ended`` where it ends without.
  func wait(for text: String) throws {
    while !screen.contains(text) {
      guard drawNext() else { throw Ended(screen: screen) }
    }
  }

  /// Waits until the program draws a screen without a text.
  func wait(forNothing text: String) throws {
    while screen.contains(text) {
      guard drawNext() else { throw Ended(screen: screen) }
    }
  }

  /// Waits for the program's end.
  ///
  /// - Returns: its exit code.
  func end() -> Int32 {
    while drawNext() {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Reads one more frame: from the first place of the screen to the removal of what is below.
  private func drawNext() -> Bool {
    while true {
      if let end = rest.range(of: "\u{1B}[J") {
        let frame = rest[..<end.lowerBound]
        screen = String(frame.replacing(/\u{1B}\[[?0-9;]*[A-Za-z]/, with: "").replacing("\r", with: ""))
        rest.removeSubrange(..<end.upperBound)
        return true
      }
      let data = Shell.readSome(main)
      if data.isEmpty { return false }
      unread += data
      takeWholeCharacters()
    }
  }

  /// Bytes of a character whose others are still to come.
  private var unread = Data()

  private func takeWholeCharacters() {
    for count in 0..<min(4, unread.count + 1) {
      if let text = String(data: unread.dropLast(count), encoding: .utf8) {
        rest += text
        unread = unread.suffix(count)
        return
      }
    }
  }
}

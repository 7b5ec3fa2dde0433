import Foundation

/// Prints lines. They are written at once: a line in a buffer would be lost with a process that is killed.
enum Console {
  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

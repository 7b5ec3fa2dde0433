import Foundation

/// Prints lines without buffering, because buffered lines would be lost if the process is killed.
enum Console {
  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

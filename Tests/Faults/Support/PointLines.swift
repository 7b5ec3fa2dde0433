/// The lines that a child process prints for its parent: one before each point, and one for its result.
enum PointLines {
  private static let (beginning, ending, problemMark) = ("P ", "ok", "WRONG ")

  /// Announces a point.
  ///
  /// - Parameter command: the options that make a process try only this point: `--workload insert --at 12`.
  static func begin(_ n: Int, _ command: String) { Console.say("\(beginning)\(n) \(command)") }

  /// Ends the last announced point.
  ///
  /// - Parameter outcome: a word for the outcome. The summary counts each word.
  static func end(_ problems: [String], _ outcome: String = "") {
    for problem in problems {
      // A problem with several lines would be read as several lines of the protocol.
      Console.say(problemMark + problem.split(whereSeparator: \.isNewline).joined(separator: " | "))
    }
    Console.say(outcome.isEmpty ? ending : "\(ending) \(outcome)")
  }

  /// A line of a child, as its parent reads it.
  enum Line {
    case begin(Int, command: String)
    case end(outcome: String)
    case wrong(String)
    /// Any other line, such as the message of a trap.
    case other(String)

    init(_ text: String) {
      if text == ending || text.hasPrefix(ending + " ") {
        self = .end(outcome: String(text.dropFirst(ending.count + 1)))
      } else if text.hasPrefix(problemMark) {
        self = .wrong(String(text.dropFirst(problemMark.count)))
      } else if text.hasPrefix(beginning),
        let (number, command) = Line.numbered(text.dropFirst(beginning.count))
      {
        self = .begin(number, command: command)
      } else {
        self = .other(text)
      }
    }

    private static func numbered(_ text: Substring) -> (Int, String)? {
      let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard let number = Int(parts[0]) else { return nil }
      return (number, parts.count > 1 ? String(parts[1]) : "")
    }
  }
}

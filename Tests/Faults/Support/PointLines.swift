/// The lines that a child process prints for its parent: each point before it is tried, and how it ended.
enum PointLines {
  private static let (point, fine, wrong) = ("P ", "ok", "WRONG ")

  /// Announces a point.
  ///
  /// - Parameter command: the options that make a process try this point alone: `--workload insert --at 12`.
  static func begin(_ n: Int, _ command: String) { Console.say("\(point)\(n) \(command)") }

  /// Ends the point that was announced last.
  ///
  /// - Parameter outcome: a word for what happened; the summary has how often each word was said.
  static func end(_ problems: [String], _ outcome: String = "") {
    for problem in problems {
      // What spans lines would be taken for other lines.
      Console.say(wrong + problem.split(whereSeparator: \.isNewline).joined(separator: " | "))
    }
    Console.say(outcome.isEmpty ? fine : "\(fine) \(outcome)")
  }

  /// A line of a child, as its parent reads it.
  enum Line {
    case begin(Int, command: String)
    case end(outcome: String)
    case wrong(String)
    /// Anything else, such as the message of a trap.
    case other(String)

    init(_ text: String) {
      if text == fine || text.hasPrefix(fine + " ") {
        self = .end(outcome: String(text.dropFirst(fine.count + 1)))
      } else if text.hasPrefix(wrong) {
        self = .wrong(String(text.dropFirst(wrong.count)))
      } else if text.hasPrefix(point),
        let (number, command) = Line.point(text.dropFirst(point.count))
      {
        self = .begin(number, command: command)
      } else {
        self = .other(text)
      }
    }

    private static func point(_ text: Substring) -> (Int, String)? {
      let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard let number = Int(parts[0]) else { return nil }
      return (number, parts.count > 1 ? String(parts[1]) : "")
    }
  }
}

import Foundation

/// Runs points in child processes, so that a trap or a call that never returns becomes a finding of its point, and the following
/// points are still tried.
///
/// A child tries the points of a series, starting at the number in `--child`. It announces them by `PointLines`.
struct Points: Sendable {
  /// The name of the command, such as `sweep`.
  let command: String
  /// The options of each series. As many series run in parallel as there are processors.
  let series: [[String]]
  /// The number of seconds without a line after which a point is assumed to hang.
  var patience = 45.0
  /// Whether a line is printed for each point, rather than only for findings.
  var isVerbose = false
  /// The name of a known trap that is not a finding, given the options of the point and the first other lines of its output; nil
  /// for any other trap. The summary lists these names.
  var knownTrap: @Sendable (_ point: String, _ words: [String]) -> String? = { _, _ in nil }

  /// Tries all points, and prints the findings and a summary.
  ///
  /// - Returns: the exit code: 0 if there are no findings.
  func run() throws -> Int32 {
    let start = Date()
    let scratch = try Scratch.make()
    let total = Total()
    DispatchQueue.concurrentPerform(iterations: series.count) { index in
      do {
        try run(series[index], in: scratch, total)
      } catch {
        report("\(error)", series[index].joined(separator: " "), total)
      }
    }
    try Scratch.remove(scratch)
    let (points, findings, words) = total.counts
    let seconds = String(format: "%.1f", Date().timeIntervalSince(start))
    for (word, count) in words.sorted(by: { $0.key < $1.key }) { Console.say("\(count) × \(word)") }
    Console.say("\(command): \(points) points, \(findings) findings, \(seconds) s")
    // Without any points, nothing was tested.
    return findings == 0 && points > 0 ? 0 : 1
  }

  /// Tries the points of a series. If a child ends at a point, another child continues.
  private func run(_ options: [String], in scratch: URL, _ total: Total) throws {
    var first = 0
    while let next = try runChild(options, from: first, in: scratch, total) { first = next }
  }

  /// - Returns: the next point, if the child ended before the last one.
  private func runChild(
    _ options: [String], from first: Int, in scratch: URL, _ total: Total
  ) throws -> Int? {
    let child = try ChildProcess(
      [command] + options + ["--child", "\(first)"], environment: [Scratch.variable: scratch.path],
      patience: patience)
    var (number, point): (Int?, String?)
    // The first other lines of the output: the message of a trap, possibly followed by a backtrace.
    var words: [String] = []
    while true {
      let ending: String
      switch try child.next() {
      case .line(let text):
        switch PointLines.Line(text) {
        case .begin(let n, let command): (number, point, words) = (n, command, [])
        case .wrong(let problem): report(problem, point ?? options.joined(separator: " "), total)
        case .other(let text): if words.count < 3 || text.contains("Fatal error") { words.append(text) }
        case .end(let outcome):
          if isVerbose, let point { Console.say("\(command) \(point): \(outcome)") }
          total.addPoint(outcome)
          point = nil
        }
        continue
      case .silence: ending = "no answer for \(Int(patience)) s"
      case .end(nil) where point == nil: return nil
      case .end(let reason):
        if let point, let number, let trap = knownTrap(point, words) {
          total.addPoint("trap at \(trap)")
          if isVerbose { Console.say("\(command) \(point): trap at \(trap)") }
          return number + 1
        }
        ending = "the process ended: \(reason ?? "exit 0")"
      }
      let problem = ([ending] + words).joined(separator: " | ")
      report(problem, point ?? options.joined(separator: " "), total)
      // Without a current point, the series could not start or continue.
      guard let number, point != nil else { return nil }
      total.addPoint("ended")
      return number + 1
    }
  }

  private func report(_ problem: String, _ point: String, _ total: Total) {
    total.addFinding()
    Console.say("WRONG \(problem)\n  reproduce: Faults \(command) \(point)")
  }
}

/// The findings and counts of all series.
private final class Total: @unchecked Sendable {
  private let lock = NSLock()
  private var points = 0
  private var findings = 0
  /// The count of each outcome.
  private var outcomes: [String: Int] = [:]

  func addPoint(_ outcome: String) {
    lock.withLock {
      points += 1
      if !outcome.isEmpty { outcomes[outcome, default: 0] += 1 }
    }
  }

  func addFinding() { lock.withLock { findings += 1 } }

  var counts: (points: Int, findings: Int, outcomes: [String: Int]) {
    lock.withLock { (points, findings, outcomes) }
  }
}

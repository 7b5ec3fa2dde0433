import Foundation
import GRDB
import Syncline
import TestSupport

/// Keeps a read of a store open while much is written, and checks the write-ahead log.
struct OpenReader {
  let file: URL
  /// The number of bytes of rows that are written while the read is open.
  let bytes: Int

  private static let schema = "model Part { id: Int; text: String }"
  private static let rowCount = 500
  private static let rowSize = 2_000

  /// - Returns: the problems that were found.
  func run() async throws -> [String] {
    let lines = LoggedLines()
    var configuration = SyncConfiguration()
    configuration.logger = lines.logger
    // Without the read, the log of a store is smaller.
    let limit = min(configuration.logSizeWarning ?? .max, max(8_000_000, bytes / 4))
    configuration.logSizeWarning = limit
    let store = try TextStore(OpenReader.schema, in: .file(file), configuration)
    guard let pool = store.container.database as? DatabasePool else { return ["the store is not a pool"] }
    var findings: [String] = []
    // Without the read, the size of the log is limited by the changes of one call, or by a checkpoint.
    var round = 0
    func write() async throws -> Int {
      let payload = rows(round)
      round += 1
      try await store.sync(payload, as: "Part")
      return payload.utf8.count
    }
    for _ in 0..<8 { _ = try await write() }
    let before = try store.container.logSize
    say("before the read", before)
    if !lines.warnings.isEmpty { findings.append("a warning was logged before: \(lines.warnings)") }

    var written = 0
    var during = before
    do {
      let reader = try pool.makeSnapshot()
      let seen = try await reader.read(OpenReader.state)
      var nextLine = bytes / 8
      while written < bytes {
        written += try await write()
        guard written >= nextLine else { continue }
        during = try store.container.logSize
        say("\(Resources.megabytes(written)) MB written during the read", during)
        nextLine += bytes / 8
      }
      during = try store.container.logSize
      if try await reader.read(OpenReader.state) != seen {
        findings.append("the read sees what was written since")
      }
      try reader.close()
    }
    if during < written / 10 * 9 {
      findings.append("the log is smaller than what was written during the read")
    }
    if lines.warnings.isEmpty { findings.append("no warning was logged at \(limit) bytes") }
    // One warning at the limit, and one for each doubling.
    let doublings = Int.bitWidth - (during / max(1, limit)).leadingZeroBitCount
    if lines.warnings.count > doublings {
      findings.append("\(lines.warnings.count) warnings for \(doublings) doublings")
    }
    for text in lines.warnings { Console.say("logged: \(text)") }

    for _ in 0..<8 { _ = try await write() }
    let after = try store.container.logSize
    say("after the read, and 8 syncs", after)
    if after > during + during / 10 { findings.append("the log still grows after the read") }
    try await store.container.checkpoint()
    let checkpointed = try store.container.logSize
    say("after a checkpoint", checkpointed)
    if checkpointed != 0 { findings.append("a checkpoint leaves a log of \(checkpointed) bytes") }
    try store.container.database.close()
    return findings
  }

  /// A payload of all rows, with a different text in each round.
  private func rows(_ round: Int) -> String {
    let text = String(repeating: "\(round % 10)", count: OpenReader.rowSize)
    let rows = (0..<OpenReader.rowCount).map { #"{"id": \#($0), "text": "\#($0) \#(round) \#(text)"}"# }
    return "[\(rows.joined(separator: ", "))]"
  }

  @Sendable private static func state(_ database: Database) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT id || substr(text, 1, 20) FROM Part ORDER BY id")
  }

  private func say(_ moment: String, _ size: Int) {
    Console.say("log \(Resources.megabytes(size)) MB: \(moment)")
  }
}

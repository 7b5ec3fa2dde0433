import Foundation
import Logging

/// Collects the lines of a logger at all levels.
package final class LoggedLines: @unchecked Sendable {
  package typealias Entry = (level: Logger.Level, text: String, metadata: Logger.Metadata)

  private let lock = NSLock()
  private var all: [Entry] = []

  package init() {}

  /// A logger that adds its lines to this collection.
  package var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  package var entries: [Entry] { lock.withLock { all } }
  /// Each line, with its level as a prefix.
  package var texts: [String] { entries.map { "\($0.level): \($0.text)" } }
  package var warnings: [String] { entries.filter { $0.level == .warning }.map(\.text) }

  private func add(_ entry: Entry) { lock.withLock { all.append(entry) } }

  private struct Handler: LogHandler {
    let lines: LoggedLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add((event.level, "\(event.message)", event.metadata ?? [:])) }
  }
}

import Foundation
import TestSupport

@testable import Syncline

/// What a call did that no call may do.
struct Failure: Sendable {
  enum Rule: String, Sendable {
    case errorIsTyped, errorChangesNothing, repeatedCallChangesNothing, reportIsTheDifference
    case orderDoesNotMatter, nestingDoesNotMatter, exportChangesNothing, noticeIsTheReport, localStays
  }

  let rule: Rule
  /// What is the same for failures that are likely to have one cause.
  let place: String
  let details: String

  func isLike(_ other: Failure) -> Bool { rule == other.rule && place == other.place }
}

/// A store, and what it holds. Each call is checked against what was there before it.
struct CheckedStore {
  let store: SyncContainer
  private(set) var rows: RowDump
  private(set) var tables: StoreDump

  private let folder: TemporaryFolder?
  private let notices: SyncChangeNotices

  /// - Parameter isFile: whether the store has a write-ahead log, which is looked at too.
  init(_ invalidRows: SyncConfiguration.InvalidRows, isFile: Bool = false) async throws {
    folder = isFile ? TemporaryFolder() : nil
    store = try MachineTestsSchema.makeStore(in: folder, SyncConfiguration(invalidRows: invalidRows))
    rows = try await RowDump(store, MachineTestsSchema.self)
    tables = try StoreDump(store)
    notices = store.changes()
  }

  /// Makes a call, and finds what it did wrong:
  ///
  /// - An error is a ``SyncError``, and leaves all tables as they were.
  /// - The report is the difference of the rows, as ``StoreDifference`` says.
  /// - What is noticed is what the report says.
  /// - No payload has a say in what only this device has.
  /// - The same call once more reports nothing, writes no log, and leaves all tables as they are. Where it has not all
  ///   operations, that holds from the second call on.
  mutating func failures(of call: Call) async throws -> [Failure] {
    let report: SyncReport
    do {
      report = try await call.run(on: store)
    } catch {
      let left = try StoreDump(store)
      var failures: [Failure] = []
      if !(error is SyncError) {
        failures.append(Failure(rule: .errorIsTyped, place: "\(type(of: error))", details: "\(error)"))
      }
      if left != tables {
        let difference = left.difference(from: tables)
        failures.append(
          Failure(rule: .errorChangesNothing, place: "", details: "\(error)\n\(difference)"))
        try await look()
      }
      return failures
    }
    let before = rows
    try await look()
    let disagreements = StoreDifference(from: before, to: rows).disagreements(with: report)
    var failures = noticeFailures(report)
    if rows.models["Badge"]?.rows.values.contains(where: { $0["isPinned"] != false }) == true {
      failures.append(Failure(rule: .localStays, place: "Badge.isPinned", details: "\(report)"))
    }
    failures += try await failuresOfRepeating(call)
    if notices.buffer.takeFirst() != nil {
      failures.append(
        Failure(rule: .noticeIsTheReport, place: "repeated", details: "a repeated call is noticed"))
    }
    if let first = disagreements.first {
      let place = String(first.prefix { $0 != ":" })
      failures.append(
        Failure(rule: .reportIsTheDifference, place: place, details: disagreements.joined(separator: "\n")))
    }
    if !failures.isEmpty { try await look() }
    return failures
  }

  /// Compares what is noticed of a call with its report.
  private func noticeFailures(_ report: SyncReport) -> [Failure] {
    let changes: SyncChanges
    do { changes = try notices.buffer.takeFirst()?.get() ?? SyncChanges() } catch {
      return [Failure(rule: .noticeIsTheReport, place: "\(type(of: error))", details: "\(error)")]
    }
    return changes.disagreements(with: report).map { name, text in
      Failure(rule: .noticeIsTheReport, place: name, details: text)
    }
  }

  private mutating func failuresOfRepeating(_ call: Call) async throws -> [Failure] {
    if call.operations != .all {
      // What was new to the operations is known now: new rows may have been left without what they relate to, and nested
      // objects have no say in the values of known ones.
      guard (try? await call.run(on: store)) != nil else { return [] }
      _ = notices.buffer.takeFirst()
      try await look()
    }
    try truncateLog()
    let writes = store.writes
    let place: String
    let details: String
    do {
      let report = try await call.run(on: store)
      let written = store.writes - writes
      let now = try StoreDump(store)
      let reported = report.models.filter { !$0.value.isUnchanged }.keys.sorted()
      if now != tables {
        place = "stores another " + now.names(besides: tables).joined(separator: " ")
      } else if !reported.isEmpty {
        place = "reports " + reported.joined(separator: " ")
      } else if try logSize > 0 {
        place = "logs"
      } else {
        return []
      }
      details = "\(written) rows written\n\(report)\n\(now.difference(from: tables))"
    } catch {
      (place, details) = ("is refused", "\(error)")
    }
    return [Failure(rule: .repeatedCallChangesNothing, place: place, details: details)]
  }

  private func truncateLog() throws {
    guard folder != nil else { return }
    try store.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  /// The length of the write-ahead log, where there is one.
  private var logSize: Int {
    get throws {
      guard folder != nil else { return 0 }
      let attributes = try FileManager.default.attributesOfItem(atPath: store.database.path + "-wal")
      return attributes[.size] as? Int ?? 0
    }
  }

  /// Looks at what the store holds, after calls that were not checked.
  mutating func look() async throws {
    rows = try await RowDump(store, MachineTestsSchema.self)
    tables = try StoreDump(store)
  }
}

extension SyncContainer {
  /// How many rows SQLite wrote since the store was opened, those that were rolled back included.
  var writes: Int { database.writeWithoutTransaction { $0.totalChangesCount } }
}

import AllocationCounter
import Foundation
import Syncline

/// Refuses memory to SQLite at points of a call, once or from there on.
///
/// The call throws a `SyncError` and leaves the store as it was, or does what it does with memory. Made again, it does so in any
/// case. Prints each point before it is tried, so that a trap shows where it was, and a line for each finding.
enum FailingMemory {
  /// How many points of a call are tried for each way of refusing.
  private static let pointCount = 12

  private static let calls: [(name: String, prepare: Call?, call: Call)] = [
    ("values", nil, { try await $0.sync(payload: articles, as: Article.self) }),
    ("insert", nil, { try await $0.sync(payload: documents(titles: "first"), as: Document.self) }),
    (
      "update", { try await $0.sync(payload: documents(titles: "first"), as: Document.self) },
      { try await $0.sync(payload: documents(titles: "second", from: 40), as: Document.self) }
    ),
    ("links", nil, { try await $0.sync(payload: issues, as: Issue.self) }),
    (
      "lists", { try await $0.sync(payload: issues, as: Issue.self) },
      { try await $0.sync(payload: labels, as: Label.self) }
    ),
    (
      "page", nil,
      { container in
        let page = SyncPage(documents(titles: "page"), cursor: "behind a page")
        try await container.sync(
          pages: AsyncStream {
            $0.yield(page); $0.finish()
          }, as: Document.self, deletionPolicy: DeletionPolicy.none)
      }
    ),
    (
      "export", { try await $0.sync(payload: issues, as: Issue.self) },
      { _ = try await $0.exportData(as: Issue.self) }
    ),
  ]

  private typealias Call = @Sendable (SyncContainer) async throws -> Void

  static func run() async throws {
    guard sqlite_memory_install() == 0 else { return say("SQLite is set up already.") }
    for (name, prepare, call) in calls {
      let requests = try await point(name, prepare, call, refusingAfter: -1, lasting: false, expected: nil)
      for lasting in [false, true] {
        let step = max(1, requests.count / pointCount)
        for after in stride(from: lasting ? step / 2 : 0, to: requests.count, by: step) {
          _ = try await point(
            name, prepare, call, refusingAfter: after, lasting: lasting, expected: requests.after)
        }
      }
    }
    say("Done")
  }

  /// Makes a call in a new store.
  ///
  /// - Returns: how often SQLite asked for memory in the call, and the tables after it.
  private static func point(
    _ name: String, _ prepare: Call?, _ call: Call, refusingAfter after: Int, lasting: Bool,
    expected: [String]?
  ) async throws -> (count: Int, after: [String]) {
    let place = "\(name) after \(after)\(lasting ? " for good" : "")"
    say("Point \(place)")
    let folder = try AllocationGate.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try AllocationGate.makeStore(in: folder)
    try await prepare?(container)
    let before = try await tables(of: container)

    let start = sqlite_memory_requests()
    sqlite_memory_refuse(after, lasting ? 1 : 0)
    let result: Result<Void, any Error>
    do {
      result = .success(try await call(container))
    } catch {
      result = .failure(error)
    }
    sqlite_memory_refuse(-1, 0)
    let count = sqlite_memory_requests() - start

    let left = try await tables(of: container)
    switch result {
    case .success:
      if let expected, left != expected { say("Wrong: \(place): other rows than with memory") }
    case .failure(let error):
      if left != before { say("Wrong: \(place): the store has changed") }
      guard case SyncError.storeUnavailable(let reason) = error, reason.hasPrefix("SQLite error 7") else {
        say("Wrong: \(place): \(error)")
        break
      }
      say("Refused: \(reason)")
    }
    try await call(container)
    let last = try await tables(of: container)
    if let expected, last != expected { say("Wrong: \(place): other rows when it is made again") }
    return (count, last)
  }

  /// Nothing is left in a buffer when the process traps.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  /// The rows of all tables, as text. Reading them opens a reader, which GRDB cannot do without memory.
  private static func tables(of container: SyncContainer) async throws -> [String] {
    try await container.database.read { db in
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      return try names.flatMap { name in
        try Row.fetchAll(db, sql: "SELECT * FROM \"\(name)\"").map { "\(name) \($0)" }.sorted()
      }
    }
  }

  // MARK: Payloads

  private static func documents(titles: String, from first: Int = 0) -> String {
    let rows = (first..<first + 150).map { id in
      // Each fourth folder is nested, the others wait.
      let folder = id % 4 == 0 ? #""folder":{"id":\#(id % 10)}"# : #""folder_id":\#(100 + id)"#
      return #"{"id":"a-document-\#(id)","title":"the \"\#(titles)\" title of \#(id)",\#(folder)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  /// Rows without relationships; each second has details with an escape.
  private static let articles = json(
    (0..<100).map { id in
      let details =
        id % 2 == 0 ? #"plain details that need memory"# : #"\"escaped\" details that need memory"#
      return #"""
        {"id":\#(id),"title":"a title that needs memory","description":"\#(details)","state":{"id":"open"},"created_at":"2024-03-11T10:15:30Z",
        "updated_at":"2024-03-11T10:15:30Z","is_published":true,"score":0.5,"author_id":1}
        """#
    })
  private static let issues = json(
    (0..<100).map { #"{"id":\#($0),"title":"t\#($0)","labels":[{"id":\#($0 % 7)}]}"# })
  private static let labels = json(
    (0..<7).map { #"{"id":\#($0),"issue_ids":[\#($0),\#($0 + 7),\#($0 + 900)]}"# })

  private static func json(_ rows: [String]) -> String { "[\(rows.joined(separator: ","))]" }
}

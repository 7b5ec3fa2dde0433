import Foundation
import GRDBSQLite
import Syncline

/// The work of a connection, as counted by SQLite. The counts do not depend on the machine.
package struct Work: Sendable {
  /// The work of the statements with one SQL text.
  package struct Statement: Sendable {
    package var runs = 0
    /// The number of instructions of SQLite's virtual machine.
    package var steps = 0
    /// The number of rows that were visited without an index.
    package var fullScanSteps = 0
  }

  package fileprivate(set) var statements: [String: Statement] = [:]
  /// The statements that were prepared for the first time.
  package fileprivate(set) var prepared: Set<String> = []
  /// The increase in the number of prepared statements.
  package fileprivate(set) var statementsAdded = 0
  /// The number of inserted, updated and deleted rows, including links.
  package fileprivate(set) var changes = 0
  /// The number of pages read, from the cache or the file.
  package fileprivate(set) var pagesRead = 0
  package fileprivate(set) var pagesWritten = 0
  /// The growth of the write-ahead log in bytes.
  package fileprivate(set) var logGrowth = 0

  package var steps: Int { statements.values.reduce(0) { $0 + $1.steps } }
  package var runs: Int { statements.values.reduce(0) { $0 + $1.runs } }

  /// The statements that scan a table without an index.
  package var scans: [String] { statements.filter { $0.value.fullScanSteps > 0 }.keys.sorted() }

  /// The statements that write rows.
  package var writes: [String] {
    statements.keys.filter { sql in ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) } }.sorted()
  }
}

extension Work: CustomStringConvertible {
  package var description: String {
    let lines = statements.sorted { $0.value.steps > $1.value.steps }.map { sql, statement in
      "  \(statement.runs) runs, \(statement.steps) steps, \(statement.fullScanSteps) scanned: \(sql)"
    }
    return """
      \(runs) runs, \(steps) steps, \(changes) changes, \(pagesRead) pages read, \(pagesWritten) written, \
      \(logGrowth) bytes logged, \(prepared.count) prepared: \(prepared.sorted())
      \(lines.joined(separator: "\n"))
      """
  }
}

extension SyncContainer {
  /// Counts the work of the writer during a closure.
  package func work(
    isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Void
  ) async throws -> Work {
    let counter = WorkCounter()
    let logSize = try logSize
    try await database.writeWithoutTransaction { counter.start($0.sqliteConnection) }
    // The counter must be removed from the connection even after an error.
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    try await database.writeWithoutTransaction { counter.stop($0.sqliteConnection) }
    try result.get()
    counter.work.logGrowth = try self.logSize - logSize
    return counter.work
  }

  /// The size of the write-ahead log. After it was truncated, it is 0 until the next write.
  package var logSize: Int {
    get throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: database.path + "-wal")
      return attributes[.size] as? Int ?? 0
    }
  }

  package func truncateLog() throws {
    try database.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
  }
}

/// Counts the instructions of SQLite's virtual machine on a connection, from `start` to `stop`.
package final class StepCounter: @unchecked Sendable {
  package private(set) var steps = 0

  package init() {}

  package func start(_ database: Database) {
    sqlite3_progress_handler(
      database.sqliteConnection, 10,
      { context in
        if let context { Unmanaged<StepCounter>.fromOpaque(context).takeUnretainedValue().steps += 10 }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  package func stop(_ database: Database) { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
}

/// Traces the statements of a connection, on the connection's queue, until it is stopped.
///
/// Reading the counters of all statements afterwards would not be enough, because the counters of a finalized statement are lost.
private final class WorkCounter: @unchecked Sendable {
  var work = Work()
  private var known: Set<SQLiteStatement> = []

  func start(_ connection: SQLiteConnection?) {
    known = Set(statements(connection))
    for statement in known { end(statement) }
    work = Work()
    work.changes = -Int(sqlite3_total_changes(connection))
    _ = pages(connection, SQLITE_DBSTATUS_CACHE_HIT)
    _ = pages(connection, SQLITE_DBSTATUS_CACHE_MISS)
    _ = pages(connection, SQLITE_DBSTATUS_CACHE_WRITE)
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
      { event, context, statement, text in
        guard let context, let statement else { return 0 }
        let counter = Unmanaged<WorkCounter>.fromOpaque(context).takeUnretainedValue()
        let handle = SQLiteStatement(statement)
        if event == UInt32(SQLITE_TRACE_PROFILE) {
          counter.end(handle)
        } else if let text, !String(cString: text.assumingMemoryBound(to: CChar.self)).hasPrefix("--") {
          // A comment marks a trigger, whose work is counted for its statement.
          counter.begin(handle)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func stop(_ connection: SQLiteConnection?) {
    sqlite3_trace_v2(connection, 0, nil, nil)
    work.changes += Int(sqlite3_total_changes(connection))
    work.pagesRead =
      pages(connection, SQLITE_DBSTATUS_CACHE_HIT) + pages(connection, SQLITE_DBSTATUS_CACHE_MISS)
    work.pagesWritten = pages(connection, SQLITE_DBSTATUS_CACHE_WRITE)
    let remaining = statements(connection)
    work.statementsAdded = remaining.count - known.count
    for statement in remaining where !known.contains(statement) { work.prepared.insert(sql(statement)) }
  }

  private func begin(_ statement: SQLiteStatement) {
    let text = sql(statement)
    if !known.contains(statement) { work.prepared.insert(text) }
    work.statements[text, default: .init()].runs += 1
  }

  private func end(_ statement: SQLiteStatement) {
    var run = work.statements[sql(statement)] ?? Work.Statement()
    run.steps += take(SQLITE_STMTSTATUS_VM_STEP, statement)
    run.fullScanSteps += take(SQLITE_STMTSTATUS_FULLSCAN_STEP, statement)
    work.statements[sql(statement)] = run
  }

  private func statements(_ connection: SQLiteConnection?) -> [SQLiteStatement] {
    var result: [SQLiteStatement] = []
    while let next = sqlite3_next_stmt(connection, result.last) { result.append(next) }
    return result
  }

  /// Reads a counter of a statement, and resets it.
  private func take(_ counter: Int32, _ statement: SQLiteStatement) -> Int {
    Int(sqlite3_stmt_status(statement, counter, 1))
  }

  private func pages(_ connection: SQLiteConnection?, _ counter: Int32) -> Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(connection, counter, &current, &highest, 1)
    return Int(current)
  }

  private func sql(_ statement: SQLiteStatement) -> String {
    sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }
}

import GRDB

/// What SQLite found when it looked through a whole store, as `container.check()` does.
public struct StoreCheck: Sendable, Hashable {
  /// What is wrong, in SQLite's words: pages, rows and indexes that are damaged, and rows that point at none. At most
  /// a hundred of each kind.
  public let problems: [String]

  /// A result to compare with, or to show.
  public init(problems: [String]) {
    self.problems = problems
  }

  /// Whether nothing is wrong.
  public var isIntact: Bool { problems.isEmpty }

  fileprivate static let limit = 100

  fileprivate init(_ database: Database) throws {
    var problems: [String] = []
    // What is too damaged to be looked through is a finding too.
    func find(_ body: () throws -> [String]) throws {
      do {
        problems += try body()
      } catch let error as DatabaseError where error.isCorruption || error.resultCode == .SQLITE_ERROR {
        problems.append(error.summary)
      }
    }
    try find {
      try String.fetchAll(database, sql: "PRAGMA integrity_check(\(StoreCheck.limit))").filter { $0 != "ok" }
    }
    try find {
      let violations = try database.foreignKeyViolations()
      var texts: [String] = []
      while texts.count < StoreCheck.limit, let violation = try violations.next() {
        let row = violation.originRowID.map { " \($0)" } ?? ""
        texts.append(
          "row\(row) of “\(violation.originTable)” points at a row of “\(violation.destinationTable)” that is missing"
        )
      }
      return texts
    }
    self.problems = problems
  }

  /// What is found when reading cannot even begin.
  fileprivate init(damageIn error: any Error) throws {
    guard let damage = error as? DatabaseError, damage.isCorruption else {
      throw SyncError.ofSync(error, isCancelled: _Concurrency.Task.isCancelled)
    }
    problems = [damage.summary]
  }
}

extension StoreCheck: CustomStringConvertible {
  public var description: String {
    isIntact ? "The store is intact." : (["The store is damaged:"] + problems).joined(separator: "\n  ")
  }
}

extension SyncContainer {
  /// Looks through the whole store: SQLite's integrity check, and its check of the foreign keys.
  ///
  /// It reads every page, about as long as copying the file takes; syncs go on meanwhile.
  ///
  /// ```swift
  /// let check = try await container.check()
  /// if !check.isIntact { print(check) }
  /// ```
  ///
  /// - Throws: ``SyncError``, or the database's error, when the store cannot be read; findings are not errors. Within a read
  ///   or a write of the database, ``SyncError/reentrantCall(reason:)``.
  public func check() throws -> StoreCheck {
    do {
      return try database.snapshot { try StoreCheck($0) }
    } catch {
      return try StoreCheck(damageIn: error)
    }
  }

  /// Looks through the whole store without holding up the caller.
  ///
  /// - Throws: ``SyncError/cancelled`` when the task is cancelled; else as the other form does.
  public func check() async throws -> StoreCheck {
    do {
      return try await database.snapshot { try StoreCheck($0) }
    } catch {
      return try StoreCheck(damageIn: error)
    }
  }
}

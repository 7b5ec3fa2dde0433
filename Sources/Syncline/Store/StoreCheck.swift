import GRDB

/// The result of checking a whole store with `container.check()`.
public struct StoreCheck: Sendable, Hashable {
  /// SQLite's messages about damaged pages, rows and indexes, and a sentence for each row that references a missing row. At most
  /// a hundred of each kind.
  public let problems: [String]

  /// Creates a result, to compare with another or to show.
  public init(problems: [String]) {
    self.problems = problems
  }

  /// Whether there are no problems.
  public var isIntact: Bool { problems.isEmpty }

  fileprivate static let limit = 100

  fileprivate init(_ database: Database) throws {
    var problems: [String] = []
    // Damage that prevents a check is a problem too.
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
          "row\(row) of “\(violation.originTable)” references a row of “\(violation.destinationTable)” that is missing"
        )
      }
      return texts
    }
    self.problems = problems
  }

  /// The result for a store that cannot be read at all.
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
  /// Checks the whole store: runs SQLite's integrity check and its foreign key check.
  ///
  /// It reads every page, which takes about as long as copying the file. Syncs continue meanwhile.
  ///
  /// ```swift
  /// let check = try await container.check()
  /// if !check.isIntact { print(check) }
  /// ```
  ///
  /// - Throws: ``SyncError``, or the database's error, if the store cannot be read; ``SyncError/reentrantCall(reason:)`` in a
  ///   closure of `read` or `write`. Problems of the store are in the result, and are not thrown.
  public func check() throws -> StoreCheck {
    do {
      return try database.snapshot { try StoreCheck($0) }
    } catch {
      return try StoreCheck(damageIn: error)
    }
  }

  /// Checks the whole store without blocking the caller.
  ///
  /// - Throws: ``SyncError/cancelled`` when the task is cancelled; otherwise the errors of the blocking form.
  public func check() async throws -> StoreCheck {
    do {
      return try await database.snapshot { try StoreCheck($0) }
    } catch {
      return try StoreCheck(damageIn: error)
    }
  }
}

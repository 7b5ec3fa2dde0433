import GRDB

/// Why a call restarts. It is thrown when the payload turns out to need another mode; the writes so far are rolled back.
enum Restart: Error {
  /// Statements about links affect each other: all of them are logged, and decided together.
  case loggingLinks
  /// A row of a table with `@UpdatedAt`, `@SoftDelete`, `@Merged` or `@Ordered` has several objects that differ: the objects of
  /// such rows are merged before they are compared with the store.
  case mergingRows
  /// Rows cannot be kept: they are skipped.
  case skipping(RowsToSkip)
  /// Objects without identity belong to rows of the payload: their values are merged with those of the other objects.
  case answering([UnidentifiedPlace: LinkedRow])
  /// Rows that are marked as deleted come to the call's parent by another statement of the payload: they are deleted.
  case countingMarks(Set<LinkedRow>)
  /// Keys name other rows at the end of the payload than when they were read.
  case lookingUp([LookupKey: SyncIdentity?])
  /// An item has an object without identity, whose row may have an edit: all edits are reset.
  case resettingEdits
  /// The result depends on the reading order: rows are read in payload order.
  case inOrder
  /// A statement that inserts many rows failed, or inserted only some of them.
  case insertingOneByOne
}

/// Where an object without identity is.
struct UnidentifiedPlace: Hashable, Sendable {
  /// The relationship and the row under which the object is nested.
  let end: LinkEnd
  let owner: SyncIdentity?
  /// The object's place in the payload.
  let begin: Int
}

/// A value by which keys name a row: `@Relationship(by:)`.
struct LookupKey: Hashable, Sendable {
  let column: ModelCatalog.Lookup
  let value: SyncIdentity
}

extension Run.Mode {
  var mergesAny: Bool { logsLinks || mergesRows }

  func merges(_ table: SyncTable) -> Bool { logsLinks || (mergesRows && table.isMerged) }

  /// Sets the mode for the restarted call.
  ///
  /// - Throws: the restart, if the call already runs that way.
  mutating func begin(_ restart: Restart) throws {
    if case .lookingUp(let rows) = restart { return find(rows) }
    lookupRounds = [:]
    switch restart {
    case .loggingLinks where !logsLinks: logsLinks = true
    case .mergingRows where !mergesRows: mergesRows = true
    case .inOrder where !keepsOrder: keepsOrder = true
    case .insertingOneByOne where !insertsOneByOne: insertsOneByOne = true
    case .resettingEdits where !resetsAllEdits: resetsAllEdits = true
    case .skipping(let rows):
      (skipped, logsLinks) = (rows, true)
      // A skipped row may have linked the rows that were found, or have the value by which a key names another row.
      (answers, answerRestarts) = ([:], 0)
      (foundRows, hasEndedLookups) = ([:], false)
    case .answering(let rows):
      answers.merge(rows) { $1 }
      answerRestarts += 1
    case .countingMarks(let rows): countedMarks.formUnion(rows)
    case .loggingLinks, .mergingRows, .inOrder, .insertingOneByOne, .resettingEdits, .lookingUp: throw restart
    }
  }

  /// Finds the rows that keys name at the end of the payload. If an earlier run found the same rows, the restarts would repeat
  /// forever. Then keys whose rows have changed since that run find no row.
  private mutating func find(_ rows: [LookupKey: SyncIdentity?]) {
    for (key, row) in rows { foundRows.updateValue(row, forKey: key) }
    guard let first = lookupRounds[foundRows] else { return lookupRounds[foundRows] = lookupRounds.count }
    hasEndedLookups = true
    for (round, number) in lookupRounds where number >= first {
      for (key, row) in round where foundRows[key] != .some(row) { foundRows.updateValue(nil, forKey: key) }
    }
  }

  /// Defers the comparison of a table's unique values to the end of the payload, after a conflict that may be temporary. Returns
  /// false for other errors, and if they are deferred already.
  mutating func deferUniqueValues(after error: DatabaseError, in catalog: ModelCatalog) -> Bool {
    guard error.isUniqueConflict, let message = error.message else { return false }
    lookupRounds = [:]
    let known = deferredTables.count
    for table in catalog.tables
    where table.uniqueValues.contains(where: {
      message.contains("\(table.name).\(table.properties[$0].name)")
    }) {
      deferredTables.insert(table.name)
    }
    return deferredTables.count > known
  }
}

extension DatabaseError {
  /// Whether two rows would have a value that an index keeps unique.
  var isUniqueConflict: Bool { extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE }
}

import Foundation
import GRDB

/// What takes the whole payload to decide.
extension SyncSession {
  /// An identity of a model's type that neither a row of it nor a column has.
  func placeholder(for target: ModelSession, besides model: ModelSession, _ position: Int) throws
    -> SyncIdentity?
  {
    let isTaken = try read(
      "SELECT 1 FROM \(model.table.quotedName) WHERE \(model.column(position)) = ?1")
    func isFree(_ identity: SyncIdentity) throws -> Bool {
      try !isTaken.exists(identity) && !target.exists(identity)
    }
    switch target.table.identityKind {
    case .uuid: return .uuid(UUID())
    case .text: return .text(UUID().uuidString)
    case .integer(let range):
      var value = range.lowerBound
      while value < range.upperBound {
        if try isFree(.integer(value)) { return .integer(value) }
        value += 1
      }
      return nil
    }
  }

  /// - Throws: the error of a row that was left without the partner it requires.
  func checkParkedRows() throws {
    for row in parked where try row.model.target(of: row.position, in: row.key) == row.placeholder {
      throw row.error
    }
  }

  /// Decides the links of the payload, now that all of it is known, and syncs the objects without identity that stand
  /// for the rows that are linked now.
  func resolveLinks() throws {
    try decideLinks()
    while !unidentified.isEmpty {
      var rows = unidentified
      unidentified = []
      for index in rows.indices { try sync(&rows[index]) }
      try setAside.finish(in: self)
      pending.reopen()
      try decideLinks()
      // What an object says may link another row in its place.
      unidentified += try rows.filter { row in
        guard let identity = row.object.givenIdentity, row.tries < 4 else { return false }
        return try linked(by: row).map { $0 != identity } ?? false
      }
    }
  }

  private func sync(_ row: inout UnidentifiedRow) throws {
    row.tries += 1
    guard row.object.level <= SyncContext.levelLimit, let table = row.object.table else {
      return try name(row.object)
    }
    guard let identity = try linked(by: row) else {
      let reason = row.object.missingIdentity(of: row.object.value, in: table)
      return log.record(
        SyncProblem(
          model: row.owner.table.name, row: row.object.rowIndex, identity: row.key.identity.description,
          path: row.object.path, reason: "\(reason), and no row is linked", action: .ignoredObject))
    }
    row.object.givenIdentity = identity
    let mode = RowMode(
      updatesFields: row.operations.contains(.update), inserts: row.operations.contains(.insert),
      operations: row.operations)
    _ = try sync(row.object, identity, in: models(table), mode)
  }

  private func linked(by row: UnidentifiedRow) throws -> SyncIdentity? {
    row.position < row.owner.table.columnCount
      ? try row.owner.target(of: row.position, in: row.key)
      : try members(row.owner, row.position, row.key).first
  }

  private func decideLinks() throws {
    try pending.resolve(in: self)
    try decideLists()
    try pending.resolve(in: self)
    try pending.linkArrivals(in: self)
    try writePairs()
    try writeChildLists()
  }

  /// Tries again to keep rows that were refused for what others had then, as long as that helps.
  func retryRows() throws {
    while !refused.isEmpty {
      let rows = refused.removeAll()
      for row in rows { _ = try sync(row.object, row.key.identity, in: row.model, row.mode) }
      pending.reopen()
      try resolveLinks()
      if refused.count == rows.count { return }
    }
  }

  /// Skips what is still refused of a row, its first object first: what the payload says later of it may be kept.
  func skipRefusedRows() throws {
    while !refused.isEmpty {
      for row in refused.removeFirstOfEach() {
        guard case .invalidPayload(let name, let reason) = row.error else { throw row.error }
        skip(row.object, row.key, in: row.model, model: name, reason: reason)
        try nameNested(in: row.object)
      }
      try retryRows()
    }
  }

  /// Checks the required links of new rows.
  ///
  /// - Parameter isLast: whether links that rows which go now may free are checked too.
  /// - Throws: the error of a row whose link leads nowhere. Where invalid rows are skipped, the row is removed again.
  func checkRequiredLinks(isLast: Bool) throws {
    // Rows that are refused for now may bring others.
    guard isLast || refused.isEmpty else { return }
    let held = isLast ? [] : Set(heldPairs.compactMap(\.place))
    let links = requiredLinks
    requiredLinks = []
    for link in links {
      if held.contains(LinkPlace(model: link.model.id, position: link.position, owner: link.key)) {
        requiredLinks.append(link)
        continue
      }
      guard let related = link.model.table.properties[link.position].related,
        try link.model.target(of: link.position, in: link.key) == link.target,
        try !models(related).exists(link.target)
      else { continue }
      guard skipsInvalidRows else { throw link.error }
      try link.model.deleteRow(link.key)
      link.model.counts.skipped += 1
      log.record(
        SyncProblem(
          model: link.model.table.name, row: nil, identity: link.key.identity.description,
          path: link.model.table.properties[link.position].name, reason: link.error.description,
          action: .skippedRow))
    }
  }

  /// Ends the counting of links and rows.
  ///
  /// - Returns: whether anything is different from before. What was written may have been undone within the payload.
  func finishCounts() throws -> Bool {
    try links.finish()
    for model in order { model.finishCounts() }
    return pending.hasChanged || links.hasChanges || order.contains(where: \.hasNetChanges)
  }

  /// The report, when all is counted.
  func report() -> SyncReport {
    var report = SyncReport()
    for model in order where model.counts != SyncReport.Counts() {
      report.models[model.table.name] = model.counts
    }
    report.problems = log.inOrder
    report.problemCount = log.count
    report.waiting = waiting
    report.waitingCount = waitingCount
    return report
  }
}

import Foundation
import GRDB

extension ModelRows {
  /// Marks a row with the time, if it is not marked.
  func softDelete(_ row: RowKey, at date: Date) throws {
    guard let position = table.softDelete else { return }
    let statement = try WriteStatement(
      run.database,
      "UPDATE \(table.quotedName) SET \(column(position)) = ?1"
        + " WHERE \(condition(row, from: 2)) AND \(column(position)) IS NULL")
    let parameters = statement.restart()
    parameters.bind(date.syncDatabaseValue, at: 1)
    bind(row, to: parameters, from: 2)
    if try statement.execute() > 0 { journal.recordSoftDeletion(row) }
  }
}

/// Deletes rows, and does what the delete rules say.
final class DeleteRules {
  private unowned(unsafe) let run: Run
  private let pending: PendingLinks
  private let deletedTargets: DeletedTargets

  init(_ run: Run, _ pending: PendingLinks, _ deletedTargets: DeletedTargets) {
    self.run = run
    self.pending = pending
    self.deletedTargets = deletedTargets
  }

  /// Deletes a row and does what the delete rules say; a row that others deny is kept and reported.
  func delete(_ row: RowKey, in model: ModelRows) throws {
    var deletion = RowDeletion(run)
    guard try deletion.collect(row, in: model) else {
      run.log.record(
        SyncProblem(
          model: model.table.name, row: nil, identity: row.identity.description, path: "",
          .denied(by: deletion.denial ?? "another row"), action: .keptRow))
      return
    }
    try deletion.forEachRow(deleteRow)
  }

  /// Deletes one row and the links to it.
  func deleteRow(_ row: RowKey, in model: ModelRows) throws {
    try run.ledger.forget(row, in: model)
    for reference in model.entry.references where reference.end.isOptional {
      let owner = run.rows(reference.end.owner)
      for holder in try owner.holderKeys(of: row.identity, at: reference.end.position) {
        deletedTargets.note(row.identity, at: LinkPlace(end: reference.end, owner: holder))
        run.ledger.forgetMember(holder, at: reference.end, of: row)
        _ = try owner.link(holder, at: reference.end.position, to: nil)
      }
    }
    for links in model.entry.links { try deleteLinks(links, of: row, in: model) }
    try pending.forget(row, in: model)
    let deletion = try WriteStatement(
      run.database, "DELETE FROM \(model.table.quotedName) WHERE \(model.condition(row, from: 1))")
    model.bind(row, to: deletion.restart())
    if try deletion.execute() > 0 { model.journal.recordDeletion(row) }
  }

  /// Deletes a row's links in a table of links.
  private func deleteLinks(_ links: ModelCatalog.Links, of row: RowKey, in model: ModelRows) throws {
    let link = links.table
    let members = try ReadStatement(
      run.database, "SELECT \(link.otherColumn) FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1"
    ).identities(of: row.identity)
    guard !members.isEmpty else { return }
    let isNew = model.journal.isInserted(row)
    var removed = 0
    for member in members {
      if let far = links.far {
        deletedTargets.note(row.identity, at: LinkPlace(end: far, owner: RowKey(identity: member)))
      }
      if !run.ledger.cancel(member, of: row, in: links, isNew: isNew) { removed += 1 }
    }
    run.rows(links.end.owner).counts.unlinked += removed
    try WriteStatement(run.database, "DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1")
      .execute(row.identity)
  }
}

/// The deletion of one row with all that its rules cascade to.
private struct RowDeletion {
  private struct Row: Hashable {
    let model: ModelNumber
    let key: RowKey
  }

  private unowned(unsafe) let run: Run
  private var rows: [Row] = []
  private var seen: Set<Row> = []
  /// What keeps the row.
  private(set) var denial: String?

  init(_ run: Run) {
    self.run = run
  }

  /// Collects the rows that go with one, in the order they were found; false when a rule denies it.
  mutating func collect(_ row: RowKey, in model: ModelRows) throws -> Bool {
    try add(Row(model: model.entry.number, key: row))
    var index = 0
    while index < rows.count {
      let row = rows[index]
      index += 1
      if try !follow(row) { return false }
    }
    // What is denied may be gone itself by a cascade: only rows that would stay deny.
    for row in rows {
      for reference in run.rows(row.model).entry.references where reference.rule == .deny {
        for other in try holders(of: row.key, reference.end) where !seen.contains(other) {
          denial = "\(reference.end.table.name) \(other.key.identity)"
          return false
        }
      }
    }
    return true
  }

  /// Adds the rows that go with one; false when one that stays denies it.
  private mutating func follow(_ row: Row) throws -> Bool {
    let model = run.rows(row.model)
    for reference in model.entry.references where reference.rule == .cascade {
      for other in try holders(of: row.key, reference.end) { try add(other) }
    }
    for case let end? in model.entry.ends where end.isColumn {
      guard let rule = end.deleteRule, rule != .nullify,
        let target = try model.target(of: row.key, at: end.position)
      else { continue }
      let other = Row(model: end.target, key: RowKey(identity: target))
      if rule == .cascade {
        try add(other)
      } else if !seen.contains(other) {
        denial = "\(end.targetTable.name) \(target)"
        return false
      }
    }
    return true
  }

  private mutating func add(_ row: Row) throws {
    // No rule deletes a row that the payload holds.
    if !rows.isEmpty, run.rows(row.model).isNamed(row.key) { try run.logLinks() }
    if seen.insert(row).inserted { rows.append(row) }
  }

  private func holders(of row: RowKey, _ end: LinkEnd) throws -> [Row] {
    try run.rows(end.owner).holderKeys(of: row.identity, at: end.position)
      .map { Row(model: end.owner, key: $0) }
  }

  /// Calls the body with the collected rows, those found last first.
  func forEachRow(_ body: (RowKey, ModelRows) throws -> Void) throws {
    for (index, row) in rows.enumerated().reversed() {
      let model = run.rows(row.model)
      // The row that the others go with is none of the payload's.
      if index > 0, !model.named.containsOutsideScan(row.key), model.isMetInOrder(row.key) {
        model.named.markMet(row.key)
      }
      try body(row.key, model)
    }
  }
}

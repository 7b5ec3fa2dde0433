import Foundation
import GRDB

/// Deleting rows by the delete rules, and marking them.
extension ModelRows {
  /// Marks a row with the time, if it is not marked.
  func softDelete(_ key: RowKey, at date: Date) throws {
    guard let position = table.softDelete else { return }
    let statement = try WriteStatement(
      run.database,
      "UPDATE \(table.quotedName) SET \(column(position)) = ?1"
        + " WHERE \(condition(key, from: 2)) AND \(column(position)) IS NULL")
    let parameters = statement.restart()
    parameters.bind(date.syncDatabaseValue, at: 1)
    key.identity.bind(to: parameters, at: 2)
    key.parent?.bind(to: parameters, at: 3)
    if try statement.execute() > 0 { journal.recordSoftDeletion(key) }
  }

  /// Deletes a row and does what the delete rules say; a row that others deny is kept and reported.
  func deleteByRules(_ key: RowKey) throws {
    var deletion = RowDeletion(run: run)
    guard try deletion.collect(key, in: self) else {
      run.log.record(
        SyncProblem(
          model: table.name, row: nil, identity: key.identity.description, path: "",
          reason: "\(deletion.denial ?? "another row") denies the deletion", action: .keptRow))
      return
    }
    try deletion.run()
  }

  /// Deletes one row and the links to it.
  func deleteRow(_ key: RowKey) throws {
    try run.links.forget(key, in: self)
    for reference in entry.references where reference.end.isOptional {
      let owner = run.rows(reference.end.owner)
      for holder in try owner.holderKeys(of: key.identity, at: reference.end.position) {
        run.deletedTargets.note(key.identity, at: LinkPlace(end: reference.end, owner: holder))
        _ = try owner.link(holder, at: reference.end.position, to: nil)
      }
    }
    for links in entry.links { try deleteLinks(links, of: key) }
    try run.pending.forget(key, in: self)
    let deleted = try WriteStatement(
      run.database, "DELETE FROM \(table.quotedName) WHERE \(condition(key, from: 1))"
    ).execute(key.identity, key.parent)
    if deleted > 0 { journal.recordDeletion(key) }
  }

  /// Deletes a row's links in a table of links.
  private func deleteLinks(_ links: ModelCatalog.Links, of key: RowKey) throws {
    let link = links.table
    let members = try ReadStatement(
      run.database, "SELECT \(link.otherColumn) FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1"
    ).identities(of: key.identity)
    guard !members.isEmpty else { return }
    let isNew = journal.isInserted(key)
    var removed = 0
    for member in members {
      if let far = links.far {
        run.deletedTargets.note(key.identity, at: LinkPlace(end: far, owner: RowKey(identity: member)))
      }
      if !run.links.cancel(member, of: key, in: links, isNew: isNew) { removed += 1 }
    }
    run.rows(links.end.owner).counts.unlinked += removed
    try WriteStatement(run.database, "DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1")
      .execute(key.identity)
  }
}

/// The deletion of one row with all that its rules cascade to.
private struct RowDeletion {
  private struct Row: Hashable {
    let model: ModelNumber
    let key: RowKey
  }

  private let sync: SyncRun
  private var rows: [Row] = []
  private var seen: Set<Row> = []
  /// What keeps the row.
  private(set) var denial: String?

  init(run: SyncRun) {
    sync = run
  }

  /// Collects the rows that go with one, in the order they were found; false when a rule denies it.
  mutating func collect(_ key: RowKey, in model: ModelRows) throws -> Bool {
    add(Row(model: model.entry.number, key: key))
    var index = 0
    while index < rows.count {
      let row = rows[index]
      index += 1
      if try !follow(row) { return false }
    }
    // What is denied may be gone itself by a cascade: only rows that would stay deny.
    for row in rows {
      for reference in sync.rows(row.model).entry.references where reference.rule == .deny {
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
    let model = sync.rows(row.model)
    for reference in model.entry.references where reference.rule == .cascade {
      for other in try holders(of: row.key, reference.end) { add(other) }
    }
    for case let end? in model.entry.ends where end.isColumn {
      guard let rule = end.deleteRule, rule != .nullify,
        let target = try model.target(of: row.key, at: end.position)
      else { continue }
      let other = Row(model: end.target, key: RowKey(identity: target))
      if rule == .cascade {
        add(other)
      } else if !seen.contains(other) {
        denial = "\(end.targetTable.name) \(target)"
        return false
      }
    }
    return true
  }

  private mutating func add(_ row: Row) {
    if seen.insert(row).inserted { rows.append(row) }
  }

  private func holders(of key: RowKey, _ end: LinkEnd) throws -> [Row] {
    try sync.rows(end.owner).holderKeys(of: key.identity, at: end.position)
      .map { Row(model: end.owner, key: $0) }
  }

  /// Deletes the collected rows, those found last first.
  func run() throws {
    for row in rows.reversed() { try sync.rows(row.model).deleteRow(row.key) }
  }
}

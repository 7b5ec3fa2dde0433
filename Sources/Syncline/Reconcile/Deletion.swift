import Foundation
import GRDB

/// Deleting rows by the delete rules, and marking them.
extension SyncSession {
  /// Deletes the members that lists of links do not name, unless the payload names them elsewhere.
  func runDeferredDeletions() throws {
    for deletion in deferredDeletions {
      try delete(
        deletion.keys.filter { !deletion.model.isNamed($0) }, in: deletion.model, deletion.policy)
    }
  }

  /// Deletes or marks rows that the payload does not name.
  func delete(_ keys: [RowKey], in model: ModelSession, _ policy: DeletionPolicy) throws {
    switch policy {
    case .none: break
    case .hardDeleteMissing:
      for key in keys {
        try checkCancellation()
        try model.deleteByRules(key)
      }
    case .softDeleteMissing:
      for key in keys { try model.softDelete(key, at: now) }
    }
  }
}

/// Members that a list does not name, to be deleted at the end.
struct DeferredDeletion {
  let model: ModelSession
  let keys: [RowKey]
  let policy: DeletionPolicy
}

extension ModelSession {
  /// Marks a row with the time, if it is not marked.
  func softDelete(_ key: RowKey, at date: Date) throws {
    guard let position = table.softDelete else { return }
    let statement = try write(
      "UPDATE \(table.quotedName) SET \(column(position)) = ?1"
        + " WHERE \(condition(key, from: 2)) AND \(column(position)) IS NULL")
    let parameters = statement.restart()
    parameters.bind(date.syncDatabaseValue, at: 1)
    key.identity.bind(to: parameters, at: 2)
    key.parent?.bind(to: parameters, at: 3)
    if try statement.execute() > 0 {
      session.hasWritten = true
      counts.softDeleted += 1
    }
  }

  /// Deletes a row and does what the delete rules say; a row that others deny is kept and reported.
  func deleteByRules(_ key: RowKey) throws {
    var deletion = RowDeletion(session: session)
    guard try deletion.collect(key, in: self) else {
      session.log.record(
        SyncProblem(
          model: table.name, row: nil, identity: key.identity.description, path: "",
          reason: "\(deletion.denial ?? "another row") denies the deletion", action: .keptRow))
      return
    }
    try deletion.run()
  }

  /// Whether the model has a relationship for its end of a table of links.
  private func hasEnd(of link: LinkTable) -> Bool {
    table.properties.contains { property in
      guard case .link(let own) = property.kind else { return false }
      return own.name == link.name && own.isSource == link.isSource
    }
  }

  /// Deletes one row and the links to it; false when there is none.
  @discardableResult
  func deleteRow(_ key: RowKey) throws -> Bool {
    let isNew = isInserted(key)
    if isNew { try session.links.forget(key, in: self) }
    for reference in entry.references {
      let owner = try session.models(reference.owner)
      guard owner.table.properties[reference.position].isOptional else { continue }
      for holder in try owner.holderKeys(of: key.identity, at: reference.position) {
        _ = try owner.link(holder, reference.position, to: nil)
      }
    }
    for link in entry.links {
      var removed = 0
      if session.links.hasRows {
        let members = try session.read(
          "SELECT \(link.otherColumn) FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1"
        ).identities(of: key.identity)
        removed -= members.count { session.links.cancel(link, key, $0) }
      }
      removed += try write("DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1")
        .execute(key.identity)
      let counting = try hasEnd(of: link) ? self : session.models(session.catalog.owner(of: link))
      if isNew { counting.counts.linked -= min(removed, counting.counts.linked) } else { counting.counts.unlinked += removed }
    }
    try session.pending.forget(self, key)
    let deleted = try write("DELETE FROM \(table.quotedName) WHERE \(condition(key, from: 1))")
      .execute(key.identity, key.parent)
    if deleted > 0 { markDeleted(key) }
    return deleted > 0
  }
}

/// The deletion of one row with all that its rules cascade to.
private struct RowDeletion {
  let session: SyncSession
  private var rows: [(model: ModelSession, key: RowKey)] = []
  private var seen: Set<LinkKey> = []
  /// What keeps the row.
  private(set) var denial: String?

  init(session: SyncSession) {
    self.session = session
  }

  /// Collects the rows that go with one, in the order they were found; false when a rule denies it.
  mutating func collect(_ key: RowKey, in model: ModelSession) throws -> Bool {
    rows.append((model, key))
    seen.insert(place(model, key))
    var index = 0
    while index < rows.count {
      let (model, key) = rows[index]
      index += 1
      if try !follow(key, in: model) { return false }
    }
    // What is denied may be gone itself by a cascade: only rows that would stay deny.
    for (model, key) in rows {
      for reference in model.entry.references where reference.rule == .deny {
        let owner = try session.models(reference.owner)
        for other in try owners(of: key, reference, owner) where !seen.contains(place(owner, other)) {
          denial = "\(owner.table.name) \(other.identity)"
          return false
        }
      }
    }
    return true
  }

  private mutating func follow(_ key: RowKey, in model: ModelSession) throws -> Bool {
    for reference in model.entry.references where reference.rule == .cascade {
      let owner = try session.models(reference.owner)
      for other in try owners(of: key, reference, owner) { add(owner, other) }
    }
    for (position, property) in model.table.columns.enumerated() {
      guard let rule = property.deleteRule, rule != .nullify, case .toOne = property.kind,
        let related = property.related
      else { continue }
      let statement = try session.read(
        "SELECT \(model.column(position)) FROM \(model.table.quotedName)"
          + " WHERE \(model.condition(key, from: 1)) AND \(model.column(position)) IS NOT NULL")
      let parameters = statement.restart()
      key.identity.bind(to: parameters, at: 1)
      key.parent?.bind(to: parameters, at: 2)
      defer { statement.reset() }
      guard try statement.step(), let target = SyncIdentity(statement.column(0)) else { continue }
      let other = try session.models(related)
      if rule == .cascade {
        add(other, RowKey(identity: target))
      } else if !seen.contains(place(other, RowKey(identity: target))) {
        denial = "\(other.table.name) \(target)"
        return false
      }
    }
    return true
  }

  private mutating func add(_ model: ModelSession, _ key: RowKey) {
    if seen.insert(place(model, key)).inserted { rows.append((model, key)) }
  }

  private func place(_ model: ModelSession, _ key: RowKey) -> LinkKey {
    LinkKey(model: model.id, position: -1, owner: key, member: key.identity)
  }

  private func owners(
    of key: RowKey, _ reference: ModelCatalog.IncomingReference, _ owner: ModelSession
  ) throws -> [RowKey] {
    try owner.holderKeys(of: key.identity, at: reference.position)
  }

  /// Deletes the collected rows, those found last first.
  func run() throws {
    for (model, key) in rows.reversed() {
      let isNew = model.isInserted(key)
      if try model.deleteRow(key), !isNew { model.counts.deleted += 1 }
    }
  }
}

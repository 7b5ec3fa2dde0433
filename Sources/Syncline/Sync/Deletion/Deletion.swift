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

  /// Notes the lists that a row is in, which may name it though the payload does not hold it.
  private func noteLists(of key: RowKey, in model: ModelSession) throws {
    // A row that is unique within its parent is not waited for.
    guard model.table.parentScope == nil else { return }
    for (position, property) in model.table.columns.enumerated() {
      guard case .toOne = property.kind, let other = try model.otherEnd(of: position),
        let owner = try model.target(of: position, in: key)
      else { continue }
      deletedTargets.note(other.model, other.position, RowKey(identity: owner), key.identity)
    }
  }

  /// Deletes or marks rows that the payload does not name.
  ///
  /// - Parameter isOfSlice: whether they are rows of the slice, not members that a list leaves out.
  func delete(_ keys: [RowKey], in model: ModelSession, _ policy: DeletionPolicy, isOfSlice: Bool = false)
    throws
  {
    switch policy {
    case .none: break
    case .hardDeleteMissing:
      for key in keys {
        try checkCancellation()
        if isOfSlice { try noteLists(of: key, in: model) }
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
      markedRowKeys.insert(key)
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

  /// Deletes one row and the links to it; false when there is none.
  @discardableResult
  func deleteRow(_ key: RowKey) throws -> Bool {
    try session.links.forget(key, in: self)
    for reference in entry.references {
      let owner = try session.models(reference.owner)
      guard owner.table.properties[reference.position].isOptional else { continue }
      for holder in try owner.holderKeys(of: key.identity, at: reference.position) {
        session.deletedTargets.note(owner, reference.position, holder, key.identity)
        _ = try owner.link(holder, reference.position, to: nil)
      }
    }
    for link in entry.links { try deleteLinks(link, of: key) }
    try session.pending.forget(self, key)
    let deleted = try write("DELETE FROM \(table.quotedName) WHERE \(condition(key, from: 1))")
      .execute(key.identity, key.parent)
    if deleted > 0 { markDeleted(key) }
    return deleted > 0
  }

  /// Deletes a row's links in a table of links.
  private func deleteLinks(_ link: LinkTable, of key: RowKey) throws {
    let members = try session.read(
      "SELECT \(link.otherColumn) FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1"
    ).identities(of: key.identity)
    guard !members.isEmpty, let end = try end(of: link) else { return }
    let isNew = isInserted(key)
    var removed = 0
    for member in members {
      if let position = end.position {
        session.deletedTargets.note(end.other, position, RowKey(identity: member), key.identity)
      }
      if !session.links.cancel(link, end.counting, key, member, isNew: isNew, in: end.other) { removed += 1 }
    }
    end.counting.counts.unlinked += removed
    try write("DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1").execute(key.identity)
  }

  /// Who counts the links of a row in a table of links, and the model and the relationship of the rows at the other end.
  private func end(of link: LinkTable) throws -> (
    counting: ModelSession, other: ModelSession, position: Int?
  )? {
    if let position = table.position(of: link, isSource: link.isSource),
      let related = table.properties[position].related
    {
      return (self, try session.models(related), try otherEnd(of: position)?.position)
    }
    for owner in session.catalog.tables {
      guard let position = owner.position(of: link, isSource: !link.isSource) else { continue }
      let model = try session.models(owner)
      return (model, model, position)
    }
    return nil
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

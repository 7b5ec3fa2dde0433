import Foundation
import GRDB

/// Records responses of the server and decisions of the user, in a transaction with the triggers disabled.
extension PendingChanges {
  typealias Column = EditTable.Column

  /// The edit that a response answers; nil if the edit was already answered.
  func edit(_ row: RowKey, _ model: OfflineModel, _ key: String) throws -> (
    edit: Edit, store: StoredEdits
  )? {
    let store = StoredEdits(database, of: model)
    func isAnswered(_ edit: Edit) -> Bool { edit.sent?.key == key && edit.reason == nil }
    if let edit = try store.edit(of: row), isAnswered(edit) { return (edit, store) }
    // Another row's answer may have replaced the row's identity.
    return try store.edits("WHERE \"\(Column.pushKey)\" = ?1", [key.databaseValue]).first(where: isAnswered)
      .map { ($0, store) }
  }

  /// The edits of the rows that have a relationship; nil if the model keeps none.
  func edits(at end: LinkEnd) -> StoredEdits? {
    catalog.offlineModel(end.owner).map { StoredEdits(database, of: $0) }
  }

  /// Why an answer to a new row whose identity the server makes cannot be used.
  static let noIdentity = "the response has no identity"

  /// The values of an entry's columns about the request, once it is answered.
  static var answered: [String: (any DatabaseValueConvertible)?] {
    [
      Column.sentKind: nil, Column.pushKey: nil, Column.body: nil, Column.sentAt: nil, Column.nextTry: nil,
      Column.attempts: nil, Column.conflicts: nil, Column.reason: nil, Column.isPulled: false,
      Column.forced: nil,
    ]
  }

  // MARK: Answers

  /// Records that the server has applied the request.
  ///
  /// - Returns: whether no payload has changed the row since the request; nil if one has deleted it.
  func confirm(_ row: RowKey, _ model: OfflineModel, key: String) throws -> Bool? {
    guard let (edit, store) = try edit(row, model, key), let sent = edit.sent else { return false }
    try confirm(edit, sent, in: store)
    return edit.isPulled && edit.isGone ? nil : !edit.isPulled
  }

  private func confirm(_ edit: Edit, _ sent: Edit.Sent, in store: StoredEdits) throws {
    let (row, model) = (edit.row, store.model)
    try noteAnswer(row, model)
    let local = try store.stored(row)
    var forced: Set<String> = []
    // A pull has since deleted a row that this one requires, so the server has deleted both.
    var isOrphan = false
    if let aside = edit.aside, sent.kind != .delete, local == nil, edit.isGone || edit.base == nil {
      isOrphan = try store.linked(aside) == nil
    }
    if isOrphan, model.isSame(sent.values, edit.aside) { return try store.remove(edit) }
    if sent.kind == .delete {
      let isRestored = edit.isPulled && !edit.isGone
      guard local != nil || edit.aside != nil || isRestored else {
        try store.remove(edit)
        return try endDeletions(with: row, model)
      }
      if isRestored, local == nil, let base = try edit.base.flatMap({ try store.linked($0) }) {
        let base = try store.withoutTaken(base, of: row)
        // A pull has changed the row after the request, so the row is restored, unless another row has a required value now.
        let columns = model.table.columns.indices
        if try columns.allSatisfy({ try store.isFree(base.columns[$0], at: $0, for: row) }) {
          try store.insert(base)
          for (list, members) in zip(model.lists, base.lists) { try store.set(list, of: row, to: members) }
        }
        return try store.remove(edit)
      }
      // The row was inserted again meanwhile.
      try store.set([Column.isNew: true, Column.isGone: false], of: edit)
    } else if edit.isPulled, edit.isGone {
      // A pull has deleted the row since.
      if let local, model.isSame(sent.values, local) {
        try store.remove(edit)
        return try deleteOrKeep(row, model)
      }
    } else if edit.isPulled {
      // The values of a later pull are newer than the request. Values that were edited after the request are sent, even if they
      // equal the pulled ones.
      if let local, let base = edit.base {
        let (columns, lists) = model.difference(sent.values, local)
        let edited = columns + lists.map { model.lists[$0].position }
        forced = edit.forced.intersection(edited.map(model.table.editedName))
        try follow(base, row, store, besides: columns, lists: lists)
      }
    } else {
      try rebase(edit, store)
    }
    try store.set(PendingChanges.answered, of: edit)
    if sent.kind != .delete {
      try store.set(
        [Column.isNew: false, Column.isGone: isOrphan || edit.isPulled && edit.isGone], of: edit)
    }
    try store.set(forced: forced, of: edit)
    try endIfWithoutEffect(row, store)
  }

  /// Records the time, since the server's values of the row are now newer than payloads that were requested before.
  func noteAnswer(_ row: RowKey, _ model: OfflineModel) throws {
    try StoredMoments(database: database, sources: sources).noteAnswer(row, of: model.table.name)
  }

  /// Gives a row the values of its base, except for values that were edited after the request.
  private func follow(
    _ base: Edit.Values, _ row: RowKey, _ store: StoredEdits, besides columns: [Int], lists: [Int]
  ) throws {
    let model = store.model
    guard let local = try store.stored(row), let linked = try store.linked(base) else { return }
    let followed = Set(model.tracked).subtracting(columns)
      .filter { !model.isSame(local.columns[$0], linked.columns[$0], at: $0) }.sorted()
    try store.update(
      row, try followed.filter { try store.isFree(linked.columns[$0], at: $0, for: row) }, to: linked.columns)
    for index in model.lists.indices where !lists.contains(index) {
      try store.set(model.lists[index], of: row, to: linked.lists[index])
    }
  }

  /// Ends the edits of rows that were deleted with a row.
  ///
  /// - Parameter isAnswered: whether the server has deleted them, too.
  func endDeletions(with row: RowKey, _ model: OfflineModel, isAnswered: Bool = true) throws {
    var owners = [(row.identity, model.entry.number)]
    while let (owner, number) = owners.popLast() {
      for (store, end) in catalog.dependents(on: number, in: database) {
        for edit in try store.edits(ofRowsOf: owner, at: end) where edit.isWithOwner && !edit.isUnanswered {
          guard try store.stored(edit.row) == nil else { continue }
          try store.remove(edit)
          if isAnswered { try noteAnswer(edit.row, store.model) }
          owners.append((edit.row.identity, store.model.entry.number))
        }
      }
    }
  }

  /// Makes the sent values the base. The stamp stays the server's.
  private func rebase(_ edit: Edit, _ store: StoredEdits) throws {
    let model = store.model
    if let base = edit.base, let sent = edit.sent?.values {
      // The server has confirmed another link, so the row's pending key is outdated.
      for case let end? in model.difference(base, sent).columns.map({ model.entry.ends[$0] }) {
        try StoredPendingLinks(database).replace(LinkPlace(end: end, owner: edit.row), with: [])
      }
    }
    try store.copy(.sent, to: .base, of: edit)
    guard let stamp = model.table.updatedAt else { return }
    let property = model.table.properties[stamp]
    // A stamp that is older than that of any response.
    let oldest = property.isOptional ? DatabaseValue.null : "1970-01-01 00:00:00.000000".databaseValue
    try store.set(
      [EditTable.Version.base.column(property.name): edit.base?.columns[stamp] ?? oldest], of: edit)
  }

  func endIfWithoutEffect(_ row: RowKey, _ store: StoredEdits) throws {
    guard let edit = try store.edit(of: row), edit.sent == nil, edit.aside == nil else { return }
    let local = try store.stored(row)
    guard store.model.kind(of: edit, local) == nil else { return }
    if let stamp = store.model.table.updatedAt, let base = edit.base, local != nil {
      try store.update(row, [stamp], to: base.columns)
    }
    try store.remove(edit)
  }

  func reject(_ row: RowKey, _ model: OfflineModel, key: String, _ reason: String) throws {
    guard let (edit, store) = try edit(row, model, key) else { return }
    try store.set([Column.reason: reason, Column.nextTry: nil], of: edit)
    try store.set(forced: [], of: edit)
  }

  func postpone(_ row: RowKey, _ model: OfflineModel, key: String, until time: Double) throws {
    guard let (edit, store) = try edit(row, model, key) else { return }
    try store.set([Column.nextTry: time], of: edit)
  }

  /// Ends the request without applying it: the edit is sent again, based on the server's values.
  ///
  /// - Parameter identity: the identity of the server's row; nil if it is that of the sent row.
  func forgetSent(
    _ row: RowKey, _ model: OfflineModel, key: String, renamedTo identity: SyncIdentity?
  ) throws {
    guard let (edit, store) = try edit(row, model, key) else { return }
    let identity = identity ?? edit.row.identity
    try noteAnswer(RowKey(identity: identity, parent: edit.row.parent), model)
    try store.set(PendingChanges.answered, of: edit)
    if identity != edit.row.identity, let edit = try store.edit(of: edit.row) {
      try rename(edit, store, to: identity)
    }
    try store.set([Column.attempts: edit.attempts, Column.conflicts: edit.conflicts + 1], of: edit)
  }
}

import Foundation
import GRDB

/// The edits of all models as changes to push, their order, and the values to send.
struct PendingChanges {
  /// An edit that has an effect.
  struct Change {
    var edit: Edit
    let model: OfflineModel
    let local: Edit.Values?
    let kind: Edit.Kind
    /// The rows that its request does not link to: new rows that reference it, and the row itself while the server does not know
    /// its identity.
    var withheld: Set<LinkedRow> = []

    var row: LinkedRow { LinkedRow(model.entry.number, edit.row) }
    /// The values of the row: as it is stored, or as it was before it was deleted.
    var values: Edit.Values? { edit.aside ?? local ?? edit.base }
    var isRejected: Bool { edit.reason != nil }
    /// Whether its row is stored, or a request is not answered. That is sent again even if the row was set aside since.
    var canBeSent: Bool { edit.aside == nil || edit.isUnanswered }
    /// Whether it is a new row that was sent, and that the server has rejected or not answered.
    var isOpen: Bool { kind == .insert && edit.sent != nil }
    /// Whether it refers to a new row that the server has rejected or not answered.
    var isWaiting = false

    var state: SyncPendingState {
      if edit.aside != nil { return .aside }
      if isRejected { return .rejected }
      return edit.isUnanswered ? .sent : isWaiting ? .waiting : .pending
    }
  }

  let database: Database
  let catalog: ModelCatalog
  let configuration: SyncConfiguration

  private var models: [OfflineModel] { catalog.offlineModels }
  var sources: TimeAndRandomness { configuration.sources }

  // MARK: Which changes

  /// All changes in the order of pushing: new and edited rows after the new rows that they refer to, then deletions in the opposite
  /// order. Rows that were deleted with their owner are not listed.
  func all() throws -> [Change] {
    var changes: [Change] = []
    for model in models {
      let store = StoredEdits(database, of: model)
      changes += try store.all().compactMap { try change($0, in: store) }
    }
    let deleted = Set(changes.lazy.filter { $0.kind == .delete }.map(\.row))
    changes.removeAll { isConsequence($0) { deleted.contains($0) } }
    let open = Set(changes.lazy.filter(\.isOpen).map(\.row))
    if !open.isEmpty {
      for index in changes.indices {
        changes[index].isWaiting = references(changes[index]).contains { open.contains($0.row) }
      }
    }
    func isBefore(_ first: Change, _ second: Change) -> Bool {
      let (one, other) = (first.model, second.model)
      return (one.level, first.edit.number, one.entry.number)
        < (other.level, second.edit.number, other.entry.number)
    }
    let order = PushOrder(changes.filter { $0.kind != .delete }.sorted(by: isBefore), references)
    return order.changes + changes.filter { $0.kind == .delete }.sorted(by: isBefore).reversed()
  }

  /// The changes of a model, in the order of pushing.
  func all(of model: any SyncUpdatableModel.Type) throws -> [Change] {
    let number = try catalog.entry(for: model).number
    return try all().filter { $0.model.entry.number == number }
  }

  /// Whether there is any change. The first one that is found ends the search.
  func hasAny() throws -> Bool {
    try models.contains { model in
      let store = StoredEdits(database, of: model)
      // The deletion of a row with its owner is pending only if the owner's deletion is.
      return try !store.isEmpty && store.contains { try change($0, in: store) != nil }
    }
  }

  /// The change of a row; nil if it has none.
  func change(of row: LinkedRow) throws -> Change? {
    guard let model = catalog.offlineModel(row.model) else { return nil }
    let store = StoredEdits(database, of: model)
    return try store.edit(of: row.key).flatMap { try change($0, in: store) }
  }

  /// The push state of a row; nil if it has no change that is listed.
  func state(of row: LinkedRow) throws -> SyncPendingState? {
    guard var change = try change(of: row), try !isConsequence(change) else { return nil }
    change.isWaiting = try references(change).contains { try self.change(of: $0.row)?.isOpen ?? false }
    return change.state
  }

  /// An edit as a change; nil if it changes nothing. While a request is not answered, the change has the values of the request.
  func change(_ edit: Edit, in store: StoredEdits) throws -> Change? {
    let local = try store.stored(edit.row)
    guard let kind = edit.isUnanswered ? edit.sent?.kind : store.model.kind(of: edit, local)
    else { return nil }
    var change = Change(edit: edit, model: store.model, local: local, kind: kind)
    // The server does not know a temporary identity before it has the row.
    if kind == .insert, store.table.isIdentityMadeByServer { change.withheld = [change.row] }
    return change
  }

  /// Whether a row was deleted with a row that it requires, whose deletion is pending.
  func isConsequence(_ change: Change) throws -> Bool {
    try isConsequence(change, isDeleted: isDeleted)
  }

  /// - Parameter isDeleted: whether the deletion of a row is pending.
  private func isConsequence(_ change: Change, isDeleted: (LinkedRow) throws -> Bool) rethrows -> Bool {
    guard change.kind == .delete, change.edit.isWithOwner, !change.edit.isUnanswered,
      let base = change.edit.base
    else { return false }
    return try change.model.owners.contains { end in
      guard let owner = SyncIdentity(base.columns[end.position]) else { return false }
      return try isDeleted(LinkedRow(end.target, owner))
    }
  }

  /// The row that is sent, or was sent and is not answered; nil for a deletion.
  private func sentValues(_ change: Change) -> Edit.Values? {
    if change.kind == .delete { return nil }
    return change.edit.isUnanswered ? change.edit.sent?.values : change.values
  }

  /// A row that a change refers to, and whether the link may be left out.
  typealias Target = (row: LinkedRow, isOptional: Bool)

  /// The rows that a change refers to.
  func references(_ change: Change) -> [Target] {
    guard let values = sentValues(change) else { return [] }
    return references(values, change.model).filter { $0.row != change.row }
  }

  private func references(_ values: Edit.Values, _ model: OfflineModel) -> [Target] {
    var rows: [Target] = []
    for case let end? in model.entry.ends where end.isColumn && !end.property.isLocal {
      if let target = SyncIdentity(values.columns[end.position]) {
        rows.append((LinkedRow(end.target, target), end.isOptional))
      }
    }
    for (list, members) in zip(model.lists, values.lists) {
      rows += members.sorted().map { (LinkedRow(list.target, $0), true) }
    }
    return rows
  }

  /// Whether the deletion of a row is pending.
  func isDeleted(_ row: LinkedRow) throws -> Bool { try change(of: row)?.kind == .delete }

  /// Whether there are pending links to a row.
  func isAwaited(_ row: SyncIdentity, of model: OfflineModel) throws -> Bool {
    try !StoredPendingLinks(database).entries(for: model.table, row).isEmpty
  }

  /// Whether the server's values have links that other values lack, because the deletion of the linked row is pending.
  func lacksDeletedRows(_ values: Edit.Values, of base: Edit.Values, _ model: OfflineModel) throws -> Bool {
    let kept = Set(references(values, model).map(\.row))
    return try references(base, model).contains { try !kept.contains($0.row) && isDeleted($0.row) }
  }

  func values(_ change: Change, without rows: Set<LinkedRow>) -> Edit.Values? {
    guard var values = change.values, !rows.isEmpty else { return change.values }
    for case let end? in change.model.entry.ends where end.isColumn && end.isOptional {
      if let target = SyncIdentity(values.columns[end.position]), rows.contains(LinkedRow(end.target, target))
      {
        values.columns[end.position] = .null
      }
    }
    for (index, list) in change.model.lists.enumerated() {
      values.lists[index] = values.lists[index].filter { !rows.contains(LinkedRow(list.target, $0)) }
    }
    return values
  }

  /// The names of the edited properties, in the order of the schema.
  func properties(_ change: Change) -> [String] {
    let model = change.model
    guard let values = sentValues(change) else { return [] }
    var positions = Set(model.tracked + model.lists.map(\.position))
    if let base = change.edit.base, change.kind == .update {
      let (columns, lists) = model.difference(base, values)
      positions = Set(columns + lists.map { model.lists[$0].position })
      positions.formUnion(
        model.table.properties.indices.filter { change.edit.forced.contains(model.table.editedName(of: $0)) }
      )
    }
    positions.formUnion(
      model.lists.map(\.position).filter { model.table.order(of: $0).map(positions.contains) ?? false })
    var names: [String] = []
    for position in model.table.exportOrder where positions.contains(position) {
      let name = model.table.editedName(of: position)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}

extension SyncPendingChange {
  init?(_ change: PendingChanges.Change, in changes: PendingChanges) throws {
    guard let id = Model.SyncID(change.edit.row.identity) else { return nil }
    let edit = change.edit
    kind = change.kind
    self.id = id
    parent = edit.row.parent
    row = try change.local.map { try Model.made(of: $0, change.model, in: changes.database) }
    do {
      base = try edit.base.map { base in
        try Model.made(
          of: change.model.keepingLocal(base, of: change.local), change.model, in: changes.database)
      }
    } catch SyncError.unreadableRow where change.kind == .delete {
      // A deleted row may lack a property that became required since. Its identity is enough to delete it.
      base = nil
    }
    properties = changes.properties(change)
    state = change.state
    key = edit.sent?.key ?? ""
    attempts = edit.attempts
    conflicts = edit.conflicts
    reason = edit.reason
    isGone = edit.isGone
    if edit.isUnanswered {
      body = Data((edit.sent?.body ?? "").utf8)
    } else if change.kind != .delete, let values = changes.values(change, without: change.withheld) {
      body = try changes.body(of: change, values, properties)
    } else {
      body = Data()
    }
  }
}

extension SyncUpdatableModel {
  /// A row from the values of its columns.
  fileprivate static func made(of values: Edit.Values, _ model: OfflineModel, in database: Database) throws
    -> Self
  {
    let parameters = values.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let statement = try ReadStatement(database, "SELECT \(parameters)")
    statement.restart().bind(values.columns)
    defer { statement.reset() }
    guard try statement.step() else { throw SyncError.storeCorrupted(reason: "an edit has no values") }
    return try Self(columns: statement.decoder(of: model.table))
  }
}

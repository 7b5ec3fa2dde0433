import Foundation
import GRDB

/// The edits of all models as changes to push: which ones there are, in which order, and what is sent.
struct PendingChanges {
  /// An edit that changes something.
  struct Change {
    var edit: Edit
    let model: OfflineModel
    let local: Edit.Values?
    let kind: Edit.Kind

    var row: LinkedRow { LinkedRow(model.entry.number, edit.row) }
    /// The row that the change is about: as it is stored, or as it was before it was deleted.
    var values: Edit.Values? { edit.aside ?? local ?? edit.base }
    var isRejected: Bool { edit.reason != nil }
  }

  let database: Database
  let catalog: ModelCatalog
  let configuration: SyncConfiguration

  private var models: [OfflineModel] { catalog.offlineModels }

  // MARK: Which changes

  /// All changes in the order of pushing: new and edited rows after the new rows that they refer to, then deletions in the
  /// opposite order. Rows that are deleted since their owner is are not listed.
  func all() throws -> [Change] {
    var changes: [Change] = []
    for model in models {
      let store = StoredEdits(database, of: model)
      changes += try store.all().compactMap { try change($0, in: store) }
    }
    let deleted = Set(changes.filter { $0.kind == .delete }.map(\.row))
    changes.removeAll { $0.kind == .delete && !$0.edit.isUnanswered && isConsequence($0, of: deleted) }
    let levels = self.levels
    func isBefore(_ first: Change, _ second: Change) -> Bool {
      let (one, other) = (levels[first.model.entry.number] ?? 0, levels[second.model.entry.number] ?? 0)
      return (one, first.edit.number) < (other, second.edit.number)
    }
    let kept = owners(first: changes.filter { $0.kind != .delete }.sorted(by: isBefore))
    return kept + changes.filter { $0.kind == .delete }.sorted(by: isBefore).reversed()
  }

  func change(of row: RowKey, in model: OfflineModel) throws -> Change? {
    let store = StoredEdits(database, of: model)
    return try store.edit(of: row).flatMap { try change($0, in: store) }
  }

  /// An edit as a change; nil if it changes nothing. While an answer is awaited, the change is what was sent.
  private func change(_ edit: Edit, in store: StoredEdits) throws -> Change? {
    let local = try store.stored(edit.row)
    let kind = edit.isUnanswered ? edit.sent?.kind : store.model.kind(of: edit, local)
    return kind.map { Change(edit: edit, model: store.model, local: local, kind: $0) }
  }

  /// Whether a row was deleted with the row that it requires.
  private func isConsequence(_ change: Change, of deleted: Set<LinkedRow>) -> Bool {
    guard let base = change.edit.base else { return false }
    return change.model.entry.ends.contains { end in
      guard let end, end.isColumn, !end.isOptional || end.position == change.model.table.parentScope,
        let target = SyncIdentity(base.columns[end.position])
      else { return false }
      return deleted.contains(LinkedRow(end.target, RowKey(identity: target)))
    }
  }

  /// How many models come before each model, since its rows refer to theirs. Models that refer to each other are on one level.
  private var levels: [ModelNumber: Int] {
    var levels: [ModelNumber: Int] = [:]
    let numbers = Set(models.map(\.entry.number))
    // As many rounds as there are models: a ring grows no further than that.
    for _ in models {
      for model in models {
        let targets = model.entry.ends.compactMap { $0 }.filter {
          $0.isColumn || $0.linkTable?.isSource == true
        }
        .map(\.target).filter { numbers.contains($0) && $0 != model.entry.number }
        let level = targets.map { (levels[$0] ?? 0) + 1 }.max() ?? 0
        levels[model.entry.number] = min(level, models.count)
      }
    }
    return levels
  }

  /// Moves new rows before the rows that refer to them, within the order.
  private func owners(first changes: [Change]) -> [Change] {
    let inserts = Dictionary(
      changes.indices.filter { changes[$0].kind == .insert }.map { (changes[$0].row, $0) },
      uniquingKeysWith: { first, _ in first })
    var result: [Change] = []
    var state = [UInt8](repeating: 0, count: changes.count)
    for start in changes.indices {
      var stack = [start]
      while let index = stack.last {
        if state[index] == 2 {
          stack.removeLast()
          continue
        }
        let open =
          state[index] == 0
          ? references(changes[index]).compactMap { inserts[$0] }.filter { state[$0] == 0 } : []
        state[index] = max(state[index], 1)
        if open.isEmpty {
          state[index] = 2
          result.append(changes[index])
          stack.removeLast()
        } else {
          stack += open.reversed()
        }
      }
    }
    return result
  }

  /// The rows that a change refers to.
  func references(_ change: Change) -> [LinkedRow] {
    guard change.kind != .delete,
      let values = change.edit.isUnanswered ? change.edit.sent?.values : change.values
    else { return [] }
    var rows: [LinkedRow] = []
    for case let end? in change.model.entry.ends where end.isColumn {
      if let target = SyncIdentity(values.columns[end.position]) {
        rows.append(LinkedRow(end.target, RowKey(identity: target)))
      }
    }
    for (list, members) in zip(change.model.lists, values.lists) {
      rows += members.sorted().map { LinkedRow(list.target, RowKey(identity: $0)) }
    }
    return rows.filter { $0 != change.row }
  }

  // MARK: Sending

  /// The changes that can be sent now: not those that the server rejected, that are set aside, whose time has not come, or that
  /// refer to a new row which is not confirmed.
  ///
  /// - Parameter retried: rejected changes that are sent once more.
  func sendable(at time: Double, retried: Set<LinkedRow> = []) throws -> [Change] {
    let changes = try all()
    let new = Set(changes.filter { $0.kind == .insert }.map(\.row))
    return changes.filter { change in
      guard change.edit.aside == nil, (change.edit.nextTry ?? 0) <= time else { return false }
      if change.isRejected, !retried.contains(change.row), !hasNewContent(change) { return false }
      return references(change).allSatisfy { !new.contains($0) }
    }
  }

  /// Whether a rejected change has another content now.
  private func hasNewContent(_ change: Change) -> Bool {
    guard let sent = change.edit.sent else { return true }
    return sent.kind != change.kind
      || (change.kind != .delete && !change.model.isSame(sent.values, change.values))
  }

  /// Writes what is sent, with a new key, before it is sent. What was sent before and is not answered stays as it was.
  func prepare(_ change: Change, at time: Double) throws -> Change {
    var change = change
    let store = StoredEdits(database, of: change.model)
    if change.edit.isUnanswered {
      try store.set(
        [EditTable.Column.attempts: change.edit.attempts + 1, EditTable.Column.sentAt: time], of: change.edit)
      change.edit.attempts += 1
      return change
    }
    let key = UUID().uuidString
    let properties = properties(change)
    let context = SyncExportContext(database, catalog: catalog, configuration: configuration)
    var body = ""
    if change.kind != .delete, let values = change.values {
      let edited = change.kind == .insert ? nil : Set(properties)
      let json = try PushBody(model: change.model, context: context).json(values, only: edited)
      body = String(decoding: try json.data(), as: UTF8.self)
    }
    if change.local != nil {
      try store.copy(to: .sent, of: change.edit)
    } else {
      try store.copy(.base, to: .sent, of: change.edit)
    }
    try store.set(
      [
        EditTable.Column.sentKind: change.kind.rawValue, EditTable.Column.pushKey: key,
        EditTable.Column.body: body, EditTable.Column.sentAt: time, EditTable.Column.reason: nil,
        EditTable.Column.attempts: change.edit.attempts + 1, EditTable.Column.nextTry: nil,
        EditTable.Column.isPulled: false,
      ], of: change.edit)
    try store.set(forced: Set(properties), of: change.edit)
    return try self.change(of: change.edit.row, in: change.model) ?? change
  }

  /// The names of the edited properties, in the order of the schema.
  func properties(_ change: Change) -> [String] {
    let model = change.model
    guard change.kind != .delete else { return [] }
    let isSent = change.edit.isUnanswered
    guard let values = isSent ? change.edit.sent?.values : change.values else { return [] }
    var positions = Set(model.tracked + model.lists.map(\.position))
    if let base = change.edit.base, change.kind == .update {
      let (columns, lists) = model.difference(base, values)
      positions = Set(columns + lists.map { model.lists[$0].position })
      positions.formUnion(
        model.table.properties.indices.filter { change.edit.forced.contains(model.table.properties[$0].name) }
      )
      // The cases of a union are written as one value.
      positions = Set(positions.flatMap(model.table.withOtherCases))
    }
    return model.table.exportOrder.filter(positions.contains).map { model.table.properties[$0].name }
  }
}

extension SyncPendingChange {
  init?(_ change: PendingChanges.Change, in changes: PendingChanges) throws {
    guard let id = Model.SyncID(change.edit.row.identity) else { return nil }
    let edit = change.edit
    let isSent = edit.isUnanswered
    kind = Kind(rawValue: change.kind.rawValue) ?? .update
    self.id = id
    parent = edit.row.parent
    row = try change.local.map { try Model.made(of: $0, change.model, in: changes.database) }
    base = try edit.base.map { try Model.made(of: $0, change.model, in: changes.database) }
    properties = changes.properties(change)
    state = edit.aside != nil ? .aside : edit.reason != nil ? .rejected : isSent ? .sent : .pending
    key = edit.sent?.key ?? ""
    attempts = edit.attempts
    reason = edit.reason
    isGone = edit.isGone
    if isSent {
      body = Data((edit.sent?.body ?? "").utf8)
    } else if change.kind == .delete {
      body = Data()
    } else if let values = change.values {
      let context = SyncExportContext(
        changes.database, catalog: changes.catalog, configuration: changes.configuration)
      body = try PushBody(model: change.model, context: context)
        .json(values, only: change.kind == .insert ? nil : Set(properties)).data()
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
    let bound = statement.restart()
    defer { statement.reset() }
    for (index, value) in values.columns.enumerated() { bound.bind(value, at: Int32(index + 1)) }
    guard try statement.step() else { throw SyncError.storeCorrupted(reason: "an edit has no values") }
    return try Self(columns: statement.decoder(of: model.table))
  }
}

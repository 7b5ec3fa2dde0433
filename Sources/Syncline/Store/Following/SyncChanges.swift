/// What one commit changed in a store: the rows of each model that are new, other than before, or gone.
///
/// A sync changes what its report says: a row of which only links change counts as updated. Changes that a transaction
/// undoes again do not count, nor does a row that was written with the same values.
///
/// ```swift
/// for await changes in container.changes() {
///   print(changes[Task.self].inserted, changes[Task.self].updated, changes[Task.self].columns)
/// }
/// ```
public struct SyncChanges: Sendable, Hashable {
  /// What became of a row.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// It is new.
    case inserted
    /// Its values or its links are others.
    case updated
    /// It is gone.
    case deleted
  }

  /// A row by its identity.
  public struct Row: Sendable, Hashable {
    /// The identity.
    public let id: SyncIdentity
    /// The identity of the row's parent, where identities are unique among the rows of one parent only.
    public let parent: SyncIdentity?

    /// A row to compare with.
    public init(id: SyncIdentity, parent: SyncIdentity? = nil) {
      self.id = id
      self.parent = parent
    }
  }

  /// What a commit changed in one model's table.
  public struct Table: Sendable, Hashable {
    /// What became of each row that was changed; empty where there are ``isMany``.
    public internal(set) var rows: [Row: Kind] = [:]
    /// The columns that updates of the commit assigned, and the relationships whose links are others.
    public internal(set) var columns: Set<String> = []
    /// Whether rows were changed that are not listed: more than 100,000, or in a transaction in which the first
    /// began to listen.
    public internal(set) var isMany = false

    /// No changes.
    public init() {}

    var isEmpty: Bool { rows.isEmpty && !isMany }

    /// Records what became of a row; nil for nothing.
    mutating func record(_ row: RowKey, _ kind: Kind?) {
      guard !isMany else { return }
      rows[Row(id: row.identity, parent: row.parent)] = kind
      if rows.count > TableEvents.rowLimit { (rows, isMany) = ([:], true) }
    }

    var hasUpdates: Bool { isMany || rows.values.contains(.updated) }

    func identities(_ kind: Kind) -> [SyncIdentity] {
      rows.lazy.filter { $0.value == kind }.map(\.key.id).sorted()
    }
  }

  /// What a commit changed in the rows of a model, by the model's type.
  public struct Rows<Model: SyncModelable>: Sendable, Hashable {
    /// The changes by rows without types.
    public let table: Table

    /// The identities of the new rows, in order.
    public var inserted: [Model.SyncID] { identities(.inserted) }
    /// The identities of rows with other values or links than before, in order.
    public var updated: [Model.SyncID] { identities(.updated) }
    /// The identities of the rows that are gone, in order.
    public var deleted: [Model.SyncID] { identities(.deleted) }
    /// The columns that updates of the commit assigned, and the relationships whose links are others.
    public var columns: Set<String> { table.columns }
    /// Whether rows were changed that are not listed: more than 100,000, or in a transaction in which the first
    /// began to listen.
    public var isMany: Bool { table.isMany }
    /// Whether there are changes.
    public var isEmpty: Bool { table.isEmpty }

    private func identities(_ kind: Kind) -> [Model.SyncID] {
      table.identities(kind).compactMap { Model.SyncID($0) }
    }
  }

  /// What was changed, by the names of the models' tables; those without changes are left out.
  public internal(set) var tables: [String: Table] = [:]

  /// No changes.
  public init() {}

  /// What was changed in the rows of a model.
  public subscript<Model: SyncModelable>(_ model: Model.Type) -> Rows<Model> {
    Rows(table: tables[Model.databaseTableName] ?? Table())
  }
}

extension SyncChanges {
  /// Adds what a later commit changed.
  mutating func merge(_ later: SyncChanges) {
    for (name, changes) in later.tables {
      tables[name, default: Table()].merge(changes)
      if tables[name]?.isEmpty == true { tables[name] = nil }
    }
  }
}

extension SyncChanges.Table {
  fileprivate mutating func merge(_ later: SyncChanges.Table) {
    columns.formUnion(later.columns)
    for (row, kind) in later.rows { rows[row] = kind.following(rows[row]) }
    isMany = isMany || later.isMany || rows.count > TableEvents.rowLimit
    if isMany { rows = [:] }
  }
}

extension SyncChanges.Kind {
  /// What became of a row in all, after something had become of it before; nil for nothing.
  fileprivate func following(_ earlier: SyncChanges.Kind?) -> SyncChanges.Kind? {
    switch (earlier, self) {
    case (.inserted, .deleted): nil
    case (.inserted, _): .inserted
    case (.deleted, .inserted), (.deleted, .updated): .updated
    default: self
    }
  }
}

extension SyncChanges: CustomStringConvertible {
  /// The numbers of changed rows, by tables: `Task: 1 inserted, 2 updated`.
  public var description: String {
    tables.sorted { $0.key < $1.key }.map { name, table in
      let counts = [SyncChanges.Kind.inserted, .updated, .deleted].compactMap { kind in
        let count = table.rows.count { $0.value == kind }
        return count == 0 ? nil : "\(count) \(kind)"
      }
      return "\(name): "
        + (table.isMany ? "many rows" : counts.joined(separator: ", "))
    }.joined(separator: "; ")
  }
}

/// The rows of each model that one commit inserted, updated or deleted.
///
/// ``SyncContainer/changes()`` yields one for each commit. If you read them more slowly than they are made, up to a thousand
/// commits are buffered, and later ones are merged. If only a row's links change, the row counts as updated. Changes that their
/// transaction undoes are left out, and so are rows that are written with the same values.
///
/// ```swift
/// var changes = container.changes().makeAsyncIterator()
/// try await container.sync(item: #"{"id": 1, "title": "Write it"}"#, as: Task.self)
/// if let commit = try await changes.next() {
///   print(commit[Task.self].updated, commit[Task.self].columns)  // [1] ["title"]
/// }
/// ```
///
/// ## Topics
///
/// ### Changes of one model
///
/// - ``SyncChanges/subscript(_:)``
/// - ``SyncChanges/Rows``
///
/// ### Changes by table name
///
/// - ``SyncChanges/tables``
/// - ``SyncChanges/Table``
/// - ``SyncChanges/Row``
/// - ``SyncChanges/Kind``
///
/// ### Creating and describing changes
///
/// - ``SyncChanges/init()``
/// - ``SyncChanges/description``
public struct SyncChanges: Sendable, Hashable {
  /// What happened to a row.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The row was inserted.
    case inserted
    /// The row's values or links changed.
    case updated
    /// The row was deleted.
    case deleted
  }

  /// Identifies a row.
  public struct Row: Sendable, Hashable {
    /// The identity.
    public let id: SyncIdentity
    /// The identity of the row's parent, if identities are unique only within a parent.
    public let parent: SyncIdentity?

    /// Creates an identifier, to compare with another.
    public init(id: SyncIdentity, parent: SyncIdentity? = nil) {
      self.id = id
      self.parent = parent
    }
  }

  /// The changes of a commit to one model's table.
  public struct Table: Sendable, Hashable {
    /// What happened to each changed row; empty if ``isMany`` is true.
    public internal(set) var rows: [Row: Kind] = [:]
    /// The columns that the commit's updates assigned, and the relationships whose links changed.
    public internal(set) var columns: Set<String> = []
    /// Whether changed rows are not listed: there are more than 100,000, or the first listener began during the transaction.
    public internal(set) var isMany = false

    /// Creates a table without changes.
    public init() {}

    var isEmpty: Bool { rows.isEmpty && !isMany }

    /// Records the change of a row; nil removes the record.
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

  /// The changes of a commit to the rows of a model, with the model's identity type.
  public struct Rows<Model: SyncModelable>: Sendable, Hashable {
    /// The changes without the model's types.
    public let table: Table

    /// The identities of the inserted rows, in order.
    public var inserted: [Model.SyncID] { identities(.inserted) }
    /// The identities of the rows whose values or links changed, in order.
    public var updated: [Model.SyncID] { identities(.updated) }
    /// The identities of the deleted rows, in order.
    public var deleted: [Model.SyncID] { identities(.deleted) }
    /// The columns that the commit's updates assigned, and the relationships whose links changed.
    public var columns: Set<String> { table.columns }
    /// Whether changed rows are not listed: there are more than 100,000, or the first listener began during the transaction.
    public var isMany: Bool { table.isMany }
    /// Whether there are changes.
    public var isEmpty: Bool { table.isEmpty }

    private func identities(_ kind: Kind) -> [Model.SyncID] {
      table.identities(kind).compactMap { Model.SyncID($0) }
    }
  }

  /// The changes by table name. Tables without changes are left out.
  public internal(set) var tables: [String: Table] = [:]

  /// Creates a value without changes.
  public init() {}

  /// The changes to the rows of a model.
  public subscript<Model: SyncModelable>(_ model: Model.Type) -> Rows<Model> {
    Rows(table: tables[Model.databaseTableName] ?? Table())
  }
}

extension SyncChanges {
  /// Adds the changes of a later commit.
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
  /// The combined change of a row after an earlier change; nil if there is none.
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
  /// The numbers of changed rows for each table: `Task: 1 inserted, 2 updated`.
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

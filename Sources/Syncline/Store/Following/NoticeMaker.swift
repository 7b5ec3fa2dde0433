import GRDB

/// Finds the changes of a commit, while there are listeners: from a sync's journal, otherwise by comparing the written rows with
/// their earlier values.
///
/// All methods are called on the writer's queue.
final class NoticeMaker {
  /// Rows by table and number.
  private typealias Images = [String: [Int64: RowImage]]

  private let database: any DatabaseWriter
  private let tables: [String: RowImage.Table]
  /// Sees the earlier state until a commit has ended; nil if no other connection can.
  private var reader: DatabaseQueue?
  /// All stored rows, kept if no other connection can read their earlier values.
  private var kept: Images?

  /// The earlier values of the transaction's rows; nil if there was no listener when they could be read.
  private var before: Images?
  /// The changes that a sync recorded.
  private var journal: [String: SyncChanges.Table]?
  /// Whether the rows must be compared: triggers write rows that a sync does not record.
  private var compares = true

  init(_ database: any DatabaseWriter, _ catalog: ModelCatalog) {
    self.database = database
    var tables: [String: RowImage.Table] = [:]
    for entry in catalog.entries {
      tables[entry.table.name] = RowImage.Table(entry.table)
      for case let end? in entry.ends {
        guard let links = end.linkTable, links.isSource || end.inverse == nil else { continue }
        let own = RowImage.Table.Named(model: entry.table.name, relationship: end.name)
        let far = RowImage.Table.Named(model: end.targetTable.name, relationship: end.inverse?.name)
        tables[links.name] = RowImage.Table(
          links, source: links.isSource ? own : far, target: links.isSource ? far : own)
      }
    }
    self.tables = tables
  }

  /// Reads all stored rows, if their earlier values cannot be read later.
  func start(_ database: Database) throws {
    guard !(self.database is DatabasePool), kept == nil else { return }
    kept = try tables.mapValues { try $0.images(of: nil, database) }
  }

  /// Drops the kept rows.
  func stop() {
    kept = nil
    reader = nil
    reset()
  }

  /// Drops the kept rows, which lack a commit. The next commit reads them again, and its notice has no rows.
  func forget() { kept = nil }

  func reset() {
    before = nil
    journal = nil
    compares = true
  }

  /// Takes the changes that a sync recorded, in its transaction, which commits next.
  func adopt(_ changes: [String: SyncChanges.Table], _ database: Database) throws {
    journal = changes
    // The triggers that record edits do not count, since they write only to the tables of edits.
    let triggers =
      "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name NOT GLOB \(EditTable.name(of: "*").sqlLiteral)"
    compares = try ReadStatement(
      database, "\(triggers) UNION ALL \(triggers.replacing("_master", with: "_temp_master")) LIMIT 1"
    ).exists([])
  }

  /// Reads the earlier values of the written rows. Until the commit has ended, other connections see these.
  func willCommit(_ events: StoreEvents) throws {
    guard compares, let pool = database as? DatabasePool else { return }
    let touched = touched(events)
    guard !touched.isEmpty else { return }
    let reader = try self.reader ?? ReadConnection.queue(of: pool, label: ".notice")
    self.reader = reader
    before = try reader.read { try images(of: touched, $0) }
  }

  /// The changes of a commit; nil if there are none.
  func didCommit(_ events: StoreEvents, _ database: Database) throws -> SyncChanges? {
    defer { reset() }
    var changes = SyncChanges()
    let touched = compares || kept != nil ? touched(events) : []
    let after = try images(of: touched, database)
    if compares {
      let known = kept ?? before
      if let known {
        for (table, rows) in touched {
          let (old, new) = (known[table.name] ?? [:], after[table.name] ?? [:])
          note(table, rows ?? Set(old.keys).union(new.keys), from: old, to: new, in: &changes)
        }
      }
      for (name, events) in events where events.isMany || known == nil {
        for named in tables[name]?.named ?? [] { changes.tables[named.model, default: .init()].isMany = true }
      }
    }
    if let journal { add(journal, events, to: &changes) }
    if kept == nil { try start(database) } else { try keep(after, events, database) }
    for (name, table) in changes.tables where table.hasUpdates {
      changes.tables[name]?.columns.formUnion(events[name]?.columns ?? [])
      // A row may have been deleted and inserted again.
      let isReplaced = events[name]?.kinds.isSuperset(of: [.deleted, .inserted]) ?? false
      if isReplaced && journal?[name] == nil || changes.tables[name]?.columns.isEmpty ?? false {
        changes.tables[name]?.columns.formUnion(tables[name]?.columnNames ?? [])
      }
    }
    for (name, table) in changes.tables where table.isMany && !table.rows.isEmpty {
      changes.tables[name]?.rows = [:]
    }
    return changes.tables.isEmpty ? nil : changes
  }

  /// Adds the changes that a sync recorded. They replace those found by comparing.
  private func add(
    _ journal: [String: SyncChanges.Table], _ events: StoreEvents, to changes: inout SyncChanges
  ) {
    for (name, table) in journal where !table.isEmpty {
      changes.tables[name, default: .init()].rows.merge(table.rows) { $1 }
      if table.isMany { changes.tables[name]?.isMany = true }
    }
    for name in events.keys {
      for named in tables[name]?.named ?? [] {
        guard let relationship = named.relationship, journal[named.model]?.hasUpdates == true else {
          continue
        }
        changes.tables[named.model]?.columns.insert(relationship)
      }
    }
  }

  /// A table that was written, and its rows; nil for all rows, if row numbers may have changed.
  private typealias Touched = (table: RowImage.Table, rows: Set<Int64>?)

  private func touched(_ events: StoreEvents) -> [Touched] {
    events.compactMap { name, events in
      guard !events.isMany, let table = tables[name] else { return nil }
      return (table, events.changesNumbers(in: table.numbers) ? nil : events.rows)
    }
  }

  private func images(of touched: [Touched], _ database: Database) throws -> Images {
    try touched.reduce(into: [:]) { $0[$1.table.name] = try $1.table.images(of: $1.rows, database) }
  }

  /// Compares the rows of a table with their earlier values.
  private func note(
    _ table: RowImage.Table, _ rows: Set<Int64>, from before: [Int64: RowImage],
    to after: [Int64: RowImage], in changes: inout SyncChanges
  ) {
    var found: [SyncChanges.Row: SyncChanges.Kind] = [:]
    // Rows that are gone from a number, and rows that are new at one: over edits, a sync inserts rows again with other numbers.
    var (gone, new): ([[SyncChanges.Row]: Int], [[SyncChanges.Row]: Int]) = ([:], [:])
    for row in rows {
      let (former, image) = (before[row], after[row])
      guard former != image else { continue }
      if !table.isOfLinks, let former, let image, former.rows == image.rows, let name = image.rows.first {
        found[name] = .updated
      } else {
        if let former { gone[former.rows] = former.hash }
        if let image { new[image.rows] = image.hash }
      }
    }
    for rows in Set(gone.keys).union(new.keys) where gone[rows] != new[rows] {
      if table.isOfLinks {
        noteLink(rows, of: table, in: &changes)
      } else if let name = rows.first {
        found[name] = gone[rows] == nil ? .inserted : new[rows] == nil ? .deleted : .updated
      }
    }
    guard !found.isEmpty else { return }
    changes.tables[table.name, default: .init()].rows.merge(found) { $1 }
  }

  private func noteLink(_ rows: [SyncChanges.Row], of table: RowImage.Table, in changes: inout SyncChanges) {
    for (row, named) in zip(rows, table.named) {
      guard let relationship = named.relationship else { continue }
      changes.tables[named.model, default: .init()].columns.insert(relationship)
      // An inserted or deleted row does not also count as updated.
      if changes.tables[named.model]?.rows[row] == nil {
        changes.tables[named.model]?.rows[row] = .updated
      }
    }
  }

  private func keep(_ after: Images, _ events: StoreEvents, _ database: Database) throws {
    for (name, events) in events {
      guard let table = tables[name] else { continue }
      if events.isMany || events.changesNumbers(in: table.numbers) {
        kept?[name] = try table.images(of: nil, database)
      } else {
        for row in events.rows { kept?[name]?[row] = after[name]?[row] }
      }
    }
  }
}

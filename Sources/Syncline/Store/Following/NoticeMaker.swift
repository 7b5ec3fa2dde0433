import GRDB

/// Finds what a commit changed, while somebody listens: by the journal of a sync, otherwise by comparing the written
/// rows with their former values.
///
/// All but the start is called on the queue of the writer, within its transactions.
final class NoticeMaker {
  private let database: any DatabaseWriter
  private let tables: [String: RowImages.Table]
  /// Sees what is stored until a commit has ended; nil where no connection does.
  private var reader: DatabaseQueue?
  /// What is stored, kept where no other connection sees it.
  private var kept: [String: [Int64: RowImages.Image]]?

  /// What the rows of the transaction were; nil where nobody listened yet when that could be asked for.
  private var before: [String: [Int64: RowImages.Image]]?
  /// What a sync says that it changed.
  private var journal: [String: SyncChanges.Table]?
  /// Whether the rows have to be compared: triggers write what a sync does not know of.
  private var compares = true

  init(_ database: any DatabaseWriter, _ catalog: ModelCatalog) {
    self.database = database
    var tables: [String: RowImages.Table] = [:]
    for entry in catalog.entries {
      tables[entry.table.name] = RowImages.Table(entry.table)
      for case let end? in entry.ends {
        guard let links = end.linkTable, links.isSource || end.inverse == nil else { continue }
        let own = RowImages.Table.Named(model: entry.table.name, relationship: end.name)
        let far = RowImages.Table.Named(model: end.targetTable.name, relationship: end.inverse?.name)
        tables[links.name] = RowImages.Table(
          links, source: links.isSource ? own : far, target: links.isSource ? far : own)
      }
    }
    self.tables = tables
  }

  /// Begins to know what is stored, where that cannot be asked for later.
  func start(_ database: Database) throws {
    guard !(self.database is DatabasePool), kept == nil else { return }
    kept = try tables.mapValues { try RowImages.images(of: $0, rows: nil, database) }
  }

  /// Ends to know it.
  func stop() {
    kept = nil
    reader = nil
    reset()
  }

  func reset() {
    before = nil
    journal = nil
    compares = true
  }

  /// Takes over what a sync changed, in its transaction, which commits next.
  func adopt(_ changes: [String: SyncChanges.Table], _ database: Database) throws {
    journal = changes
    let triggers = "SELECT 1 FROM sqlite_master WHERE type = 'trigger'"
    compares =
      try Row.fetchOne(
        database, sql: "\(triggers) UNION ALL \(triggers.replacing("_master", with: "_temp_master")) LIMIT 1")
      != nil
  }

  /// Looks up what the rows were. The commit has not ended: other connections see what was there before.
  func willCommit(_ events: StoreEvents) throws {
    guard compares, let pool = database as? DatabasePool else { return }
    let touched = touched(events)
    guard !touched.isEmpty else { return }
    let reader = try self.reader ?? ReadConnection.queue(of: pool, label: ".notice")
    self.reader = reader
    before = try reader.read { database in
      try touched.reduce(into: [:]) { images, next in
        images[next.table.name] = try RowImages.images(of: next.table, rows: next.rows, database)
      }
    }
  }

  /// What a commit changed; nil for nothing.
  func didCommit(_ events: StoreEvents, _ database: Database) throws -> SyncChanges? {
    defer { reset() }
    var changes = SyncChanges()
    var after: [String: [Int64: RowImages.Image]] = [:]
    if compares || kept != nil {
      for (table, rows) in touched(events) {
        after[table.name] = try RowImages.images(of: table, rows: rows, database)
      }
    }
    if compares {
      let known = kept ?? before
      for (table, rows) in touched(events) {
        let after = after[table.name] ?? [:]
        guard let old = known.map({ $0[table.name] ?? [:] }) else { continue }
        note(table, rows ?? Set(old.keys).union(after.keys), from: old, to: after, in: &changes)
      }
      for (name, events) in events where events.isMany || known == nil {
        for named in tables[name]?.named ?? [] { changes.tables[named.model, default: .init()].isMany = true }
      }
    }
    if let journal { add(journal, events, to: &changes) }
    try keep(after, events, database)
    for (name, table) in changes.tables where table.hasUpdates {
      changes.tables[name]?.columns.formUnion(events[name]?.columns ?? [])
    }
    for (name, table) in changes.tables where table.isMany && !table.rows.isEmpty {
      changes.tables[name]?.rows = [:]
    }
    return changes.tables.isEmpty ? nil : changes
  }

  /// Adds what a sync says. It knows better than what was written.
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

  /// The tables that were written, and the rows; nil for all, where it takes these to find the ones that are gone.
  private func touched(_ events: StoreEvents) -> [(table: RowImages.Table, rows: Set<Int64>?)] {
    events.compactMap { name, events in
      guard !events.isMany, let table = tables[name] else { return nil }
      return (table, table.changesNumbers(events) ? nil : events.rows)
    }
  }

  /// Compares what the rows of a table are with what they were.
  private func note(
    _ table: RowImages.Table, _ rows: Set<Int64>, from before: [Int64: RowImages.Image],
    to after: [Int64: RowImages.Image], in changes: inout SyncChanges
  ) {
    var found: [SyncChanges.Row: SyncChanges.Kind] = [:]
    for row in rows {
      let old = before[row]
      let new = after[row]
      guard old != new else { continue }
      if table.isOfLinks {
        for image in [old, new] { noteLinks(image, of: table, in: &changes) }
      } else if old?.rows == new?.rows, let name = new?.rows.first {
        found[name] = .updated
      } else {
        // Of a row whose identity is another, one is gone and one is new.
        for name in old?.rows ?? [] { found[name] = found[name] == .inserted ? .updated : .deleted }
        for name in new?.rows ?? [] { found[name] = found[name] == .deleted ? .updated : .inserted }
      }
    }
    guard !found.isEmpty else { return }
    changes.tables[table.name, default: .init()].rows.merge(found) { $1 }
  }

  private func noteLinks(_ image: RowImages.Image?, of table: RowImages.Table, in changes: inout SyncChanges)
  {
    for (row, named) in zip(image?.rows ?? [], table.named) {
      guard let relationship = named.relationship else { continue }
      changes.tables[named.model, default: .init()].columns.insert(relationship)
      // A new or deleted row is not updated as well.
      if changes.tables[named.model]?.rows[row] == nil {
        changes.tables[named.model]?.rows[row] = .updated
      }
    }
  }

  private func keep(
    _ after: [String: [Int64: RowImages.Image]], _ events: StoreEvents, _ database: Database
  ) throws {
    guard kept != nil else { return }
    for (name, events) in events {
      guard let table = tables[name] else { continue }
      if events.isMany || table.changesNumbers(events) {
        kept?[name] = try RowImages.images(of: table, rows: nil, database)
      } else {
        for row in events.rows { kept?[name]?[row] = after[name]?[row] }
      }
    }
  }
}

import GRDB

/// The positions of a model's columns in the statement of a GRDB row.
///
/// Columns are found by their names, as in GRDB, but only once for all rows of a cursor, because a cursor reuses its `Row`.
struct RowLayout {
  let statement: SQLiteStatement
  let columns: ColumnMap

  private static let known = ThreadLocal { KnownLayouts() }

  /// The layout of a row; nil if the row holds its own values.
  static func of(_ row: Row, _ table: SyncTable) throws -> RowLayout? {
    let known = known.value
    return try known.last(of: row, table) ?? known.layout(of: row, table, scope: nil) { row }
  }

  /// The layout of the row that a request joined under a key.
  static func ofJoined(_ key: String, in row: Row, _ table: SyncTable) throws -> RowLayout? {
    try known.value.layout(of: row, table, scope: key) { row.scopesTree[key] }
  }

  /// Whether a row of the same statement has all columns at the same positions.
  func fits(_ row: Row, _ table: SyncTable) -> Bool {
    table.columnKeys.indices.allSatisfy { position in
      let (name, index) = (table.columnKeys[position], columns.indices[position])
      guard index >= 0 else { return !row.hasColumn(name) }
      return (try? row.decode(ColumnProbe.self, forColumn: name).column) == index
    }
  }
}

/// The positions of a table's columns in a statement.
@usableFromInline
final class ColumnMap: Sendable {
  /// The names of the model and of its columns, for errors.
  let model: String
  let names: [String]
  /// The columns of the statement by the positions of their properties; -1 for missing ones.
  nonisolated(unsafe) let indices: UnsafeBufferPointer<Int32>

  init(_ indices: [Int32], of model: String, _ names: [String]) {
    self.model = model
    self.names = names
    let copy = UnsafeMutableBufferPointer<Int32>.allocate(capacity: indices.count)
    _ = copy.initialize(from: indices)
    self.indices = UnsafeBufferPointer(copy)
  }

  /// Finds the columns of a row by their names.
  convenience init(_ row: Row, _ table: SyncTable) throws {
    let indices = try table.columnKeys.map { name in
      row.hasColumn(name) ? try row.decode(ColumnProbe.self, forColumn: name).column : -1
    }
    self.init(indices, of: table.name, table.ownColumns.names)
  }

  deinit { indices.deallocate() }

  func hasColumn(_ position: Int) -> Bool {
    indices.indices.contains(position) && indices[position] >= 0
  }
}

/// The layouts that a thread used last.
private final class KnownLayouts {
  private struct Entry {
    var row: ObjectIdentifier
    /// Keeps the row's address from being reused, but does not keep its statement alive.
    unowned var holder: Row
    let table: SyncTable
    let scope: String?
    let layout: RowLayout
  }

  /// The entry without a scope that was found last. Behind a pointer, because accesses to variables of classes are checked.
  private struct Last {
    let row: ObjectIdentifier
    let table: ObjectIdentifier
    let layout: RowLayout
  }

  private static let limit = 16

  private var entries: [Entry] = []
  private var next = 0
  private let last = UnsafeMutablePointer<Last?>.allocate(capacity: 1)

  init() { last.initialize(to: nil) }

  deinit {
    last.deinitialize(count: 1)
    last.deallocate()
  }

  @inline(__always)
  func last(of row: Row, _ table: SyncTable) -> RowLayout? {
    guard let last = last.pointee, last.row == ObjectIdentifier(row), last.table == ObjectIdentifier(table)
    else { return nil }
    return last.layout
  }

  func layout(of row: Row, _ table: SyncTable, scope: String?, in target: () -> Row?) throws -> RowLayout? {
    let layout = try find(row, table, scope: scope, in: target)
    if scope == nil, let layout {
      last.pointee = Last(row: ObjectIdentifier(row), table: ObjectIdentifier(table), layout: layout)
    }
    return layout
  }

  private func find(
    _ row: Row, _ table: SyncTable, scope: String?, in target: () -> Row?
  ) throws -> RowLayout? {
    let identity = ObjectIdentifier(row)
    // By index, because copying an entry retains everything in it.
    for index in entries.indices
    where entries[index].row == identity && entries[index].table === table && entries[index].scope == scope {
      return entries[index].layout
    }
    guard let target = target(), target.count > 0,
      let statement = try target.decode(ColumnProbe.self, atIndex: 0).statement
    else { return nil }
    // GRDB creates a new row of a scope for each row of the cursor. Its entry replaces that of the previous row.
    let replaced = entries.firstIndex {
      $0.layout.statement == statement && $0.table === table && $0.scope == scope
        && $0.layout.fits(target, table)
    }
    // The replaced entry no longer keeps the address of its row from being reused.
    last.pointee = nil
    if let replaced {
      entries[replaced].row = identity
      entries[replaced].holder = row
      return entries[replaced].layout
    }
    let layout = RowLayout(statement: statement, columns: try ColumnMap(target, table))
    let entry = Entry(row: identity, holder: row, table: table, scope: scope, layout: layout)
    if next < entries.count { entries[next] = entry } else { entries.append(entry) }
    next = (next + 1) % KnownLayouts.limit
    return layout
  }
}

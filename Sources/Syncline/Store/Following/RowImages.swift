import GRDB

/// The stored rows of a model's table or a join table, compared to find changes.
struct RowImages {
  /// The identity of a row, and a hash of its values without its number.
  struct Image: Equatable {
    /// The row of a model, or the rows at both ends of a link.
    let rows: [SyncChanges.Row]
    let hash: Int
  }

  /// A table whose changes are reported.
  struct Table {
    /// A model whose rows are identified by columns of the table, and its relationship that changes.
    struct Named {
      let model: String
      /// The relationship whose links the table holds; nil for the model's own table.
      let relationship: String?
    }

    let name: String
    let named: [Named]
    let isOfLinks: Bool
    /// The columns of a model's table.
    let columnNames: Set<String>
    /// SQL for all rows: row numbers, identities and values.
    fileprivate let allRows: String
    /// SQL for the row with a number.
    fileprivate let oneRow: String
    fileprivate let hasParent: Bool
    /// The identity column, if it is the row number.
    let numbers: String?

    init(_ table: SyncTable) {
      name = table.name
      named = [Named(model: table.name, relationship: nil)]
      isOfLinks = false
      columnNames = Set(table.columns.map(\.name))
      numbers = table.numberColumn
      hasParent = table.parentScope != nil
      let parent = table.parentScope.map { ", \(table.properties[$0].quotedName)" } ?? ""
      let number = "\(table.quotedName).\(table.rowNumberColumn)"
      allRows = "SELECT \(number), \(table.identityProperty.quotedName)\(parent), * FROM \(table.quotedName)"
      oneRow = "\(allRows) WHERE \(number) = ?"
    }

    init(_ links: SyncLinkTable, source: Named, target: Named) {
      name = links.name
      named = [source, target]
      isOfLinks = true
      columnNames = []
      numbers = nil
      hasParent = false
      allRows = "SELECT rowid, source, target FROM \(links.quotedName)"
      oneRow = "\(allRows) WHERE rowid = ?"
    }
  }

  /// The images of some rows, or of all, by row number.
  static func images(of table: Table, rows: Set<Int64>?, _ database: Database) throws -> [Int64: Image] {
    var images: [Int64: Image] = [:]
    let statement = try ReadStatement(database, rows == nil ? table.allRows : table.oneRow)
    defer { statement.reset() }
    func add() {
      let first = SyncIdentity(statement.column(1))
      let second = table.isOfLinks || table.hasParent ? SyncIdentity(statement.column(2)) : nil
      guard let first else { return }
      let names =
        table.isOfLinks
        ? [first, second].compactMap { $0.map { SyncChanges.Row(id: $0) } }
        : [SyncChanges.Row(id: first, parent: second)]
      images[statement.column(0).int64] = Image(
        rows: names, hash: statement.hash(ofColumns: statement.columnCount, from: 1))
    }
    guard let rows else {
      while try statement.step() { add() }
      return images
    }
    for row in rows {
      statement.restart().bind(row, at: 1)
      if try statement.step() { add() }
    }
    return images
  }
}

import GRDB

/// What identifies a stored row, and a hash of its values without its number, to find changes.
struct RowImage: Equatable {
  /// The row of a model, or the rows at both ends of a link.
  let rows: [SyncChanges.Row]
  let hash: Int

  /// A model's table or a join table, whose changes are reported.
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
    /// SQL for all rows: row numbers, two identities and values. The second identity is that of the parent, or of the target.
    private let allRows: String
    /// SQL for the row with a number.
    private let oneRow: String
    /// The identity column, if it is the row number.
    let numbers: String?

    init(_ table: SyncTable) {
      name = table.name
      named = [Named(model: table.name, relationship: nil)]
      isOfLinks = false
      columnNames = Set(table.columns.map(\.name))
      numbers = table.numberColumn
      let parent = table.parentScope.map { table.properties[$0].quotedName } ?? "NULL"
      let number = "\(table.quotedName).\(table.rowNumberColumn)"
      let identity = table.identityProperty.quotedName
      allRows = "SELECT \(number), \(identity), \(parent), * FROM \(table.quotedName)"
      oneRow = "\(allRows) WHERE \(number) = ?"
    }

    init(_ links: SyncLinkTable, source: Named, target: Named) {
      name = links.name
      named = [source, target]
      isOfLinks = true
      columnNames = []
      numbers = nil
      allRows = "SELECT rowid, source, target FROM \(links.quotedName)"
      oneRow = "\(allRows) WHERE rowid = ?"
    }

    /// The images of some rows, or of all, by row number.
    func images(of rows: Set<Int64>?, _ database: Database) throws -> [Int64: RowImage] {
      var images: [Int64: RowImage] = [:]
      let statement = try ReadStatement(database, rows == nil ? allRows : oneRow)
      defer { statement.reset() }
      func add() {
        guard let first = SyncIdentity(statement.column(1)) else { return }
        let second = SyncIdentity(statement.column(2))
        images[statement.column(0).int64] = RowImage(
          rows: isOfLinks
            ? [first, second].compactMap { $0.map { SyncChanges.Row(id: $0) } }
            : [SyncChanges.Row(id: first, parent: second)],
          hash: statement.hash(ofColumns: statement.columnCount, from: isOfLinks ? 1 : 3))
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
}

import GRDB

/// The condition and the order of a query of one table, as GRDB wrote them.
struct SQLParts {
  struct Part {
    let sql: String
    let pieces: ArraySlice<SQLToken.Piece>
    let values: [DatabaseValue]
  }

  let condition: Part?
  let order: Part

  /// - Parameter query: `SELECT … FROM table [WHERE …] ORDER BY …`, with parameters in these two parts only.
  init(_ query: BoundSQL) {
    let pieces = SQLToken.pieces(of: query.sql)
    let order = pieces[...].indicesAtTop(of: "ORDER").last ?? pieces.endIndex
    let start = pieces[..<order].indicesAtTop(of: "WHERE").first
    var values = query.values[...]
    func part(_ pieces: ArraySlice<SQLToken.Piece>) -> Part {
      let count = pieces.count { $0.token == .parameter }
      defer { values = values.dropFirst(count) }
      return Part(sql: pieces.sql, pieces: pieces, values: Array(values.prefix(count)))
    }
    condition = start.map { part(pieces[($0 + 1)..<order]) }
    // The order is what follows ORDER BY.
    self.order = part(pieces[order...].dropFirst(2))
  }
}

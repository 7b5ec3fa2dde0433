/// The parts of a `CREATE TABLE` statement. Copying a table keeps the parts that users have added.
struct TableText {
  /// A column's definition.
  struct Column {
    let name: String
    /// The text, including the name.
    var text: String
    /// The text after the type that no schema describes: checks, collations, generated columns.
    fileprivate(set) var others = ""
    /// Its default and its `UNIQUE` clause, if it has them.
    fileprivate(set) var (defaultValue, unique) = ("", "")
    /// Its `REFERENCES` clause, if it has one.
    fileprivate(set) var foreignKey: String?
  }

  private(set) var columns: [Column]
  private(set) var constraints: [String]
  /// The text after the last parenthesis, such as `STRICT`.
  let options: String

  /// - Returns: nil if the text lists no columns.
  init?(_ sql: String) {
    let pieces = SQLToken.pieces(of: sql)
    guard let open = pieces.firstIndex(where: { $0.token == .other("(") }),
      let close = pieces.lastIndex(where: { $0.token == .other(")") }), open < close
    else { return nil }
    let parts = pieces[(open + 1)..<close].splitAtTop(by: .other(","))
    columns = []
    constraints = []
    for part in parts {
      guard let first = part.first else { continue }
      if case .word(let word) = first.token, TableText.constraintWords.contains(word) {
        constraints.append(part.sql)
      } else {
        columns.append(Column(part))
      }
    }
    options = pieces[(close + 1)...].sql
  }

  private static let constraintWords: Set = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  /// Replaces a column's text; nil removes the column.
  mutating func replace(_ name: String, with text: String?) {
    let name = name.lowercasedASCII
    guard let index = columns.firstIndex(where: { $0.name.lowercasedASCII == name }) else { return }
    if let text { columns[index].text = text } else { columns.remove(at: index) }
  }

  func column(_ name: String) -> Column? {
    let name = name.lowercasedASCII
    return columns.first { $0.name.lowercasedASCII == name }
  }

  /// Replaces the constraint for a key of several columns; nil removes it.
  mutating func replaceKey(with text: String?) {
    constraints.removeAll { TableText.words(of: $0).first == "primary" }
    if let text { constraints.insert(text, at: 0) }
  }

  /// Removes the constraints that make a column by itself a foreign key.
  mutating func removeForeignKeys(of name: String) {
    let words = ["foreign", "key", "(", name.lowercasedASCII, ")"]
    constraints.removeAll { TableText.words(of: $0).starts(with: words) }
  }

  /// The words of a constraint, without the name that it may have.
  private static func words(of constraint: String) -> ArraySlice<String> {
    let words = constraint.sqlWords
    return words.first == "constraint" ? words.dropFirst(2) : words[...]
  }

  func create(_ name: String) -> String {
    "CREATE TABLE \(name.quotedIdentifier) (\n  \(parts.joined(separator: ",\n  "))\n)"
      + (options.isEmpty ? "" : " " + options)
  }

  private var parts: [String] { columns.map(\.text) + constraints }

  /// The columns and constraints with an `ON CONFLICT` clause, each with its action in uppercase, except for primary keys: a sync
  /// inserts no row that is stored.
  var conflictClauses: [(part: String, action: String)] {
    let kinds: [SQLToken] = ["PRIMARY", "UNIQUE", "NULL", "CHECK"].map(SQLToken.word)
    return parts.flatMap { part -> [(part: String, action: String)] in
      let tokens = SQLToken.pieces(of: part).map(\.token)
      return tokens.indices.dropFirst(2).compactMap { index in
        guard case .word(let action) = tokens[index],
          tokens[(index - 2)..<index].elementsEqual([.word("ON"), .word("CONFLICT")]),
          tokens[..<index].last(where: kinds.contains) != .word("PRIMARY")
        else { return nil }
        return (part, action)
      }
    }
  }
}

extension String {
  /// The tokens of SQL as text in lowercase, names without quotes.
  var sqlWords: [String] {
    SQLToken.pieces(of: self).map(\.unquoted.lowercasedASCII)
  }
}

extension TableText.Column {
  fileprivate init(_ pieces: ArraySlice<SQLToken.Piece>) {
    name = pieces.first?.unquoted ?? ""
    text = pieces.sql
    // The first part is the name and the type.
    for part in pieces.splitIntoClauses().dropFirst() {
      switch part.first?.token {
      case .word("CHECK"), .word("COLLATE"), .word("GENERATED"), .word("AS"): others += " " + part.sql
      case .word("DEFAULT"): defaultValue = " " + part.sql
      case .word("REFERENCES"): foreignKey = part.sql
      case .word("UNIQUE"): unique = " " + part.sql
      default: break
      }
    }
  }
}

extension ArraySlice<SQLToken.Piece> {
  /// The clauses of a column's definition, each with its first word.
  fileprivate func splitIntoClauses() -> [ArraySlice] {
    var clauses: [ArraySlice] = []
    var start = startIndex
    var isInReference = false
    for index in dropFirst().indicesAtTop {
      guard case .word(let word) = self[index].token else { continue }
      let previous: SQLToken = self[index - 1].token
      let begins =
        switch word {
        case "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "COLLATE", "GENERATED", "REFERENCES": true
        // ON DELETE SET DEFAULT
        case "DEFAULT": previous != .word("SET")
        case "AS": previous != .word("ALWAYS")
        // NOT NULL, but not the NOT DEFERRABLE of a reference.
        case "NOT": !(isInReference && index + 1 < endIndex && self[index + 1].token == .word("DEFERRABLE"))
        // NULL by itself is a constraint, too.
        case "NULL": previous != .word("NOT") && previous != .word("SET") && previous != .word("DEFAULT")
        default: false
        }
      guard begins else { continue }
      isInReference = word == "REFERENCES"
      clauses.append(self[start..<index])
      start = index
    }
    return clauses + [self[start..<endIndex]]
  }
}

import SynclineSchema

/// The SQL that creates the tables of a schema.
struct TableDefinition {
  let schema: SyncSchemaSnapshot

  /// The SQL that creates the table of a model.
  func create(_ model: SchemaModel) -> String {
    var lines = model.properties.filter(\.isStored).map { column($0, of: model) }
    if let key = TableDefinition.compositeKey(model) { lines.append(key) }
    return "CREATE TABLE \(model.name.quotedIdentifier) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// The primary key constraint of a model whose identity is unique within its parent.
  static func compositeKey(_ model: SchemaModel) -> String? {
    model.parentScope.map { "PRIMARY KEY (\($0.quotedIdentifier), \(model.identity.quotedIdentifier))" }
  }

  /// A column with its constraints. One-to-one relationships also have a unique index.
  ///
  /// - Parameter key: the constraint of the identity's column.
  func column(_ property: SchemaProperty, of model: SchemaModel, key: String = "PRIMARY KEY") -> String {
    let isKey = property.name == model.identity && model.parentScope == nil
    return "\(property.name.quotedIdentifier) \(type(of: property))" + (isKey ? " \(key)" : "")
      + constraints(property, of: model)
  }

  /// The constraints after a column's type and key.
  func constraints(_ property: SchemaProperty, of model: SchemaModel) -> String {
    (property.isOptional ? "" : " NOT NULL") + (foreignKey(property, of: model).map { " " + $0 } ?? "")
  }

  /// The foreign key of a to-one relationship; nil for other properties.
  func foreignKey(_ property: SchemaProperty, of model: SchemaModel) -> String? {
    guard case .toOne(let target, _) = property.kind else { return nil }
    // Rows that are unique within their parent cannot be identified without it.
    let canLoseTarget = property.isOptional && property.name != model.parentScope
    return reference(to: target, onDelete: canLoseTarget ? "SET NULL" : "CASCADE")
  }

  /// The declared type of a property's column.
  func type(of property: SchemaProperty) -> String {
    property.isStored ? valueType(of: property).column : ""
  }

  /// The type of a property's values, or of the identities of its target.
  func valueType(of property: SchemaProperty) -> SyncStoredType {
    if case .value(let type) = property.kind { return type }
    return schema.identityType(of: property.target ?? "")
  }

  private func reference(to model: String, onDelete action: String) -> String {
    let identity = schema.model(model)?.identity ?? "id"
    return "REFERENCES \(model.quotedIdentifier)(\(identity.quotedIdentifier))"
      + " ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
  }

  /// The SQL that creates the join table of a relationship.
  func createLinks(_ table: String, from source: String, to target: String) -> String {
    func end(_ column: String, _ model: String) -> String {
      "\"\(column)\" \(schema.identityType(of: model).column) NOT NULL \(reference(to: model, onDelete: "CASCADE"))"
    }
    return """
      CREATE TABLE \(table.quotedIdentifier) (
        \(end("source", source)),
        \(end("target", target)),
        PRIMARY KEY ("source", "target")
      )
      """
  }

  /// The indexes of all tables: the declared ones, one for each foreign key, and unique ones for unique values and one-to-one
  /// relationships.
  var indexes: [StoreIndex] {
    schema.models.flatMap { model -> [StoreIndex] in
      var indexes = model.indexes.map { StoreIndex(table: model.name, columns: $0) }
      for property in model.properties where property.isUnique {
        indexes.append(
          StoreIndex(
            table: model.name, columns: [property.name], isUnique: true, deletionMark: model.softDelete))
      }
      for property in model.properties {
        guard case .toOne(_, let isUnique) = property.kind else { continue }
        if isUnique {
          indexes.append(StoreIndex(table: model.name, columns: [property.name], isUnique: true))
        } else if !indexes.contains(where: { $0.columns.first == property.name }),
          property.name != model.parentScope
        {
          indexes.append(StoreIndex(table: model.name, columns: [property.name]))
        }
      }
      return indexes
    }
      + schema.relations.compactMap(\.table).map { StoreIndex(table: $0, columns: ["target"]) }
  }
}

/// An index of a model's table or a join table.
///
/// Names of models and properties have no parentheses or dots. So the names of tables, join tables and indexes cannot collide.
struct StoreIndex: Hashable {
  let table: String
  /// The indexed terms: columns, and values inside them such as `address.city`.
  let columns: [String]
  var isUnique = false
  /// The column that marks rows as deleted, if the index leaves such rows out.
  var deletionMark: String?

  var name: String { "\(table)(\(columns.joined(separator: ", ")))" }

  /// The SQL that creates it under a name.
  func create(as name: String) -> String {
    """
    CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quotedIdentifier) ON \(table.quotedIdentifier)\
    (\(columns.map(StoreIndex.sql).joined(separator: ", ")))\
    \(deletionMark.map { " WHERE \($0.quotedIdentifier) IS NULL" } ?? "")
    """
  }

  /// The SQL of a column, or of a value inside it, in the form of ``ValueColumn``.
  private static func sql(_ column: String) -> String {
    let names = column.split(separator: ".").map(String.init)
    guard let first = names.first, names.count > 1 else { return column.quotedIdentifier }
    let path = names.dropFirst().map { ".\"\($0)\"" }.joined()
    return "json_extract(\(first.quotedIdentifier), '$\(path)')"
  }

  /// The terms of an index, from the SQL that created it: its columns, and the column that marks the rows that it excludes. Nil if
  /// it has other terms.
  static func terms(ofSQL sql: String) -> (columns: [String], deletionMark: String?)? {
    let tokens = SQLToken.pieces(of: sql)
    let end = tokens.suffix(4).map(\.token)
    guard end.count == 4, end[0] == .word("WHERE"), let mark = end[1].name, end[2] == .word("IS"),
      end[3] == .word("NULL")
    else { return columns(of: tokens).map { (columns: $0, deletionMark: nil) } }
    return columns(of: Array(tokens.dropLast(4))).map { (columns: $0, deletionMark: mark) }
  }

  private static func columns(of tokens: [SQLToken.Piece]) -> [String]? {
    guard let open = tokens.firstIndex(where: { $0.text == "(" }), tokens.last?.text == ")" else {
      return nil
    }
    var rest = tokens[(open + 1)...].dropLast()
    var columns: [String] = []
    while let first = rest.popFirst() {
      if let name = first.token.name {
        columns.append(name)
      } else {
        guard first.text.lowercased() == "json_extract", rest.popFirst()?.text == "(",
          let name = rest.popFirst()?.token.name, rest.popFirst()?.text == ",",
          let path = rest.popFirst()?.text, rest.popFirst()?.text == ")", path.hasPrefix("'$.\""),
          path.hasSuffix("\"'")
        else { return nil }
        columns.append("\(name).\(path.dropFirst(4).dropLast(2).replacing("\".\"", with: "."))")
      }
      guard rest.isEmpty || rest.popFirst()?.text == "," else { return nil }
    }
    return columns.isEmpty ? nil : columns
  }
}

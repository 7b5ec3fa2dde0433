import Syncline
import SynclineCompiler

extension SQLiteImport {
  /// Compares the numbers of rows and links of the file with those of the store.
  func counts(of schema: Schema, in source: Database, copiedTo store: Database) throws -> [SQLiteCopy.Count] {
    var counts: [SQLiteCopy.Count] = []
    for table in tables {
      if let index = models[table.name.lowercased()], let model = schema.model(draft.declarations[index].name)
      {
        counts.append(
          SQLiteCopy.Count(
            source: table.name, target: model.name, found: try count(in: table.name, source),
            copied: try count(in: model.name, store)))
        for column in table.columns {
          guard let property = property(of: column.name, in: index, model) else { continue }
          counts.append(
            SQLiteCopy.Count(
              source: "\(table.name).\(column.name)", target: "\(model.name).\(property.name)",
              found: try count(of: column.name, in: table.name, source),
              copied: try copied(property, of: model, store)))
        }
      } else if let link = link(of: table),
        let model = schema.model(draft.declarations[link.model].name),
        let property = model.property(link.list.name)
      {
        counts.append(
          SQLiteCopy.Count(
            source: table.name, target: "\(model.name).\(property.name)",
            found: try count(in: table.name, source), copied: try copied(property, of: model, store)))
      }
    }
    return counts
  }

  private func property(of column: String, in index: Int, _ model: Model) -> Property? {
    let key = SQLiteImport.key(of: column)
    let property = draft.declarations[index].properties.first { $0.key == key }
    return property.flatMap { model.property($0.name) }.flatMap { $0.relationship == nil ? nil : $0 }
  }

  /// The number of stored links of a relationship.
  private func copied(_ property: Property, of model: Model, _ store: Database) throws -> Int {
    switch property.relationship?.storage {
    case .column?: try count(of: property.name, in: model.name, store)
    case .inverse(let name)?: try count(of: name, in: property.target ?? model.name, store)
    case .link(let link, _)?: try count(of: "source", in: link, store)
    case nil: 0
    }
  }

  /// The number of rows in a table, or the number of non-null values in a column.
  private func count(of column: String? = nil, in table: String, _ database: Database) throws -> Int {
    let values = column.map(SQLiteTable.quoted) ?? "*"
    return try Int.fetchOne(database, sql: "SELECT count(\(values)) FROM \(SQLiteTable.quoted(table))") ?? 0
  }
}

extension SQLiteCopy {
  package var text: String {
    var rows = [["file", "store", "copied"]]
    for count in counts {
      rows.append([count.source, count.target, "\(count.copied) of \(count.found)"])
    }
    var parts = [TextTable.text(rows, cellLimit: 60)]
    if !problems.isEmpty {
      let more = problemCount - problems.count
      let lines = problems + (more > 0 ? ["and \(more) more"] : [])
      parts.append((["problems"] + lines.map { "  " + DiagnosticText.escaped($0) }).joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n") + "\n"
  }
}

/// Prints models as somebody writes them by hand: a `Codable` GRDB record with its columns, associations and table,
/// an object for the payload, and a function that syncs a list.
struct HandWrittenText {
  let models: [ModelPlan]

  /// The declarations that all models use.
  static let shared = """
    import Foundation

    enum PayloadDecoder {
      static func make() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
      }
    }

    """

  func file(_ model: ModelPlan) -> String {
    let parts = [
      "import Foundation\nimport GRDB\n", enumeration(model), record(model), payload(model), sync(model),
    ]
    return (parts + links(of: model)).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: The record

  private func enumeration(_ model: ModelPlan) -> String {
    guard let name = model.enumeration else { return "" }
    return """
      enum \(name): String, Codable, Sendable, DatabaseValueConvertible {
        case open
        case inReview = "in_review"
        case done
      }

      """
  }

  private func record(_ model: ModelPlan) -> String {
    let columns = model.properties.compactMap { column($0) }
    let associations = model.properties.filter(\.isRelationship).flatMap { association($0, of: model) }
    return """
      struct \(model.name): Codable, Equatable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
      \(columns.map { "  var \($0.name): \($0.type)" }.joined(separator: "\n"))

        enum Columns {
      \(columns.map { "    static let \($0.name) = Column(CodingKeys.\($0.name))" }.joined(separator: "\n"))
        }

      \(associations.map { "  " + $0 }.joined(separator: "\n"))

        static func createTable(in db: Database) throws {
          try db.create(table: databaseTableName) { table in
            table.primaryKey("id", .\(model.identity == "Int" ? "integer" : "blob"))
      \(columns.dropFirst().map { "      " + definition($0) }.joined(separator: "\n"))
          }
        }
      }

      """
  }

  private struct Column {
    let name: String
    let type: String
    let isIndexed: Bool
  }

  /// The column of a property, if it has one.
  private func column(_ property: ModelPlan.Property) -> Column? {
    let mark = property.isOptional ? "?" : ""
    switch property.kind {
    case .identity(let type), .scalar(let type), .enumeration(let type):
      return Column(name: property.name, type: type + mark, isIndexed: false)
    case .toOne(let target):
      return Column(name: property.name + "ID", type: models[target].identity + mark, isIndexed: true)
    case .toMany, .manyToMany: return nil
    }
  }

  private func definition(_ column: Column) -> String {
    let affinities = [
      "Int": "integer", "Bool": "boolean", "Double": "double", "Date": "datetime", "UUID": "blob",
    ]
    let isOptional = column.type.hasSuffix("?")
    let type = isOptional ? String(column.type.dropLast()) : column.type
    return "table.column(\"\(column.name)\", .\(affinities[type] ?? "text"))"
      + (isOptional ? "" : ".notNull()") + (column.isIndexed ? ".indexed()" : "")
  }

  private func association(_ property: ModelPlan.Property, of model: ModelPlan) -> [String] {
    let name = property.name
    let target: Int
    switch property.kind {
    case .identity, .scalar, .enumeration: return []
    case .toOne(let position):
      return [
        "static let \(name) = belongsTo(\(models[position].name).self, using: ForeignKey([\"\(name)ID\"]))",
        "var \(name): QueryInterfaceRequest<\(models[position].name)> { request(for: Self.\(name)) }",
      ]
    case .toMany(let position, let inverse):
      target = position
      return [
        "static let \(name) = hasMany(\(models[target].name).self, using: ForeignKey([\"\(inverse)ID\"]))",
        "var \(name): QueryInterfaceRequest<\(models[target].name)> { request(for: Self.\(name)) }",
      ]
    case .manyToMany(let position, _, let isAnchor):
      target = position
      let other = models[target]
      let link = isAnchor ? linkName(model, other) : linkName(other, model)
      return [
        "static let \(name)Links = hasMany(\(link).self, using: ForeignKey([\"\(model.singular)ID\"]))",
        "static let \(name) = hasMany(\(other.name).self, through: \(name)Links, using: \(link).\(other.singular))",
        "var \(name): QueryInterfaceRequest<\(other.name)> { request(for: Self.\(name)) }",
      ]
    }
  }

  // MARK: The payload

  private func payload(_ model: ModelPlan) -> String {
    var fields: [(name: String, type: String, key: String)] = []
    var arguments: [String] = []
    for property in model.properties {
      switch property.kind {
      case .enumeration(let type):
        fields.append((property.name, "State", snake(property.name)))
        arguments.append("\(property.name): \(type)(rawValue: \(property.name).id) ?? .open")
      case .toMany: continue
      case .manyToMany(let target, _, let isAnchor):
        guard isAnchor else { continue }
        fields.append(
          (property.name, "[\(models[target].identity)]?", snake(models[target].singular) + "_ids"))
      case .identity, .scalar, .toOne:
        guard let column = column(property) else { continue }
        fields.append((column.name, column.type, property.key ?? snake(column.name)))
        arguments.append("\(column.name): \(column.name)")
      }
    }
    let state = model.enumeration == nil ? "" : "  struct State: Decodable {\n    let id: String\n  }\n\n"
    return """
      struct \(model.name)Payload: Decodable {
      \(state)\(fields.map { "  let \($0.name): \($0.type)" }.joined(separator: "\n"))

        enum CodingKeys: String, CodingKey {
      \(fields.map { "    case \($0.name) = \"\($0.key)\"" }.joined(separator: "\n"))
        }

        var record: \(model.name) {
          \(model.name)(\(arguments.joined(separator: ", ")))
        }
      }

      """
  }

  private func snake(_ name: String) -> String {
    name.replacing("ID", with: "Id").replacing("URL", with: "Url").reduce(into: "") { result, letter in
      result += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
    }
  }

  // MARK: Syncing

  private func sync(_ model: ModelPlan) -> String {
    let links = anchored(model).map { property, other in
      let link = linkName(model, other)
      return """
              if let keys = item.\(property.name) {
                _ = try \(link).filter(Column("\(model.singular)ID") == item.id).deleteAll(db)
                for key in keys { try \(link)(\(model.singular)ID: item.id, \(other.singular)ID: key).insert(db) }
              }

        """
    }
    return """
      extension \(model.name) {
        static func sync(_ payload: Data, in database: any DatabaseWriter) throws {
          let items = try PayloadDecoder.make().decode([\(model.name)Payload].self, from: payload)
          try database.write { db in
            var named: Set<\(model.identity)> = []
            for item in items {
              try item.record.upsert(db)
              named.insert(item.id)
      \(links.joined())      }
            let stored = try \(model.identity).fetchAll(db, \(model.name).select(Columns.id))
            _ = try \(model.name).deleteAll(db, keys: stored.filter { !named.contains($0) })
          }
        }
      }

      """
  }

  /// The many-to-many relationships whose links this model's rows contain.
  private func anchored(_ model: ModelPlan) -> [(property: ModelPlan.Property, other: ModelPlan)] {
    model.properties.compactMap { property in
      guard case .manyToMany(let target, _, true) = property.kind else { return nil }
      return (property, models[target])
    }
  }

  private func linkName(_ model: ModelPlan, _ other: ModelPlan) -> String { model.name + other.name + "Link" }

  private func links(of model: ModelPlan) -> [String] {
    anchored(model).map { _, other in
      """
      struct \(linkName(model, other)): Codable, Sendable, FetchableRecord, PersistableRecord {
        var \(model.singular)ID: \(model.identity)
        var \(other.singular)ID: \(other.identity)

        static let \(model.singular) = belongsTo(\(model.name).self, using: ForeignKey(["\(model.singular)ID"]))
        static let \(other.singular) = belongsTo(\(other.name).self, using: ForeignKey(["\(other.singular)ID"]))

        static func createTable(in db: Database) throws {
          try db.create(table: databaseTableName) { table in
            table.column("\(model.singular)ID", .\(model.identity == "Int" ? "integer" : "blob")).notNull()
            table.column("\(other.singular)ID", .\(other.identity == "Int" ? "integer" : "blob")).notNull()
            table.primaryKey(["\(model.singular)ID", "\(other.singular)ID"])
          }
        }
      }

      """
    }
  }
}

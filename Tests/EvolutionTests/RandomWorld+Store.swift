@testable import Syncline

extension RandomWorld {
  // MARK: As a schema

  var schema: String {
    models.keys.sorted().compactMap { number in models[number].map { text(of: $0, number) } }.joined(
      separator: "\n")
  }

  private func text(of model: Model, _ number: Int) -> String {
    var members = ["@PrimaryKey \(attribute(model.identity))\(model.identity.now): \(model.identityType)"]
    for property in model.properties {
      members.append(
        "\(property.isIndexed ? "@Index " : "")\(attribute(property.name))\(property.name.now): \(property.type)\(property.isOptional ? "?" : "")"
      )
    }
    for relation in relations {
      if relation.near.model == number {
        let target = models[relation.far.model]?.name.now ?? ""
        let type =
          switch relation.kind {
          case .many: "[\(target)]"
          case .requiredToOne: target
          case .toOne, .oneToOne: target + "?"
          }
        members.append(
          "@Relationship(inverse: \\\(target).\(relation.far.name.now)) \(attribute(relation.near.name))\(relation.near.name.now): \(type)"
        )
      }
      if relation.far.model == number {
        let target = models[relation.near.model]?.name.now ?? ""
        let type = relation.kind == .oneToOne ? target + "?" : "[\(target)]"
        members.append("\(attribute(relation.far.name))\(relation.far.name.now): \(type)")
      }
    }
    return "\(attribute(model.name))model \(model.name.now) {\n  \(members.joined(separator: "\n  "))\n}"
  }

  private func attribute(_ name: Name) -> String {
    guard let former = name.former, former != name.now else { return "" }
    return "@RenamedFrom(\"\(former)\") "
  }

  // MARK: As rows

  /// The SQL that puts the rows into a store of the schema.
  func sql(_ schema: SyncSchemaSnapshot) -> String {
    var statements: [String] = []
    for (number, model) in models {
      for row in model.rows {
        var columns = [model.identity.now] + model.properties.map(\.name.now)
        var values = [identity(row, model)] + model.properties.map { literal($0.values[row] ?? .null) }
        for relation in relations where relation.near.model == number && relation.kind == .requiredToOne {
          guard let far = models[relation.far.model], let pair = relation.pairs.first(where: { $0[0] == row })
          else { continue }
          columns.append(relation.near.name.now)
          values.append(identity(pair[1], far))
        }
        statements.append(
          "INSERT INTO \(model.name.now.quotedIdentifier) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
        )
      }
    }
    for relation in relations {
      guard let near = models[relation.near.model], let far = models[relation.far.model] else { continue }
      for pair in relation.pairs.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let (one, other) = (identity(pair[0], near), identity(pair[1], far))
        statements.append(link(relation, near, far, one, other))
      }
      statements += waiting(relation.near, near, far) + waiting(relation.far, far, near)
    }
    return statements.joined(separator: ";\n")
  }

  private func link(_ relation: Relation, _ near: Model, _ far: Model, _ one: String, _ other: String)
    -> String
  {
    if relation.kind == .many {
      let isFarSource = name(relation.far) < name(relation.near)
      let table = isFarSource ? name(relation.far) : name(relation.near)
      return
        "INSERT INTO \(table.quotedIdentifier) VALUES (\(isFarSource ? other : one), \(isFarSource ? one : other))"
    }
    if isStoredAtFarEnd(relation) {
      return
        "UPDATE \(far.name.now.quotedIdentifier) SET \(relation.far.name.now) = \(one) WHERE \(far.identity.now) = \(other)"
    }
    return
      "UPDATE \(near.name.now.quotedIdentifier) SET \(relation.near.name.now) = \(other) WHERE \(near.identity.now) = \(one)"
  }

  private func waiting(_ end: Relation.End, _ owner: Model, _ target: Model) -> [String] {
    end.waiting.sorted { $0.key < $1.key }.map { row, other in
      "INSERT INTO syncline_pending_link VALUES ('\(owner.name.now)', '\(end.name.now)', \(identity(row, owner)), NULL, '\(target.name.now)', \(identity(other, target)))"
    }
  }

  private func identity(_ row: Int, _ model: Model) -> String {
    model.identityType == "Int" ? "\(row)" : "'\(row)'"
  }

  private func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .number(let number): "\(number)"
    case .text(let text): text.sqlLiteral
    }
  }
}

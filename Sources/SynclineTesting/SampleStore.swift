import Foundation
import Syncline
import SynclineSchema

/// Linked rows for each model of a schema, always the same for the same schema.
struct SampleStore {
  let schema: SyncSchemaSnapshot
  let rows: Int

  func numbers(of model: SyncSchemaSnapshot.Model?) -> Range<Int> {
    1..<(model.map(hasOneRow) ?? false ? min(rows, 1) : rows) + 1
  }

  /// Whether a model has at most one row: a singleton, a model that only singletons identify, or one that requires a singleton as
  /// its one-to-one partner.
  private func hasOneRow(_ model: SyncSchemaSnapshot.Model) -> Bool {
    func isSingleton(_ property: SyncSchemaSnapshot.Property?) -> Bool {
      property?.target.flatMap(schema.model)?.isSingleton ?? false
    }
    if model.isComposite, model.partNames.allSatisfy({ isSingleton(model.property($0)) }) { return true }
    return model.properties.contains { property in
      guard case .toOne(_, isUnique: true) = property.kind, !property.isOptional else { return false }
      return isSingleton(property)
    }
  }

  /// Inserts the rows into a new store of the schema.
  func insert(_ database: Database) throws {
    for model in schema.models {
      let columns = model.properties.filter(\.isStored)
      let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      for number in numbers(of: model) {
        try database.execute(
          sql: "INSERT INTO \"\(model.name)\" (\(names)) VALUES (\(marks))",
          arguments: StatementArguments(
            columns.map {
              $0.name == model.identity ? identity(number, of: model.name) : value(of: $0, number)
            }))
      }
    }
    for relation in schema.relations {
      guard case .table(let table) = relation.storage else { continue }
      for (near, far) in pairs(of: relation) {
        try database.execute(
          sql: "INSERT INTO \"\(table)\" VALUES (?, ?)",
          arguments: [identity(near, of: relation.near.model), identity(far, of: relation.farModel)])
      }
    }
  }

  /// The links of a relationship, as pairs of row numbers. In a join table, each row is linked to the row with its own number
  /// and to the next one. All rows are linked to the only row of a model.
  func pairs(of relation: SchemaRelation) -> [(near: Int, far: Int)] {
    let numbers = numbers(of: schema.model(relation.near.model))
    let others = self.numbers(of: schema.model(relation.farModel))
    if case .table = relation.storage {
      return numbers.flatMap { number in
        [number, number + 1].filter { others.contains($0) }.map { (near: number, far: $0) }
      }
    }
    guard let property = schema.model(relation.near.model)?.property(relation.near.property) else {
      return []
    }
    return numbers.filter { !isEmpty(property, $0) }.map { ($0, min($0, others.upperBound - 1)) }
  }

  /// Every fourth row has no values for optional properties. Only the first row has the only row of a model as its one-to-one
  /// partner.
  func isEmpty(_ property: SyncSchemaSnapshot.Property, _ number: Int) -> Bool {
    guard property.isOptional else { return false }
    if case .toOne(let target, isUnique: true) = property.kind,
      !numbers(of: schema.model(target)).contains(number)
    {
      return true
    }
    return number % 4 == 0
  }

  private func value(of property: SyncSchemaSnapshot.Property, _ number: Int) -> DatabaseValue {
    if isEmpty(property, number) { return .null }
    switch property.kind {
    case .value(let type): return SampleStore.value(of: type, number)
    case .toOne(let target, _): return identity(number, of: target)
    case .inverse, .links: return .null
    }
  }

  private func identity(_ number: Int, of model: String) -> DatabaseValue {
    guard let model = schema.model(model), case .value(let type)? = model.property(model.identity)?.kind
    else { return .null }
    let number = min(number, numbers(of: model).upperBound - 1)
    guard !model.isComposite else { return composite(number, of: model).description.databaseValue }
    return SampleStore.value(of: type, number)
  }

  /// The composite identity of a row.
  func composite(_ number: Int, of model: SyncSchemaSnapshot.Model) -> SyncJSON {
    .array(
      model.identityParts.map { part in
        switch model.property(String(part.prefix { $0 != ":" }))?.kind {
        case .value(let type)?: SampleStore.part(SampleStore.value(of: type, number))
        case .toOne(let target, _)?:
          if let related = schema.model(target), related.isComposite {
            composite(number, of: related)
          } else {
            SampleStore.part(identity(number, of: target))
          }
        default: .null
        }
      })
  }

  private static func part(_ stored: DatabaseValue) -> SyncJSON {
    switch stored.storage {
    case .int64(let value): .number(SyncNumber(value))
    case .string(let text): .string(text)
    case .blob: .string(UUID.fromDatabaseValue(stored)?.uuidString ?? "")
    case .null, .double: .null
    }
  }

  /// A value that can be converted to most other types.
  static func value(of type: SyncStoredType, _ number: Int) -> DatabaseValue {
    if type.isList || type.shape != nil { return json(of: type, number).description.databaseValue }
    switch type.column {
    case "INTEGER": return number.databaseValue
    case "DOUBLE": return Double(number).databaseValue
    case "BOOLEAN": return (number % 2 == 0).databaseValue
    case "BLOB":
      let bytes = (0..<16).map { UInt8(truncatingIfNeeded: $0 == 15 ? number : 7) }
      return Data(bytes).databaseValue
    default:
      guard type.scalar == .date else { return "\(number)".databaseValue }
      return "2024-01-\(number % 28 < 9 ? "0" : "")\(number % 28 + 1) 00:00:00.000".databaseValue
    }
  }
}

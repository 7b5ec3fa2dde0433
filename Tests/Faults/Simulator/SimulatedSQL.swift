import GRDB
import TestSupport

/// A query that a simulation follows.
struct SimulatedQuery: Sendable {
  let model: String
  /// A condition in SQL.
  let filter: String?
  /// The column to sort by.
  let order: (column: String, isDescending: Bool)?
  let limit: Int?
}

extension SimulatedQuery: CustomStringConvertible {
  var description: String {
    [
      model, filter.map { "where \($0)" },
      order.map { "ordered by \($0.column)\($0.isDescending ? " descending" : "")" },
      limit.map { "limit \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

/// Creates random SQL for the tables of a schema. It only stores values that the properties can have.
struct SimulatedSQL {
  private let schema: SimulatedSchema
  private var random: SeededGenerator

  init(_ schema: SimulatedSchema, _ random: SeededGenerator) {
    self.schema = schema
    self.random = random
  }

  /// A statement that writes rows of a model.
  func edit(of number: Int) -> String {
    var copy = self
    return copy.makeEdit(of: number)
  }

  /// A query of the rows of a model.
  func query(of number: Int) -> SimulatedQuery {
    var copy = self
    return copy.makeQuery(of: number)
  }

  private mutating func makeEdit(of number: Int) -> String {
    guard let model = schema.models[number] else { return "" }
    let table = model.name.now.quotedDatabaseIdentifier
    let row = "\(model.identityName.quotedDatabaseIdentifier) = \(identity(of: number))"
    let columns = columns(of: model)
    switch Int.random(in: 0..<10, using: &random) {
    case ..<4:
      guard let column = columns.randomElement(using: &random) else { break }
      return "UPDATE \(table) SET \(column.name) = \(literal(column)) WHERE \(row)"
    case 4, 5:
      let links = schema.members(of: number).filter(\.isColumn)
      guard let link = links.randomElement(using: &random) else { break }
      let target = random.chance(25) ? "NULL" : identity(of: link.other)
      return "UPDATE \(table) SET \(link.name.quotedDatabaseIdentifier) = \(target) WHERE \(row)"
    case 6, 7:
      let names = [model.identityName.quotedDatabaseIdentifier] + columns.map(\.name)
      let values = [identity(of: number)] + columns.map { literal($0) }
      return
        "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    case 8 where random.chance(30): return "DELETE FROM \(table)"
    default: break
    }
    return "DELETE FROM \(table) WHERE \(row)"
  }

  private mutating func makeQuery(of number: Int) -> SimulatedQuery {
    guard let model = schema.models[number] else {
      return SimulatedQuery(model: "", filter: nil, order: nil, limit: nil)
    }
    let columns = columns(of: model)
    var filter: String?
    if random.chance(60), let column = columns.randomElement(using: &random) {
      filter =
        random.chance(20)
        ? "\(column.name) IS NULL" : "\(column.name) \(random.pick(["=", ">", "<>"])) \(literal(column))"
    }
    var order: (String, Bool)?
    if random.chance(60), let column = columns.randomElement(using: &random) {
      order = (column.plainName, random.chance(50))
    }
    return SimulatedQuery(
      model: model.name.now, filter: filter, order: order, limit: random.chance(40) ? random.pick(0...4) : nil
    )
  }

  // MARK: Values

  private struct StoredColumn {
    let plainName: String
    let type: SimulatedSchema.ValueType
    let isOptional: Bool
    var name: String { plainName.quotedDatabaseIdentifier }
  }

  /// The columns whose values are written in their stored form.
  private func columns(of model: SimulatedSchema.Model) -> [StoredColumn] {
    let types: [SimulatedSchema.ValueType] = [.int, .small, .double, .text, .bool, .mood]
    return model.properties.filter { types.contains($0.type) }.map {
      StoredColumn(plainName: $0.name.now, type: $0.type, isOptional: $0.isOptional)
    }
  }

  private mutating func literal(_ column: StoredColumn) -> String {
    if column.isOptional, random.chance(20) { return "NULL" }
    switch column.type {
    case .double: return random.pick(["0.5", "1.25", "-2.0"])
    case .text: return random.pick(["''", "'a'", "'b'", "'é'"])
    case .bool: return random.pick(["0", "1"])
    case .mood: return random.pick(["'calm'", "'very_wild'", "'odd'"])
    default: return "\(Int.random(in: -3...9, using: &random))"
    }
  }

  private mutating func identity(of model: Int) -> String {
    let number = random.pick(SimulatedWriter.rowNumbers)
    return switch schema.models[model]?.identity {
    case .text: "'r\(number)'"
    case .uuid: "x'C3E7A1B210014000800000000000000\(number)'"
    default: "\(number)"
    }
  }
}

import Syncline
import TestSupport

/// Creates random payloads for a schema: rows with few different identities, so that they coincide, with keys and nested rows.
///
/// Payloads may be contradictory: a row's list and the other row's key, two lists, or two objects of one row.
struct SimulatedWriter {
  let schema: SimulatedSchema
  var random: SeededGenerator
  /// Whether some values have a type that their property cannot read.
  var hasStrangers = false
  /// Whether rows state only few of their properties.
  var isPartial = false
  /// The number of objects that may still be nested.
  private var budget = 0

  static let rowNumbers = 0..<6

  init(_ schema: SimulatedSchema, _ random: SeededGenerator) {
    self.schema = schema
    self.random = random
  }

  mutating func list(of model: Int) -> SyncJSON {
    var numbers = SimulatedWriter.rowNumbers.filter { _ in random.chance(isPartial ? 30 : 60) }
    if random.chance(10), let number = numbers.first { numbers.append(number) }
    return .array(numbers.shuffled(using: &random).map { row($0, of: model) })
  }

  /// A payload of changes: rows, and identities of deleted rows.
  mutating func changes(of model: Int) -> SyncJSON {
    var parts: [(String, SyncJSON)] = []
    for key in ["created", "updated"] where random.chance(60) { parts.append((key, list(of: model))) }
    let deleted = SimulatedWriter.rowNumbers.filter { _ in random.chance(20) }
    parts.append(("deleted", .array(deleted.map { identity($0, of: model) })))
    return .object(SyncJSONObject(parts))
  }

  /// A row at the top level of a payload.
  mutating func row(_ number: Int, of model: Int) -> SyncJSON {
    budget = Int.random(in: 0...6, using: &random)
    return object(number, of: model, depth: 0)
  }

  /// The identity of a row as payloads contain it.
  func identity(_ number: Int, of model: Int) -> SyncJSON {
    switch schema.models[model]?.identity {
    case .text: .string("r\(number)")
    case .uuid: .string("C3E7A1B2-1001-4000-8000-00000000000\(number)")
    default: .number(number)
    }
  }

  private mutating func object(_ number: Int, of number0: Int, depth: Int) -> SyncJSON {
    guard let model = schema.models[number0] else { return [:] }
    var members: [(String, SyncJSON)] = []
    if !random.chance(2) { members.append((model.identityKey, identity(number, of: number0))) }
    var nested: [(String, SyncJSON)] = []
    for property in model.properties {
      guard random.chance(isPartial ? 30 : property.isOptional || property.hasDefault ? 60 : 96) else {
        continue
      }
      let member = (property.name.now, value(of: property))
      if property.isNested { nested.append(member) } else { members.append(member) }
    }
    if !nested.isEmpty { members.append(("data", .object(SyncJSONObject(nested)))) }
    if model.hasStamp, random.chance(85) { members.append(("updated_at", date())) }
    if model.hasMark, random.chance(10) {
      members.append(("deleted_at", random.chance(60) ? .null : date()))
    }
    if model.isDeletable, random.chance(10) {
      members.append(("gone", random.pick([true, false, .null, 1])))
    }
    for member in schema.members(of: number0) {
      guard member.isRequired ? random.chance(95) : random.chance(isPartial ? 20 : 40) else { continue }
      members += links(member, depth: depth)
    }
    // Each key occurs once. Duplicate members are tested elsewhere.
    return .object(
      members.shuffled(using: &random).reduce(into: SyncJSONObject()) { $0[$1.0] = $1.1 })
  }

  /// The members that state a relationship: keys, nested objects, or both.
  private mutating func links(_ member: SimulatedSchema.Member, depth: Int) -> [(String, SyncJSON)] {
    let numbers = SimulatedWriter.rowNumbers
    let isNested = depth < 3 && budget > 0 && random.chance(40)
    guard member.isToMany else {
      if !member.isRequired, random.chance(15) { return [(member.name + "_id", .null)] }
      let number = random.pick(numbers)
      let key = (member.name + "_id", identity(number, of: member.other))
      guard isNested else { return [key] }
      let object = (member.name, element(number, of: member.other, depth: depth + 1))
      return random.chance(15) ? [key, object] : [object]
    }
    let others = numbers.filter { _ in random.chance(35) }.shuffled(using: &random)
    guard isNested else {
      return [(member.name + "_ids", .array(others.map { identity($0, of: member.other) }))]
    }
    return [(member.name, .array(others.map { element($0, of: member.other, depth: depth + 1) }))]
  }

  private mutating func element(_ number: Int, of model: Int, depth: Int) -> SyncJSON {
    budget -= 1
    guard budget >= 0 else { return identity(number, of: model) }
    return object(number, of: model, depth: depth)
  }

  // MARK: Values

  private static let strangers: [SyncJSON] = [
    .null, true, 0, 7, -1, 1.5, 300, "", "x", "1", [], [1], [:], ["id": 1], .number(Int.max), "2019-01-01",
    "\u{0}",
  ]

  private mutating func value(of property: SimulatedSchema.Property) -> SyncJSON {
    if hasStrangers, random.chance(10) { return random.pick(SimulatedWriter.strangers) }
    if random.chance(property.isOptional ? 12 : 2) { return .null }
    switch property.type {
    case .int, .small: return .number(Int.random(in: -3...9, using: &random))
    case .double: return random.pick([0, 0.5, 1.25, -2])
    case .text: return random.pick(["", "a", "b", "é😀", "it's"])
    case .bool: return .bool(random.chance(50))
    case .date: return date()
    case .uuid: return .string("C3E7A1B2-1001-4000-8000-00000000001\(Int.random(in: 0..<4, using: &random))")
    case .mood: return random.pick(["calm", "very_wild", "odd"])
    case .words: return random.pick([[], ["a"], ["b", "é"]])
    case .json: return random.pick([1, ["a": [1.5, false]], "x", []])
    case .place:
      return random.pick([["street": "a"], ["street": "b", "zip": 1], ["street": "", "zip": .null]])
    }
  }

  private mutating func date() -> SyncJSON {
    .string("2020-01-0\(Int.random(in: 1...6, using: &random))T00:00:00.000Z")
  }
}

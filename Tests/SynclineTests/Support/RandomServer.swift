import Foundation
import TestSupport

@_spi(Generated) @testable import Syncline

/// A random server: rows of all models, and payloads with them. They are derived only from the models.
///
/// All objects of a row have the same values, unless `oddity` is greater than 0.
struct RandomServer {
  /// The models that can be requested.
  static let models: [any SyncUpdatableModel.Type] = [
    Task.self, Project.self, User.self, Tag.self, Item.self, Fault.self, Topic.self, Note.self,
    Employee.self, Category.self, Device.self, Author.self, Book.self, Branch.self, Leaf.self,
    Crew.self, Sailor.self, Rack.self, Shelf.self, Box.self, Thing.self, Post.self, Comment.self,
    Flag.self, Order.self, OrderLine.self, OrderNote.self, Parcel.self, Studio.self, Room.self, Board.self,
    Assembly.self, Part.self, Person.self, Passport.self, Captain.self, Ship.self, Play.self, Mask.self,
  ]

  var random: SeededGenerator
  /// The percentage of objects that contradict others of their row, or omit values.
  var oddity = 0
  /// Whether some optional to-ones refer to rows that do not exist on the server.
  var namesAbsentRows = true
  /// The nesting depth of rows.
  var depth = 0...2
  /// The numbers of the existing rows of each model.
  let range: Range<Int>
  private var version = 0
  private let catalog: ModelCatalog

  init(_ container: SyncContainer, rows: Int, seed: Int) {
    random = SeededGenerator(seed: seed)
    range = 1..<rows + 1
    catalog = container.catalog
  }

  /// Changes a few of the server's rows.
  mutating func change() { version += 1 }

  /// A list of rows of a model, in some order.
  mutating func payload(_ model: any SyncUpdatableModel.Type, count: Int) throws -> String {
    let entry = try catalog.entry(for: model)
    var numbers = Array(range.shuffled(using: &random).prefix(count))
    if random.chance(oddity) { numbers += (0..<3).map { _ in random.pick(range) } }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: numbers.sort()
    case 1: numbers.sort(by: >)
    case 2: numbers[..<(numbers.count / 2)].sort()
    default: break
    }
    let depth = Int.random(in: depth, using: &random)
    let rows = numbers.map { SyncJSON.object(object(entry, $0, depth: depth)) }
    return String(decoding: try SyncJSON.array(rows).data(), as: UTF8.self)
  }

  // MARK: Rows

  private mutating func object(_ entry: ModelCatalog.Entry, _ number: Int, depth: Int) -> SyncJSONObject {
    var object = SyncJSONObject([])
    for (position, property) in entry.table.properties.enumerated() {
      let keys = property.keys(in: .snakeCase)
      if keys.isEmpty { continue }
      if position == entry.table.identity {
        set(identity(entry.table, number), at: keys[0], in: &object)
      } else if let end = entry.ends[position] {
        let (key, value) = relationship(end, number, keys, depth: depth)
        if let value { object[key] = value }
      } else if let value = scalar(property, hash(entry.table.name, property.name, number)) {
        set(value, at: keys[0], in: &object)
      }
    }
    return object
  }

  private func set(_ value: SyncJSON, at path: String, in object: inout SyncJSONObject) {
    guard let dot = path.firstIndex(of: ".") else { return object[path] = value }
    let key = String(path[..<dot])
    var inner = SyncJSONObject([])
    if case .object(let object)? = object[key] { inner = object }
    set(value, at: String(path[path.index(after: dot)...]), in: &inner)
    object[key] = .object(inner)
  }

  private func identity(_ table: SyncTable, _ number: Int) -> SyncJSON {
    switch table.identityKind {
    case .integer: .number(SyncNumber(number))
    case .text: .string("key \(number * 7919 % 1000)")
    case .uuid: .string(String(format: "C3E7A1B2-1001-0000-0000-%012d", number))
    // A composite identity has no key, only its parts do.
    case .composite: .null
    }
  }

  /// A hash from which a property's value is derived. The version changes few rows.
  private mutating func hash(_ table: String, _ property: String, _ number: Int) -> Int {
    if random.chance(oddity) { return Int.random(in: 0..<1_000, using: &random) }
    return agreed(table, property, number)
  }

  private func agreed(_ table: String, _ property: String, _ number: Int) -> Int {
    func mix(_ text: String) -> Int {
      Int(text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } % 99_991)
    }
    let changes = mix("\(number)\(table)") % 5 == 0
    return mix("\(property)\(number)\(table)\(changes ? version : 0)")
  }

  private mutating func scalar(_ property: SyncProperty, _ hash: Int) -> SyncJSON? {
    guard case .scalar(let kind, let isOptional) = property.kind else { return nil }
    if random.chance(oddity / 2) { return random.chance(50) ? nil : .null }
    if isOptional, hash % 7 == 0 { return .null }
    return switch kind {
    case .integer: .number(SyncNumber(hash % 3))
    case .double: .number(SyncNumber(hash % 3))
    case .bool: .bool(hash % 2 == 0)
    case .date: .string("2025-01-0\(1 + hash % 9)T00:00:00Z")
    case .uuid: .string(String(format: "C3E7A1B2-1001-0000-0000-%012d", hash % 3))
    case .text:
      .string(property.name == "state" ? ["open", "done"][hash % 2] : "\(property.name) \(hash % 3)")
    case .value: property.composedType.flatMap { value(of: $0, hash, depth: 3) }
    case .url, .decimal, .json, .transformed, .other: nil
    }
  }

  /// The value of a struct, a map or a list, or of their elements.
  private mutating func value(of type: any SyncScalar.Type, _ hash: Int, depth: Int) -> SyncJSON? {
    switch type {
    case let structure as any SyncStruct.Type:
      guard depth > 0 else { return nil }
      var object = SyncJSONObject()
      for (index, member) in structure.syncMembers.members.enumerated() {
        let hash = (hash &* 31 &+ index).magnitude
        if random.chance(oddity / 4) { continue }
        guard !member.isOptional || hash % 3 > 0,
          let value = value(of: member.type, Int(hash % 99_991), depth: depth - 1),
          let key = member.keys(in: .snakeCase).first
        else { continue }
        object.merge(value, at: key.split(separator: ".").map { .member(String($0)) }[...])
      }
      return .object(object)
    case let list as any ScalarList.Type:
      guard depth > 0 else { return [] }
      return .array((0..<hash % 3).compactMap { value(of: list.element, hash + $0, depth: depth - 1) })
    case let map as any ScalarMap.Type:
      guard depth > 0 else { return [:] }
      var object = SyncJSONObject()
      for number in (0..<hash % 3).reversed() {
        object["key \(number)"] = value(of: map.value, hash + number, depth: depth - 1)
      }
      return .object(object)
    case is Bool.Type: return .bool(hash % 2 == 0)
    case is Date.Type: return .string("2025-01-0\(1 + hash % 9)T00:00:00Z")
    case is UUID.Type: return .string(String(format: "C3E7A1B2-1001-0000-0000-%012d", hash % 3))
    case is Data.Type: return .string("aGk=")
    case is String.Type, is URL.Type, is any SyncEnum.Type: return .string("text\(hash % 3)")
    default: return .number(SyncNumber(hash % 3))
    }
  }

  // MARK: Relationships

  private mutating func relationship(
    _ end: LinkEnd, _ number: Int, _ keys: [String], depth: Int
  ) -> (key: String, value: SyncJSON?) {
    let target = catalog.entries[end.target]
    let name = keys.first { !$0.hasSuffix("_id") && !$0.hasSuffix("_ids") } ?? keys[0]
    let key = keys.first { $0.hasSuffix("_id") || $0.hasSuffix("_ids") } ?? keys[0]
    let nests = depth > 0 && random.chance(60)
    if end.isToMany {
      guard random.chance(nests ? 40 : 70) else { return (key, nil) }
      let members = members(of: end, number)
      if nests, let objects = nested(members, target, depth: depth) { return (name, objects) }
      return (key, .array(members.map { identity(target.table, $0) }))
    }
    guard let member = self.target(of: end, number) else { return (key, end.isOptional ? .null : nil) }
    if nests { return (name, .object(object(target, member, depth: depth - 1))) }
    return (key, identity(target.table, member))
  }

  private mutating func nested(_ members: [Int], _ target: ModelCatalog.Entry, depth: Int) -> SyncJSON? {
    var objects: [SyncJSON] = []
    for member in members { objects.append(.object(object(target, member, depth: depth - 1))) }
    return .array(objects)
  }

  /// The row that a to-one refers to, which may not exist on the server.
  private mutating func target(of end: LinkEnd, _ number: Int) -> Int? {
    if random.chance(oddity) { return random.pick(range) }
    guard let column = end.isColumn ? end : end.inverse, !column.isUnique else { return number }
    return agreedTarget(of: column, number)
  }

  private func agreedTarget(of column: LinkEnd, _ number: Int) -> Int? {
    let hash = agreed(column.table.name, column.name, number)
    if column.isOptional, hash % 4 == 0 { return nil }
    return range.lowerBound + hash / 4 % (range.count + (column.isOptional && namesAbsentRows ? 2 : 0))
  }

  private mutating func members(of end: LinkEnd, _ number: Int) -> [Int] {
    if random.chance(oddity) { return (0..<3).map { _ in random.pick(range) } }
    if let column = end.memberColumn {
      return range.filter { agreedTarget(of: column, $0) == number }
    }
    guard let table = end.linkTable else { return [] }
    return range.filter { other in
      let (source, target) = table.isSource ? (number, other) : (other, number)
      return agreed(table.name, "\(target)", source) % 40 == 0
    }
  }
}

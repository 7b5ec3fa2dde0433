import Syncline
import TestSupport

/// Writes rows of a state as payloads say them: each time with other members, links as keys or as nested objects.
struct Writer {
  let world: World
  var random: SeededGenerator
  private var spelling: Spelling
  /// How many objects may still be nested.
  private var budget = 0

  init(_ world: World, _ random: SeededGenerator) {
    var random = random
    self.world = world
    spelling = Spelling(random: random.fork())
    self.random = random
  }

  /// Rows of a model as a payload, some that are deleted among them.
  mutating func payload(_ model: String, _ numbers: [Int]) -> SyncJSON {
    var rows = numbers.map { row(model, $0) }
    if model == "Badge" {
      for number in Shape.rowNumbers where world.rows[model]?[number] == nil && random.chance(30) {
        rows.append(["id": .number(number), "gone": random.pick([true, 1, "2020-01-01", [:]])])
      }
    }
    return .array(rows.shuffled(using: &random))
  }

  /// A row at the top of a payload.
  mutating func row(_ model: String, _ number: Int) -> SyncJSON {
    budget = Int.random(in: 0...12, using: &random)
    return object(model, number, depth: 0)
  }

  private mutating func object(_ model: String, _ number: Int, depth: Int) -> SyncJSON {
    let shape = Shape.named(model)
    let scalars = world.rows[model]?[number] ?? SyncJSONObject()
    if shape.isList {
      return .array([shape.identity(number)] + shape.scalars.map { scalars[$0.path] ?? .null })
    }
    var members: [(path: [String], value: SyncJSON)] = [
      (path(shape.identityPath), shape.identity(number))
    ]
    for scalar in shape.scalars where scalar.isRequired || random.chance(70) {
      let value = spelling.value(scalars[scalar.path] ?? .null, of: scalar)
      members.append((spelling.names(scalar.path), value))
    }
    for (index, relation) in Relation.all.enumerated() {
      for (position, end) in relation.ends.enumerated() where end.model == model {
        guard end.key != nil, end.isRequired || random.chance(50) else { continue }
        let other = relation.ends[1 - position].model
        var related = world.related(index, from: position, number)
        // Against the order of the identities, which is that of a list that has none of its own.
        if end.isOrdered { related.reverse() } else { related.shuffle(using: &random) }
        members += relatives(Relatives(end: end, model: other, numbers: related), of: number, depth: depth)
      }
    }
    return .object(members.shuffled(using: &random).reduce(into: SyncJSONObject()) { $0.set($1.1, at: $1.0) })
  }

  /// The rows at the other end of a relation.
  private struct Relatives {
    let end: Relation.End
    let model: String
    let numbers: [Int]
  }

  /// The members of a row that say what it is related to: keys, or nested objects.
  private mutating func relatives(
    _ others: Relatives, of number: Int, depth: Int
  ) -> [(path: [String], value: SyncJSON)] {
    let end = others.end
    guard let key = end.key, let nested = end.nested else { return [] }
    let shape = Shape.named(others.model)
    let keys = others.numbers.map { spelling.key(shape.identity($0), at: end) }
    // A nested row of a scope would be in it twice; and where the key is needed, it stands beside the object.
    let isNested = depth < 4 && budget > 0 && random.chance(50) && !others.numbers.isEmpty
    if nested == "." {
      // It cannot say that there is none.
      if !isNested { return keys.prefix(1).map { (path: [key], value: $0) } }
      let row = object(others.model, others.numbers[0], depth: depth + 1).object ?? SyncJSONObject()
      return row.keys.map { (path: [$0], value: row[$0] ?? .null) }
    }
    var members: [(path: [String], value: SyncJSON)] = []
    if end.isObject, !isNested {
      // The board of a cell that it features gives the cell's board.
      let givesPart = end.model == "Board" && !end.isToMany && random.chance(50)
      let objects = others.numbers.map { other in
        keyAlone(others.model, other, isGivenPart: givesPart && Shape.board(of: other) == number)
      }
      members.append((path(key), spelling.rows(objects, of: end)))
    } else if !isNested, !end.needsKey, !end.isToMany, keys.isEmpty, random.chance(10) {
      // An empty list in the place of an object.
      members.append((path(nested), []))
    } else if !isNested || end.needsKey {
      members.append((path(key), spelling.rows(keys, of: end)))
    }
    if isNested {
      let objects = others.numbers.enumerated().map { place, number in
        element(others.model, number, keys[place], depth: depth + 1)
      }
      members.append((path(nested), spelling.rows(objects, of: end)))
    }
    return members
  }

  /// A member of a list, or the row of a to-one: an object, or its key in the form of an object or bare.
  private mutating func element(_ model: String, _ number: Int, _ key: SyncJSON, depth: Int) -> SyncJSON {
    guard budget > 0 else { return Shape.named(model).otherPart == nil ? key : keyAlone(model, number) }
    budget -= 1
    return random.chance(10) ? keyAlone(model, number) : object(model, number, depth: depth)
  }

  /// An object that has what identifies a row, and nothing else.
  ///
  /// - Parameter isGivenPart: whether the object around it gives a part of the identity.
  private func keyAlone(_ model: String, _ number: Int, isGivenPart: Bool = false) -> SyncJSON {
    let shape = Shape.named(model)
    if shape.isList { return shape.identity(number) }
    var object = SyncJSONObject()
    object.set(shape.identity(number), at: path(shape.identityPath))
    if let part = shape.otherPart, !isGivenPart { object[part.path] = part.value(number) }
    return .object(object)
  }
}

private func path(_ text: String) -> [String] { text.split(separator: ".").map(String.init) }

extension SyncJSONObject {
  /// Sets the member at a path, beside what other paths have set.
  mutating func set(_ value: SyncJSON, at path: [String]) {
    guard let name = path.first else { return }
    guard path.count > 1 else { return self[name] = value }
    var inner = self[name]?.object ?? SyncJSONObject()
    inner.set(value, at: Array(path.dropFirst()))
    self[name] = .object(inner)
  }
}

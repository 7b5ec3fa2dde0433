import Syncline
import TestSupport

/// Writes rows of a state as payloads say them: each time with other members, links as keys or as nested objects.
struct Writer {
  let world: World
  var random: SeededGenerator
  /// How many objects may still be nested.
  private var budget = 0

  init(_ world: World, _ random: SeededGenerator) {
    self.world = world
    self.random = random
  }

  /// Rows of a model as a payload.
  mutating func payload(_ model: String, _ numbers: [Int]) -> SyncJSON {
    .array(numbers.shuffled(using: &random).map { row(model, $0) })
  }

  /// A row at the top of a payload.
  mutating func row(_ model: String, _ number: Int) -> SyncJSON {
    budget = Int.random(in: 0...12, using: &random)
    return object(model, number, depth: 0)
  }

  private mutating func object(_ model: String, _ number: Int, depth: Int) -> SyncJSON {
    let shape = Shape.named(model)
    var members = [(shape.identityPath, shape.identity(number))]
    let scalars = world.rows[model]?[number] ?? SyncJSONObject()
    for scalar in shape.scalars where scalar.isRequired || random.chance(70) {
      members.append((scalar.path, scalars[scalar.path] ?? .null))
    }
    for (index, relation) in Relation.all.enumerated() {
      for (position, end) in relation.ends.enumerated() where end.model == model {
        guard let key = end.key, let nested = end.nested, end.isRequired || random.chance(50) else {
          continue
        }
        let other = relation.ends[1 - position].model
        var related = world.related(index, from: position, number)
        // Against the order of the identities, which is that of a list that has none of its own.
        if end.isOrdered { related.reverse() } else { related.shuffle(using: &random) }
        let keys = related.map { Shape.named(other).identity($0) }
        // A nested row of a scope would be in it twice; and where the key is needed, it stands beside the object.
        let isNested = depth < 4 && budget > 0 && random.chance(50) && !related.isEmpty
        if end.isObject, !isNested {
          let objects = related.map { keyAlone(other, $0) }
          members.append((key, end.isToMany ? .array(objects) : objects.first ?? .null))
        } else if !isNested || end.needsKey {
          members.append((key, end.isToMany ? .array(keys) : keys.first ?? .null))
        }
        if isNested {
          let objects = related.enumerated().map { place, number in
            element(other, number, keys[place], depth: depth + 1)
          }
          members.append((nested, end.isToMany ? .array(objects) : objects.first ?? .null))
        }
      }
    }
    return .object(members.shuffled(using: &random).reduce(into: SyncJSONObject()) { $0.set($1.1, at: $1.0) })
  }

  /// A member of a list, or the row of a to-one: an object, or its key in the form of an object or bare.
  private mutating func element(_ model: String, _ number: Int, _ key: SyncJSON, depth: Int) -> SyncJSON {
    guard budget > 0 else { return Shape.named(model).otherPart == nil ? key : keyAlone(model, number) }
    budget -= 1
    return random.chance(10) ? keyAlone(model, number) : object(model, number, depth: depth)
  }

  /// An object that has what identifies a row, and nothing else.
  private func keyAlone(_ model: String, _ number: Int) -> SyncJSON {
    let shape = Shape.named(model)
    var object = SyncJSONObject()
    object.set(shape.identity(number), at: shape.identityPath)
    if let part = shape.otherPart { object.set(part.value(number), at: part.path) }
    return .object(object)
  }
}

extension SyncJSONObject {
  /// Sets the member at a path, beside what other paths have set.
  mutating func set(_ value: SyncJSON, at path: String) {
    let steps = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard steps.count == 2 else { return self[path] = value }
    var inner = self[steps[0]]?.object ?? SyncJSONObject()
    inner.set(value, at: steps[1])
    self[steps[0]] = .object(inner)
  }
}

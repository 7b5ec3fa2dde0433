import Syncline

/// Random changes that make a payload contradict itself, its model or JSON's syntax.
package struct Mutation {
  package var random: SeededGenerator

  package init(random: SeededGenerator) { self.random = random }

  /// Values of other types than expected.
  private static let strangers: [SyncJSON] = [
    .null, true, false, 0, 1, 2, 7, -1, 1.5, "", "x", "1", "p1", "p2", "d1", "1.0", [], [1], ["p1", "p1"],
    [[]], [.null], [:], ["id": 1], ["id": .null], "2030-01-01", "2019-01-01",
    "C3E7A1B2-1001-4000-8000-000000000001",
    .number(Int.max), .number(Int.min), 1e300, "\u{0}", "null", "é", "none", "/badges/1", ["gone": true],
    ["id": 1, "gone": true], ["name": "size", "value": 1], ["lat": "x"],
  ]

  // MARK: Structure

  package mutating func mutated(_ json: SyncJSON) -> SyncJSON {
    var json = json
    for _ in 0..<Int.random(in: 1...4, using: &random) { json = mutatedOnce(json) }
    return json
  }

  private mutating func mutatedOnce(_ json: SyncJSON) -> SyncJSON {
    let paths = json.paths
    // The whole payload is rarely replaced, because little of it would remain.
    let path = random.chance(98) && paths.count > 1 ? random.pick(paths.dropFirst()) : random.pick(paths)
    guard let value = json[path] else { return json }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return json.replacing(path, by: path.isEmpty ? value : nil)
    case 1: return json.replacing(path, by: random.pick(Self.strangers))
    case 2: return json.replacing(path, by: .null)
    case 3: return swapped(json, path, random.pick(paths))
    case 4: return json.replacing(path, by: json[random.pick(paths)] ?? .null)
    case 5: return repeated(json, path, value)
    case 6: return json.replacing(path, by: value.object == nil ? [:] : emptied(value))
    case 7: return json.replacing(path, by: value.object.map { identity(of: .object($0)) } ?? [value])
    case 8: return nested(json, path, value)
    case 9: return contradicted(json, paths)
    case 10: return twin(json, paths)
    default: return reversed(json, path, value)
    }
  }

  private func swapped(_ json: SyncJSON, _ left: JSONPath, _ right: JSONPath) -> SyncJSON {
    guard !left.starts(with: right), !right.starts(with: left), let first = json[left],
      let second = json[right]
    else { return json }
    return json.replacing(left, by: second).replacing(right, by: first)
  }

  /// Duplicates a value in the list that contains it, or in the list around that.
  private func repeated(_ json: SyncJSON, _ path: JSONPath, _ value: SyncJSON) -> SyncJSON {
    var outer = path
    while !outer.isEmpty {
      outer.removeLast()
      if let list = json[outer]?.array { return json.replacing(outer, by: .array(list + [value])) }
    }
    return json
  }

  private mutating func emptied(_ object: SyncJSON) -> SyncJSON {
    guard let members = object.object, random.chance(70) else { return [:] }
    return .object(members.reduce(into: SyncJSONObject()) { if random.chance(50) { $0[$1.key] = $1.value } })
  }

  /// The object reduced to its identity, if it has one.
  private func identity(of object: SyncJSON) -> SyncJSON {
    for key in ["id", "skill_uuid", "meta", "remote_id"] {
      if let value = object[key] { return .object(SyncJSONObject([(key, value)])) }
    }
    return [:]
  }

  /// Wraps a value in lists or objects, or the whole payload in one of its rows.
  private mutating func nested(_ json: SyncJSON, _ path: JSONPath, _ value: SyncJSON) -> SyncJSON {
    if let object = value.object, let key = object.keys.randomElement(using: &random) {
      return json.replacing(path + [.member(key)], by: random.chance(50) ? value : json[0] ?? json)
    }
    let depth =
      random.chance(90) ? Int.random(in: 1...3, using: &random) : Int.random(in: 60...70, using: &random)
    let isList = random.chance(50)
    return json.replacing(
      path, by: (0..<depth).reduce(value) { inner, _ in isList ? [inner] : ["id": inner] })
  }

  /// Replaces a key with that of another row: an identity in the payload, or an unknown one.
  private mutating func contradicted(_ json: SyncJSON, _ paths: [JSONPath]) -> SyncJSON {
    let scalars = paths.filter { path in
      guard !path.isEmpty, let value = json[path] else { return false }
      return value.array == nil && value.object == nil
    }
    let keys = scalars.filter { path in
      path.contains {
        if case .member(let name) = $0 { name.hasSuffix("id") || name.hasSuffix("ids") } else { false }
      }
    }
    guard let target = keys.randomElement(using: &random) ?? scalars.randomElement(using: &random) else {
      return json
    }
    return json.replacing(target, by: json[random.pick(keys.isEmpty ? scalars : keys)] ?? .null)
  }

  /// Copies an object to another position of the same kind, with some members changed or removed.
  private mutating func twin(_ json: SyncJSON, _ paths: [JSONPath]) -> SyncJSON {
    let objects = paths.filter { json[$0]?.object != nil && !$0.isEmpty }
    let lists = paths.filter { json[$0]?.array != nil }
    guard let source = objects.randomElement(using: &random), let object = json[source]?.object,
      let place = lists.randomElement(using: &random), let list = json[place]?.array
    else { return json }
    var twin = SyncJSONObject()
    for (key, value) in object {
      if key.hasSuffix("id") || random.chance(50) {
        twin[key] = value
      } else if random.chance(50) {
        twin[key] = random.pick(Self.strangers)
      }
    }
    return json.replacing(
      place, by: .array(random.chance(50) ? list + [.object(twin)] : [.object(twin)] + list))
  }

  private func reversed(_ json: SyncJSON, _ path: JSONPath, _ value: SyncJSON) -> SyncJSON {
    switch value {
    case .array(let elements): json.replacing(path, by: .array(Array(elements.reversed())))
    case .object(let object):
      json.replacing(path, by: .object(SyncJSONObject(object.map { ($0, $1) }.reversed())))
    default: json
    }
  }

  // MARK: Bytes

  private static let alphabet =
    Array("[]{},:\"\\0123456789.eE+-tfnrulaidsp_/ \n\t".utf8) + [
      0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF,
    ]

  package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 1...24, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[start] = random.pick(Self.alphabet)
      case 2: bytes.insert(random.pick(Self.alphabet), at: start)
      case 3: bytes.removeSubrange(start..<end)
      case 4:
        let part = Array(bytes[start..<end])
        bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
      default:
        bytes.removeSubrange(random.chance(20) ? start..<bytes.count : start..<min(start + 1, bytes.count))
      }
    }
    return bytes
  }
}

import Syncline
import SynclineTesting
import TestSupport

/// What payloads say about a model: where its identity is, and which scalars it has.
struct Shape: Sendable {
  struct Scalar: Sendable {
    let path: String
    var isRequired = false
    /// Whether a lone value stands for a list of one, and the other way round.
    var isOneOrMany = false
    /// Whether an object may lack members, which stay what they are.
    var isMerged = false
    /// Whether it is said in one way only.
    var isPlain = false
    let value: @Sendable (inout SeededGenerator) -> SyncJSON
  }

  let model: String
  var identityPath = "id"
  /// The identity of a row that the machines know by a number.
  var identity: @Sendable (Int) -> SyncJSON = { .number($0) }
  /// What else identifies a row: a path, and the value at it.
  var otherPart: (path: String, value: @Sendable (Int) -> SyncJSON)?
  var scalars: [Scalar] = []
  /// Whether rows are lists: of the identity, then of the scalars.
  var isList = false

  static func named(_ model: String) -> Shape { all[model] ?? Shape(model: model) }
  static let models = all.keys.sorted()
  /// The models whose rows have a place in the list that is synced: another order of it is another payload.
  static let placed: Set = ["Chart"]
  /// The models whose rows are lists.
  static let lists: Set = ["Mark"]
  /// The models whose rows a document of JSON:API cannot say as a payload says them.
  static let undocumented: Set = ["Badge", "Clip"]

  /// The keys that some object cannot do without.
  static let requiredKeys: Set<String> = {
    var keys: Set<String> = []
    for shape in all.values {
      keys.formUnion(shape.identityPath.split(separator: ".").map(String.init))
      if let part = shape.otherPart { keys.insert(part.path) }
      for scalar in shape.scalars where scalar.isRequired { keys.insert(scalar.path) }
    }
    for end in Relation.all.flatMap(\.ends) where end.isRequired {
      keys.formUnion([end.key, end.nested].compactMap { $0 })
    }
    return keys
  }()

  /// How many rows of a model there may be; those of a board's own have their board in their number.
  static let rowNumbers = 0..<6
  static func board(of row: Int) -> Int { row / 3 }

  private static let all: [String: Shape] = Dictionary(
    uniqueKeysWithValues: [
      Shape(
        model: "Company",
        scalars: [
          .text("name", isRequired: true), .text("address.city.name"), .init(path: "grade", value: grade),
        ]),
      Shape(model: "Profile", scalars: [.text("text")]),
      Shape(
        model: "Person", identity: { .string("p\($0)") },
        scalars: [.text("name", isRequired: true), .text("contact.email")]),
      Shape(model: "Skill", identityPath: "skill_uuid", identity: uuid, scalars: [.text("title")]),
      Shape(
        model: "Department", identityPath: "meta.key", identity: { .string("d\($0)") },
        scalars: [.text("title", isRequired: true)]),
      Shape(model: "Project", scalars: [.text("name")]),
      Shape(model: "Office"),
      Shape(
        model: "Ticket", identityPath: "remote_id",
        scalars: [
          .text("title", isRequired: true), .init(path: "mood", value: mood),
          .init(path: "updated_at", value: date),
          .init(path: "deleted_at") { $0.chance(70) ? .null : date(&$0) },
        ]),
      Shape(
        model: "Comment", scalars: [.text("text", isRequired: true), .init(path: "stamp", value: date)]),
      Shape(model: "Board", scalars: [.text("name", isRequired: true)]),
      Shape(
        model: "Lane", identity: { .number($0 % 3) },
        scalars: [.text("title", isRequired: true), .init(path: "position", value: number)]),
      Shape(model: "Note", identity: { .string("n\($0 % 3)") }, scalars: [.text("text")]),
      Shape(
        model: "Cell", identityPath: "number", identity: { .number($0 % 3) },
        otherPart: ("board_id", { .number(Shape.board(of: $0)) }), scalars: [.text("text")]),
      Shape(model: "Chart", scalars: [.text("title")]),
      Shape(
        model: "Sample",
        scalars: optionalScalars.map { ["spots", "subjects"].contains($0.path) ? $0 : $0.orNull }),
      Shape(model: "Exact", identity: uuid, scalars: requiredScalars),
      Shape(model: "Badge", scalars: badgeScalars),
      Shape(
        model: "Label", identityPath: "name", identity: { .string("l\($0)") },
        scalars: [Scalar.text("color").orNull]),
      Shape(model: "Clip", scalars: [Scalar.text("data.title").orNull]),
      Shape(model: "Cover", identityPath: "cover_id", scalars: [Scalar.text("art").orNull]),
      Shape(
        model: "Mark", identityPath: "[0]",
        scalars: [
          Scalar.text("[1]").orNull, .init(path: "[2]") { ["size": $0.chance(20) ? .null : number(&$0)] },
        ], isList: true),
    ].map { ($0.model, $0) })

  private static let optionalScalars: [Scalar] = [
    .text("text"), .init(path: "int", value: number), .init(path: "int8", value: number),
    .init(path: "uint16", value: number), .init(path: "uint64") { _ in .number(Int.max) },
    .init(path: "double", value: fraction), .init(path: "float", value: fraction),
    .init(path: "bool") { .bool($0.chance(50)) }, .init(path: "date", value: date),
    .init(path: "uuid") { uuid(Int.random(in: 0..<3, using: &$0)) }, .init(path: "url", value: url),
    .init(path: "decimal", value: fraction), .init(path: "data", value: data),
    .init(path: "grade", value: grade),
    .init(path: "mood", value: mood), .init(path: "words", value: words),
    .init(path: "numbers") { [number(&$0)] },
    .init(path: "json", isPlain: true, value: anything),
    .init(path: "stamp") { _ in "Sat Mar 01 10:00:00 +0000 2025" },
    .init(path: "place") { place(&$0, 2) }, .init(path: "places") { [place(&$0, 1), place(&$0, 0)] },
    .init(path: "counts") { $0.pick([[:], ["a": 1, "b": 2], ["b": 2, "é": 0]]) },
    .init(path: "spots") { $0.pick([[:], ["x": ["lat": 1], "y": ["lat": 0.5, "lng": 2]]]) },
    .init(path: "grid") { $0.pick([[], [[1, 0.5], []]]) },
    .init(path: "part") { part(&$0, 2) }, .init(path: "parts") { [part(&$0, 1), part(&$0, 0)] },
    .init(path: "subject") { $0.chance(20) ? .null : subject(&$0) },
    .init(path: "subjects") { random in .array((0..<3).map { _ in subject(&random) }) },
  ]

  private static let requiredScalars: [Scalar] = [
    .text("text", isRequired: true), .init(path: "int32", isRequired: true, value: number),
    .init(path: "double", isRequired: true, value: fraction),
    .init(path: "bool", isRequired: true) { .bool($0.chance(50)) },
    .init(path: "date", isRequired: true, value: date),
    .init(path: "uuid", isRequired: true) { uuid(Int.random(in: 0..<3, using: &$0)) },
    .init(path: "url", isRequired: true, value: url),
    .init(path: "decimal", isRequired: true, value: fraction),
    .init(path: "data", isRequired: true, value: data), .init(path: "mood", isRequired: true, value: mood),
    .init(path: "words", isRequired: true, value: words),
    .init(path: "json", isRequired: true, value: anything),
    .init(path: "grade", value: grade), .init(path: "ratio", value: fraction), .text("note"),
  ]

  private static let badgeScalars: [Scalar] = [
    Scalar(path: "caption", isOneOrMany: true) { $0.pick([.null, "", "a", "é"]) },
    .init(path: "words", isOneOrMany: true, value: words),
    .init(path: "look") { ["main.color": $0.pick([.null, "red", "none"])] },
    .init(path: "traits", value: traits),
    .init(path: "trim", isMerged: true) { $0.chance(15) ? .null : trim(&$0) },
    .init(path: "sums", isMerged: true) { $0.pick([[:], ["a": 1, "b": 2], ["b": 3, "é": 0]]) },
    // Only this device has it.
    .init(path: "is_pinned") { _ in true },
    // Nothing of this marks a row as deleted.
    .init(path: "gone", isPlain: true) { $0.pick([.null, false, 0, "", "no", []]) },
  ]
}

// MARK: - Values

extension Shape.Scalar {
  /// The scalar, which is null at times.
  var orNull: Shape.Scalar {
    let value = value
    return Shape.Scalar(
      path: path, isRequired: isRequired, isOneOrMany: isOneOrMany, isMerged: isMerged, isPlain: isPlain
    ) { $0.chance(10) ? .null : value(&$0) }
  }

  static func text(_ path: String, isRequired: Bool = false) -> Shape.Scalar {
    Shape.Scalar(path: path, isRequired: isRequired) { .string($0.pick(["", "a", "b", "é😀", "it's"])) }
  }
}

/// A value with others in it, so many levels deep.
private func place(_ random: inout SeededGenerator, _ depth: Int) -> SyncJSON {
  var object: SyncJSONObject = SyncJSONObject([("street", random.pick(["", "a", "b", "é"]))])
  if random.chance(50) { object["zip"] = ["code": random.pick(["1", "2"])] }
  if random.chance(50) { object["mood"] = mood(&random) }
  if random.chance(30) { object["on"] = date(&random) }
  if random.chance(30) { object["spot"] = ["lat": fraction(&random), "lng": .null] }
  if random.chance(30) { object["marks"] = ["m": number(&random)] }
  guard depth > 0 else { return .object(object) }
  if random.chance(30) { object["near"] = [place(&random, depth - 1)] }
  if random.chance(30) { object["home"] = place(&random, depth - 1) }
  return .object(object)
}

/// A value of a union, so many levels deep.
private func part(_ random: inout SeededGenerator, _ depth: Int) -> SyncJSON {
  switch random.pick([0, 1, 2]) {
  case 0: return ["kind": "spot", "lat": fraction(&random), "lng": 1]
  case 1: return ["kind": "odd", "lat": number(&random)]
  default: break
  }
  var object = SyncJSONObject([("title", random.pick(["", "é"]))])
  if depth > 0 { object["parts"] = [part(&random, depth - 1)] }
  if depth > 0, random.chance(50) { object["inner"] = part(&random, depth - 1) }
  object["kind"] = "f"
  return .object(object)
}

/// A list of pairs, which is complete.
private func traits(_ random: inout SeededGenerator) -> SyncJSON {
  var pairs: [SyncJSON] = [["name": "other", "value": 1]]
  if random.chance(70) { pairs.append(["name": "size", "value": random.pick([.null, 1, 2])]) }
  if random.chance(70) { pairs.append(["name": "spot", "value": ["lat": fraction(&random)]]) }
  return .array(pairs)
}

private func trim(_ random: inout SeededGenerator) -> SyncJSON {
  ["width": random.pick([.null, 1, 2]), "edges": words(&random), "inner": ["lat": fraction(&random)]]
}

/// What names a row of a union.
private func subject(_ random: inout SeededGenerator) -> SyncJSON {
  ["type": random.pick(["office", "plank", "plank", "office", "odd"]), "id": number(&random)]
}

private func number(_ random: inout SeededGenerator) -> SyncJSON {
  .number(Int.random(in: 0...3, using: &random))
}
private func fraction(_ random: inout SeededGenerator) -> SyncJSON { random.pick([0, 0.5, 1.25, 1e10]) }
private func grade(_ random: inout SeededGenerator) -> SyncJSON { random.pick([1, 2, 10, 77]) }
private func mood(_ random: inout SeededGenerator) -> SyncJSON { random.pick(["calm", "very_wild", "odd"]) }
private func url(_ random: inout SeededGenerator) -> SyncJSON { random.pick(["https://x.org/a?b=c", "a/b"]) }
private func data(_ random: inout SeededGenerator) -> SyncJSON { random.pick(["", "AAEC", "/+8="]) }
private func words(_ random: inout SeededGenerator) -> SyncJSON { random.pick([[], ["a"], ["b", "é"]]) }
private func anything(_ random: inout SeededGenerator) -> SyncJSON {
  random.pick([1, ["a": [1.5, false]], "x", []])
}
/// Days, so that export writes them as they are.
private func date(_ random: inout SeededGenerator) -> SyncJSON {
  .string("2020-01-0\(Int.random(in: 1...6, using: &random))T00:00:00.000Z")
}
@Sendable private func uuid(_ number: Int) -> SyncJSON {
  .string("C3E7A1B2-1001-4000-8000-00000000000\(number)")
}

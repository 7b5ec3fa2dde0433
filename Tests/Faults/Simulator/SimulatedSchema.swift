import TestSupport

/// A random schema: models with properties, and relationships between them.
///
/// Random changes turn it into the next version. It then contains the names of the previous version, so that a store can be
/// migrated.
struct SimulatedSchema: Sendable {
  struct Name: Sendable {
    var now: String
    /// The name in the previous version.
    var former: String?
  }

  enum Identity: String, CaseIterable, Sendable {
    case int = "Int"
    case text = "String"
    case uuid = "UUID"
  }

  enum ValueType: String, CaseIterable, Sendable {
    case int = "Int"
    case small = "Int8"
    case double = "Double"
    case text = "String"
    case bool = "Bool"
    case date = "Date"
    case uuid = "UUID"
    case mood = "Mood"
    case words = "[String]"
    case json = "JSON"
    case place = "Place"

    /// The default value in schema syntax; nil if a schema cannot state one.
    var defaultText: String? {
      switch self {
      case .int, .small: "1"
      case .double: "1.5"
      case .text: "\"d\""
      case .bool: "false"
      case .mood: ".calm"
      case .words: "[]"
      case .date, .uuid, .json, .place: nil
      }
    }
  }

  struct Property: Sendable {
    var name: Name
    var type: ValueType
    var isOptional: Bool
    var hasDefault: Bool
    var isIndexed = false
    /// Whether payloads contain it inside an object: `data.<name>`.
    var isNested = false
  }

  struct Model: Sendable {
    var name: Name
    var identity: Identity
    /// Whether the identity is a property `key` that payloads name `uid`, instead of `id`.
    var hasRemoteIdentity: Bool
    var properties: [Property] = []
    /// Whether only newer rows are applied: `@UpdatedAt(\.updatedAt)`.
    var hasStamp: Bool
    /// Whether missing rows are soft-deleted: `@SoftDelete(\.deletedAt)`.
    var hasMark: Bool
    /// Whether an object can mark its row as deleted: `@Deleted("gone")`.
    var isDeletable: Bool

    var identityName: String { hasRemoteIdentity ? "key" : "id" }
    var identityKey: String { hasRemoteIdentity ? "uid" : "id" }
  }

  struct Relation: Sendable {
    enum Kind: CaseIterable, Sendable {
      /// A to-one, and the list as its inverse.
      case toOne, requiredToOne
      case oneToOne, manyToMany
      /// A to-one or a list without an inverse.
      case lone, loneList
    }

    struct End: Sendable {
      /// The number of the model.
      var model: Int
      var name: Name
    }

    var kind: Kind
    var near: End
    var far: End
    /// Whether a list without a to-one as inverse keeps its order.
    var isOrdered: Bool
    /// The rule for the rows at the near end when a row at the far end is deleted; nil for the default.
    var deleteRule: String?
    /// The rule for rows that a list at the far end no longer contains; nil for the default.
    var missingRule: String?
  }

  /// An end of a relationship, from the perspective of its model.
  struct Member: Sendable {
    let name: String
    /// The number of the model at the other end.
    let other: Int
    let isToMany: Bool
    let isRequired: Bool
    /// Whether the model's own table has a column for it.
    let isColumn: Bool
    /// Whether the other end is a list, so that the rows of one parent can be synced.
    let hasList: Bool
  }

  /// The models by number. A model keeps its number as long as it exists.
  var models: [Int: Model] = [:]
  var relations: [Relation] = []
  private var names = 0
  var random: SeededGenerator

  /// The name of a model that payloads do not contain. Its only row is written after each step.
  static let beat = "Beat"

  init(_ random: SeededGenerator) {
    self.random = random
    for number in 0..<Int.random(in: 2...4, using: &self.random) { models[number] = makeModel() }
    for number in numbers {
      for _ in 0..<Int.random(in: 1...4, using: &self.random) { addProperty(to: number, mayBeRequired: true) }
    }
    for _ in 0..<Int.random(in: 2...5, using: &self.random) { addRelation() }
  }

  var numbers: [Int] { models.keys.sorted() }

  func number(of name: String) -> Int? { numbers.first { models[$0]?.name.now == name } }

  /// A name that no version has used. The first letter is random, because some decisions depend on the order of names.
  mutating func freshName(_ prefix: String) -> String {
    names += 1
    return prefix + random.pick(["a", "c", "k", "m", "t", "z"]) + "\(names)"
  }

  mutating func makeModel() -> Model {
    Model(
      name: Name(now: freshName("M")), identity: random.pick(Identity.allCases),
      hasRemoteIdentity: random.chance(25), hasStamp: random.chance(25), hasMark: random.chance(25),
      isDeletable: random.chance(20))
  }

  /// - Parameter mayBeRequired: whether the property may be required, because there are no rows without a value yet.
  mutating func addProperty(to number: Int, mayBeRequired: Bool) {
    let type = random.pick(ValueType.allCases)
    let hasDefault = type.defaultText != nil && random.chance(40)
    let property = Property(
      name: Name(now: freshName("p")), type: type,
      isOptional: !(hasDefault || mayBeRequired) || random.chance(60), hasDefault: hasDefault,
      isIndexed: type != .words && type != .json && type != .place && random.chance(25),
      isNested: random.chance(20))
    models[number]?.properties.append(property)
  }

  mutating func addRelation() {
    guard !models.isEmpty else { return }
    let (near, far) = (random.pick(numbers), random.pick(numbers))
    var relation = Relation(
      kind: random.pick(Relation.Kind.allCases), near: .init(model: near, name: Name(now: freshName("r"))),
      far: .init(model: far, name: Name(now: freshName("r"))), isOrdered: random.chance(30),
      deleteRule: random.chance(30) ? random.pick(["cascade", "deny"]) : nil,
      missingRule: random.chance(20) ? random.pick(["delete", "keep", "softDelete"]) : nil)
    if !isPossible(relation) { relation.kind = .toOne }
    relations.append(relation)
  }

  /// Rows that require each other could never be inserted, so a model requires only models with lower numbers.
  func isPossible(_ relation: Relation) -> Bool {
    relation.kind != .requiredToOne || relation.far.model < relation.near.model
  }

  /// The relationships of a model.
  func members(of number: Int) -> [Member] {
    relations.flatMap { relation -> [Member] in
      let isStoredNear = !isStoredAtFarEnd(relation)
      let kind = relation.kind
      var members: [Member] = []
      if relation.near.model == number {
        members.append(
          Member(
            name: relation.near.name.now, other: relation.far.model,
            isToMany: kind == .manyToMany || kind == .loneList, isRequired: kind == .requiredToOne,
            isColumn: kind != .manyToMany && kind != .loneList && isStoredNear,
            hasList: kind == .toOne || kind == .requiredToOne))
      }
      if relation.far.model == number, kind != .lone, kind != .loneList {
        members.append(
          Member(
            name: relation.far.name.now, other: relation.near.model, isToMany: kind != .oneToOne,
            isRequired: false, isColumn: kind == .oneToOne && !isStoredNear, hasList: false))
      }
      return members
    }
  }

  /// A one-to-one is stored at the end whose name sorts first.
  private func isStoredAtFarEnd(_ relation: Relation) -> Bool {
    func name(_ end: Relation.End) -> String { "\(models[end.model]?.name.now ?? "").\(end.name.now)" }
    return relation.kind == .oneToOne && name(relation.far) < name(relation.near)
  }
}

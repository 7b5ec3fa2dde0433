import TestSupport

/// Models with rows, written as a schema and changed at random: what a store of them must hold is known.
struct RandomWorld {
  enum Value: Hashable {
    case null
    case number(Int)
    case text(String)
  }

  struct Name {
    var now: String
    var former: String?
  }

  struct Property {
    var name: Name
    var type: String
    var isOptional: Bool
    var isIndexed: Bool
    var values: [Int: Value]
  }

  struct Model {
    var name: Name
    var identity: Name
    var identityType: String
    var properties: [Property]
    var rows: [Int]
  }

  /// A relationship between two models; both ends have a property.
  struct Relation {
    enum Kind { case toOne, requiredToOne, oneToOne, many }
    struct End {
      var model: Int
      var name: Name
      /// What rows wait for.
      var waiting: [Int: Int] = [:]
      /// Whether it was a list in the version before.
      var wasMany = false
    }
    var kind: Kind
    var near: End
    var far: End
    var pairs: Set<[Int]>
  }

  var models: [Int: Model] = [:]
  var relations: [Relation] = []
  private var names = 0
  private var swapped: Set<String> = []
  private var generator: SeededGenerator

  static let types = ["Int8", "Int16", "Int", "Double", "String"]

  init(seed: Int) {
    generator = SeededGenerator(seed: seed)
    for number in 0..<3 { models[number] = model() }
    for number in models.keys.sorted() {
      models[number]?.rows = Array(1...3)
      for _ in 0..<2 { addProperty(to: number, isFilled: true) }
    }
    for _ in 0..<3 { addRelation() }
    for index in relations.indices { relations[index] = filled(relations[index]) }
  }

  private mutating func freshName(_ prefix: String) -> String {
    names += 1
    // In any order of the alphabet.
    return prefix + String(UnicodeScalar(97 + generator.pick(0..<26)) ?? "a") + "\(names)"
  }

  private mutating func model() -> Model {
    Model(
      name: Name(now: freshName("M")), identity: Name(now: "id"),
      identityType: generator.pick(["Int", "String"]),
      properties: [], rows: [])
  }

  private mutating func addProperty(to model: Int, isFilled: Bool) {
    let name = freshName("p")
    let type = generator.pick(RandomWorld.types)
    let isOptional = !isFilled || generator.chance(50)
    var values: [Int: Value] = [:]
    for row in models[model]?.rows ?? [] {
      values[row] = isFilled ? value(of: type, isOptional: isOptional) : .null
    }
    models[model]?.properties.append(
      Property(
        name: Name(now: name), type: type, isOptional: isOptional, isIndexed: generator.chance(30),
        values: values))
  }

  private mutating func value(of type: String, isOptional: Bool) -> Value {
    if isOptional, generator.chance(30) { return .null }
    switch type {
    case "Int8": return .number(generator.pick(-100...100))
    case "String" where generator.chance(50): return .text("x'\(generator.pick(0...9))")
    default: return .number(generator.pick(-1000...1000))
    }
  }

  private mutating func addRelation() {
    let numbers = models.keys.sorted()
    guard !numbers.isEmpty else { return }
    let (near, far) = (generator.pick(numbers), generator.pick(numbers))
    relations.append(
      Relation(
        kind: generator.pick([.toOne, .oneToOne, .many]),
        near: .init(model: near, name: Name(now: freshName("r"))),
        far: .init(model: far, name: Name(now: freshName("r"))), pairs: []))
  }

  private mutating func filled(_ relation: Relation) -> Relation {
    var relation = relation
    let (near, far) = (models[relation.near.model]?.rows ?? [], models[relation.far.model]?.rows ?? [])
    for row in near {
      guard generator.chance(60) else {
        if generator.chance(40) { relation.near.waiting[row] = 100 + row }
        continue
      }
      switch relation.kind {
      case .toOne, .requiredToOne: relation.pairs.insert([row, generator.pick(far)])
      case .oneToOne: relation.pairs.insert([row, row])
      case .many: for other in far where generator.chance(50) { relation.pairs.insert([row, other]) }
      }
    }
    for row in far where generator.chance(10) { relation.far.waiting[row] = 200 + row }
    return relation
  }

  // MARK: Changes

  /// Forgets the names of the version before.
  mutating func beginVersion() {
    for number in models.keys {
      models[number]?.name.former = nil
      models[number]?.identity.former = nil
      for index in models[number]?.properties.indices ?? 0..<0 {
        models[number]?.properties[index].name.former = nil
      }
    }
    for index in relations.indices {
      relations[index].near.name.former = nil
      relations[index].far.name.former = nil
      relations[index].near.wasMany = relations[index].kind == .many
      relations[index].far.wasMany = relations[index].kind != .oneToOne
    }
  }

  /// Forgets what rows wait for where a list has become a column, and they have a row.
  mutating func endVersion() {
    for index in relations.indices {
      let relation = relations[index]
      let isFarStored = isStoredAtFarEnd(relation)
      if relation.kind != .many, relation.near.wasMany, !isFarStored {
        for pair in relation.pairs { relations[index].near.waiting[pair[0]] = nil }
      }
      if relation.kind == .oneToOne, relation.far.wasMany, isFarStored {
        for pair in relation.pairs { relations[index].far.waiting[pair[1]] = nil }
      }
    }
  }

  func name(_ end: Relation.End) -> String { "\(models[end.model]?.name.now ?? "").\(end.name.now)" }

  /// A one-to-one is stored at the end whose name comes first.
  func isStoredAtFarEnd(_ relation: Relation) -> Bool {
    relation.kind == .oneToOne && name(relation.far) < name(relation.near)
  }

  private mutating func rename(_ name: inout Name, _ prefix: String) {
    if name.former == nil { name.former = name.now }
    name.now = freshName(prefix)
  }

  /// Changes something; false where the rows do not allow it.
  mutating func change() -> Bool {
    let numbers = models.keys.sorted()
    guard let number = numbers.isEmpty ? nil : generator.pick(numbers), var model = models[number] else {
      return true
    }
    defer { if models[number] != nil, number >= 0 { models[number] = model } }
    switch generator.pick(0..<14) {
    case 0:
      let new = (models.keys.max() ?? 0) + 1
      models[new] = self.model()
      return true
    case 1 where models.count > 2:
      models[number] = nil
      relations.removeAll { $0.near.model == number || $0.far.model == number }
      return true
    case 2:
      rename(&model.name, "M")
      return true
    case 3:
      rename(&model.identity, "i")
      return true
    case 4:
      model.identityType = model.identityType == "Int" ? "String" : "Int"
      return true
    case 5:
      models[number] = model
      addProperty(to: number, isFilled: false)
      model = models[number] ?? model
      return true
    case 6 where !model.properties.isEmpty:
      model.properties.remove(at: generator.pick(model.properties.indices))
      return true
    case 7 where !model.properties.isEmpty:
      let index = generator.pick(model.properties.indices)
      rename(&model.properties[index].name, "p")
      return true
    case 8 where model.properties.count > 1:
      return swapNames(&model)
    case 9 where !model.properties.isEmpty:
      let index = generator.pick(model.properties.indices)
      model.properties[index].isOptional.toggle()
      return model.properties[index].fits
    case 10 where !model.properties.isEmpty:
      let index = generator.pick(model.properties.indices)
      model.properties[index].type = generator.pick(RandomWorld.types)
      return model.properties[index].fits
    case 11:
      addRelation()
      return true
    case 12 where !model.properties.isEmpty:
      model.properties[generator.pick(model.properties.indices)].isIndexed.toggle()
      return true
    default:
      guard !relations.isEmpty else { return true }
      return changeRelation(at: generator.pick(relations.indices))
    }
  }

  private mutating func swapNames(_ model: inout Model) -> Bool {
    let (first, second) = (0, model.properties.count - 1)
    guard model.properties[first].name.former == nil, model.properties[second].name.former == nil else {
      return true
    }
    let (one, other) = (model.properties[first].name.now, model.properties[second].name.now)
    // An earlier name counts once: two names cannot be told to change hands again.
    guard swapped.isDisjoint(with: [one, other]) else { return true }
    swapped.formUnion([one, other])
    model.properties[first].name = Name(now: other, former: one)
    model.properties[second].name = Name(now: one, former: other)
    return true
  }

  private mutating func changeRelation(at index: Int) -> Bool {
    var relation = relations[index]
    switch generator.pick(0..<6) {
    case 0:
      relations.remove(at: index)
      return true
    case 1:
      rename(&relation.near.name, "r")
      return true
    case 2:
      rename(&relation.far.name, "r")
      return true
    case 3:
      relation = Relation(
        kind: relation.kind, near: relation.far, far: relation.near,
        pairs: Set(relation.pairs.map { [$0[1], $0[0]] }))
    default: relation.kind = generator.pick([.toOne, .requiredToOne, .oneToOne, .many])
    }
    relations[index] = relation
    return relation.fits(models[relation.near.model]?.rows ?? [])
  }
}

extension RandomWorld.Property {
  var fits: Bool {
    values.values.allSatisfy { value in
      switch (value, type) {
      case (.null, _): isOptional
      case (.number(let number), "Int8"): Int8(exactly: number) != nil
      case (.text, _): type == "String"
      default: true
      }
    }
  }
}

extension RandomWorld.Relation {
  func fits(_ rows: [Int]) -> Bool {
    func isSingle(_ end: Int) -> Bool { Set(pairs.map { $0[end] }).count == pairs.count }
    return switch kind {
    case .many: true
    case .toOne: isSingle(0)
    case .oneToOne: isSingle(0) && isSingle(1)
    case .requiredToOne: isSingle(0) && pairs.count == rows.count
    }
  }
}

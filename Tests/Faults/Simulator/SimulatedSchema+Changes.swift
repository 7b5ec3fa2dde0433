import TestSupport

extension SimulatedSchema {
  /// The schema of the next version of the app. Rows in stores may not fit it.
  func evolved(using random: SeededGenerator) -> SimulatedSchema {
    var schema = self
    schema.random = random
    schema.forgetFormerNames()
    for _ in 0..<Int.random(in: 1...3, using: &schema.random) { schema.change() }
    return schema
  }

  private mutating func forgetFormerNames() {
    for number in numbers {
      models[number]?.name.former = nil
      for index in models[number]?.properties.indices ?? 0..<0 {
        models[number]?.properties[index].name.former = nil
      }
    }
    for index in relations.indices {
      relations[index].near.name.former = nil
      relations[index].far.name.former = nil
    }
  }

  private mutating func change() {
    let number = random.pick(numbers)
    switch Int.random(in: 0..<14, using: &random) {
    case 0 where models.count < 5:
      let new = (numbers.last ?? 0) + 1
      models[new] = makeModel()
      addProperty(to: new, mayBeRequired: true)
      addRelation()
    case 1 where models.count > 2:
      models[number] = nil
      relations.removeAll { $0.near.model == number || $0.far.model == number }
    case 2:
      guard let name = models[number]?.name else { return }
      let new = renamed(name, "M")
      models[number]?.name = new
    case 3 where random.chance(50):
      let identity = random.pick(Identity.allCases)
      models[number]?.identity = identity
    case 4: models[number]?.hasStamp.toggle()
    case 5: models[number]?.hasMark.toggle()
    case 6: models[number]?.isDeletable.toggle()
    case 7, 8: changeProperty(of: number)
    case 9: addRelation()
    case 10, 11: changeRelation()
    default: addProperty(to: number, mayBeRequired: false)
    }
  }

  private mutating func renamed(_ name: Name, _ prefix: String) -> Name {
    Name(now: freshName(prefix), former: name.former ?? name.now)
  }

  private mutating func changeProperty(of number: Int) {
    guard var properties = models[number]?.properties, !properties.isEmpty else { return }
    let index = random.pick(properties.indices)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: properties.remove(at: index)
    case 1: properties[index].name = renamed(properties[index].name, "p")
    case 2: properties[index].isOptional.toggle()
    case 3:
      properties[index].type = random.pick([ValueType.int, .small, .double, .text])
      properties[index].hasDefault = random.chance(30)
    case 4: properties[index].isNested.toggle()
    default:
      let type = properties[index].type
      if type != .words, type != .json, type != .place { properties[index].isIndexed.toggle() }
    }
    models[number]?.properties = properties
  }

  private mutating func changeRelation() {
    guard !relations.isEmpty else { return }
    let index = random.pick(relations.indices)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: relations.remove(at: index)
    case 1:
      let name = renamed(relations[index].near.name, "r")
      relations[index].near.name = name
    case 2:
      let name = renamed(relations[index].far.name, "r")
      relations[index].far.name = name
    case 3:
      relations[index].deleteRule = random.pick([nil, "cascade", "deny"])
      relations[index].isOrdered.toggle()
    default:
      var relation = relations[index]
      relation.kind = random.pick(Relation.Kind.allCases)
      if isPossible(relation) { relations[index] = relation }
    }
  }
}

/// What a relationship is that stands for one of a union: one case of it.
struct UnionPlace: Sendable {
  /// The property of the schema.
  let property: String
  let cases: SyncUnionCases<any SyncUpdatableModel.Type>
  /// The case.
  let index: Int

  /// Whether it is the one that tells of all others.
  var isFirst: Bool { index == 0 }

  /// The name of the property that holds the type of a to-one.
  var typeName: String { property + "Type" }
}

extension SyncProperty {
  /// The same relationship, which is one case of a union.
  public func oneOf<Union: SyncUnion>(
    _ name: String, of union: Union.Type, in property: String
  ) -> SyncProperty {
    let cases = Union.syncCases
    let index = cases.cases.firstIndex { $0.name == name }
    return index.map { inUnion(UnionPlace(property: property, cases: cases, index: $0)) } ?? self
  }
}

extension [SyncProperty] {
  /// What tells for each relationship of a union which objects are its own.
  var unionGates: [Int: UnionGate] {
    var gates: [Int: UnionGate] = [:]
    for (position, property) in enumerated() {
      guard let union = property.union else { continue }
      gates[position] = UnionGate(
        union: union, typePosition: firstIndex { $0.name == union.typeName }, isMany: property.isToMany)
    }
    return gates
  }
}

/// Tells which objects of a property of a union are those of one case.
struct UnionGate: Sendable {
  let union: UnionPlace
  /// The property whose keys tell the type beside a row.
  let typePosition: Int?
  let isMany: Bool

  /// What is read in place of a row whose type is known.
  func lookup(_ row: SyncValue, _ match: UnionMatch) -> SyncValue.Lookup {
    switch match {
    case .known(let index): index == union.index ? .found(row) : .null
    // One of all tells of it.
    case .unrecognized: union.isFirst ? .unreadable : .null
    case .untold: .unreadable
    }
  }
}

extension SyncTable {
  /// The first case of the union whose type a property holds; nil for any other property.
  func union(ofType position: Int) -> UnionPlace? {
    guard !unionGates.isEmpty else { return nil }
    return unionGates.values.first { $0.typePosition == position && $0.union.isFirst }?.union
  }
}

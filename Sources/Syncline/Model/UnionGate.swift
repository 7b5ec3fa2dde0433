/// What a relationship is that stands for one of a union: one case of it.
struct UnionPlace: Sendable {
  /// The property of the schema.
  let property: String
  let cases: SyncUnionCases<any SyncUpdatableModel.Type>
  /// The case.
  let index: Int

  /// Whether it is the one that tells of all others.
  var isFirst: Bool { index == 0 }

  /// The name of the property that holds the type of a to-one where the schema does not know it.
  var unrecognizedName: String { property + "Unrecognized" }
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

/// Tells which objects of a property of a union are those of one case.
struct UnionGate: Sendable {
  let union: UnionPlace
  /// The property that holds the type of a to-one where the schema does not know it; its keys tell the type beside a row.
  let typePosition: Int?
  /// The columns of the other cases, and of the type: of a row that the case leads to, they are null.
  let otherColumns: [Int]
  let isMany: Bool

  /// The gates of the relationships that are cases of unions, by position.
  static func all(of properties: [SyncProperty]) -> [Int: UnionGate] {
    var gates: [Int: UnionGate] = [:]
    for (position, property) in properties.enumerated() {
      guard let union = property.union else { continue }
      let type =
        property.isToMany ? nil : properties.firstIndex { $0.name == union.unrecognizedName }
      let others = properties.indices.filter { other in
        other != position && properties[other].isStored && properties[other].union?.property == union.property
      }
      gates[position] = UnionGate(
        union: union, typePosition: type, otherColumns: others + [type].compactMap { $0 },
        isMany: property.isToMany)
    }
    return gates
  }
}

/// The property that holds the type of a to-one of a union.
struct UnionType: Sendable {
  let union: UnionPlace
  /// The keys of the rows, of which null means that there is none.
  let rowKeys: Set<String>

  /// The properties that hold types, by position.
  static func all(of properties: [SyncProperty], _ gates: [Int: UnionGate]) -> [Int: UnionType] {
    var types: [Int: UnionType] = [:]
    for (position, gate) in gates where gate.union.isFirst {
      guard let type = gate.typePosition else { continue }
      let property = properties[position]
      types[type] = UnionType(union: gate.union, rowKeys: Set(property.snakeKeys + property.camelKeys))
    }
    return types
  }
}

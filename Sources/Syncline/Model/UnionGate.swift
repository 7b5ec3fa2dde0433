/// The case of a union that a relationship holds.
struct UnionPlace: Sendable {
  let property: String
  let cases: SyncUnionCases<any SyncUpdatableModel.Type>
  let index: Int

  /// Whether this case reports the problems of the union.
  var isFirst: Bool { index == 0 }

  /// The name of the property that holds a to-one relationship's type if the schema does not know it.
  var unrecognizedName: String { property + "Unrecognized" }
}

@_spi(Generated)
extension SyncProperty {
  /// The same relationship, as one case of a union.
  public func oneOf<Union: SyncUnion>(
    _ name: String, of union: Union.Type, in property: String
  ) -> SyncProperty {
    let cases = Union.syncCases
    let index = cases.cases.firstIndex { $0.name == name }
    return index.map { inUnion(UnionPlace(property: property, cases: cases, index: $0)) } ?? self
  }
}

/// Selects the objects of one case of a union's property.
struct UnionGate: Sendable {
  let union: UnionPlace
  /// The property that holds a to-one relationship's type if the schema does not know it. Its keys hold the type of a row.
  let typePosition: Int?
  /// The columns of the other cases and of the type. They are null if this case has a row.
  let otherColumns: [Int]
  /// The relationships of all cases, in the order of the cases.
  let positions: [Int]
  let isMany: Bool
  /// The keys of a row. A null at one of them means that there is no row.
  let rowKeys: Set<String>

  /// The gates of the relationships that are cases of unions, by position.
  static func all(of properties: [SyncProperty]) -> [Int: UnionGate] {
    var gates: [Int: UnionGate] = [:]
    for (position, property) in properties.enumerated() {
      guard let union = property.union else { continue }
      let type =
        property.isToMany ? nil : properties.firstIndex { $0.name == union.unrecognizedName }
      let all = properties.indices.filter { properties[$0].union?.property == union.property }
        .sorted { properties[$0].union?.index ?? 0 < properties[$1].union?.index ?? 0 }
      let others = all.filter { $0 != position && properties[$0].isStored }.sorted()
      let first = properties[all.first ?? position]
      gates[position] = UnionGate(
        union: union, typePosition: type, otherColumns: others + [type].compactMap { $0 }, positions: all,
        isMany: property.isToMany, rowKeys: Set(KeyStyle.allCases.flatMap(first.keys(in:))))
    }
    return gates
  }
}

extension SyncTable {
  /// A property; for a case of a union, also the other cases and the type, as they are written as one value.
  func withOtherCases(_ position: Int) -> [Int] {
    guard let gate = unionGates[position] ?? unionTypes[position] else { return [position] }
    return gate.positions + [gate.typePosition].compactMap(\.self)
  }
}

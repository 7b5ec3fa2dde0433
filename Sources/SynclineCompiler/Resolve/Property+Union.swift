/// The properties that stand for one of a union of models.
extension Property {
  /// The relationship to the rows of a case.
  func part(for entry: Union.Case, of union: Union, isMany: Bool) -> Property {
    var part = self
    part.name = UnionPart.name(of: name, entry.name)
    part.type = isMany ? .toMany(entry.type) : .toOne(entry.type)
    part.unionPart = UnionPart(property: name, union: union.name, caseName: entry.name)
    part.renamedFrom = renamedFrom.map {
      Located(value: UnionPart.name(of: $0.value, entry.name), range: $0.range)
    }
    // A model that is named is that of one case alone.
    if case .property(let root?, _)? = relationshipClause?.inverse?.value, root.value != entry.type,
      union.cases.contains(where: { $0.type == root.value })
    {
      part.relationshipClause?.inverse = nil
    }
    return part
  }

  /// What holds the type of the row that a to-one leads to.
  func typePart(of union: Union) -> Property {
    var part = self
    part.name = UnionPart.typeName(of: name)
    part.documentation = ["The type of `\(name)`, as the server calls it."]
    part.type = .value(.scalar(.string))
    part.unionPart = UnionPart(property: name, union: union.name, caseName: nil)
    part.renamedFrom = renamedFrom.map { Located(value: UnionPart.typeName(of: $0.value), range: $0.range) }
    part.relationshipClause = nil
    part.places = [:]
    part.export = .never
    part.typeKeys = typeKeys(of: union)
    return part
  }

  /// The keys of a type: beside the key of a row, and in its object.
  private func typeKeys(of union: Union) -> [Located<String>] {
    let keys = explicitKeys.isEmpty ? [Located(value: name, range: range)] : explicitKeys
    return keys.flatMap { key -> [Located<String>] in
      let stem = ["_id", "Id", "ID"].first { key.value.hasSuffix($0) }.map { key.value.dropLast($0.count) }
      let beside =
        "\(stem ?? key.value[...])\(key.value.hasSuffix("Id") || key.value.hasSuffix("ID") ? "Type" : "_type")"
      return [Located(value: beside, range: key.range)]
        + (stem == nil ? [Located(value: "\(key.value).\(union.key.value)", range: key.range)] : [])
    }
  }
}

/// The properties that stand for one of a union of models.
extension Property {
  /// The relationship to the rows of a case.
  func part(for entry: Union.Case, of union: Union, isMany: Bool) -> Property {
    let part = copy()
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

  /// What holds the type of the row that a to-one leads to, where the schema does not know it.
  func unrecognizedPart(of union: Union) -> Property {
    let part = copy()
    part.name = UnionPart.unrecognizedName(of: name)
    part.documentation = ["The type of `\(name)`, where it is one that the schema does not know."]
    part.type = .value(.scalar(.string))
    part.unionPart = UnionPart(property: name, union: union.name, caseName: nil)
    part.renamedFrom = renamedFrom.map {
      Located(value: UnionPart.unrecognizedName(of: $0.value), range: $0.range)
    }
    part.relationshipClause = nil
    part.places = [:]
    part.export = .never
    part.typeKeys = typeKeys(of: union)
    return part
  }

  /// The keys of a type: beside the key of a row, and in its object; then those of the row, of which null says that there is none.
  private func typeKeys(of union: Union) -> [Located<String>] {
    let keys = explicitKeys.isEmpty ? [Located(value: name, range: range)] : explicitKeys
    let types = keys.flatMap { key -> [String] in
      let stem = ["_id", "Id", "ID"].first { key.value.hasSuffix($0) }.map { key.value.dropLast($0.count) }
      let isCamel = key.value.hasSuffix("Id") || key.value.hasSuffix("ID")
      var types = ["\(stem ?? key.value[...])\(isCamel ? "Type" : "_type")"]
      if stem == nil { types.append("\(key.value).\(union.key.value)") }
      // `subject.id` stands in the row's object.
      if let dot = key.value.lastIndex(of: ".") { types.append("\(key.value[..<dot]).\(union.key.value)") }
      return types
    }
    let rows = explicitKeys.isEmpty ? ["\(name)_id", name] : keys.map(\.value)
    return (types + rows).map { Located(value: $0, range: range) }
  }
}

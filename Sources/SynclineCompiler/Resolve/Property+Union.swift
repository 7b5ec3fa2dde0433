import SynclineNaming

/// The properties that represent a property whose type is a union of models.
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
    // An inverse with a model name applies only to the case of that model.
    if let clause = relationshipClause, case .property(let root?, _)? = clause.inverse?.value,
      root.value != entry.type, union.cases.contains(where: { $0.type == root.value })
    {
      part.relationshipClause = clause.withoutInverse
    }
    return part
  }

  /// The property that stores the row's type if the schema does not know it.
  func unrecognizedPart(of union: Union) -> Property {
    let part = copy()
    part.name = UnionPart.unrecognizedName(of: name)
    part.documentation = ["The type of `\(name)`, if the schema does not know it."]
    part.type = .value(.scalar(.string))
    part.unionPart = UnionPart(property: name, union: union.name, caseName: nil)
    part.renamedFrom = renamedFrom.map {
      Located(value: UnionPart.unrecognizedName(of: $0.value), range: $0.range)
    }
    part.relationshipClause = nil
    part.places = places.filter { $0.key == .local }
    part.export = .never
    part.typeKeys = typeKeys(of: union)
    return part
  }

  /// The keys of a type: next to the row's key, and in the row's object. The row's own keys follow, because
  /// null there means that there is no row.
  private func typeKeys(of union: Union) -> [Located<String>] {
    let keys = explicitKeys.isEmpty ? [Located(value: name, range: range)] : explicitKeys
    let types = keys.flatMap { key -> [String] in
      // The ending is added inside the quotes.
      let quote = key.value.hasSuffix("\"") ? "\"" : ""
      let text = key.value.dropLast(quote.count)
      let stem = ["_id", "Id", "ID"].first { text.hasSuffix($0) }.map { text.dropLast($0.count) }
      let isCamel = text.hasSuffix("Id") || text.hasSuffix("ID")
      var types = ["\(stem ?? text)\(isCamel ? "Type" : "_type")\(quote)"]
      if stem == nil { types.append("\(key.value).\(union.key.value)") }
      // The type of `subject.id` is in the row's object.
      let object = RemotePath.components(of: key.value).dropLast().joined(separator: ".")
      if !object.isEmpty { types.append("\(object).\(union.key.value)") }
      return types
    }
    let rows = explicitKeys.isEmpty ? ["\(name)_id", name] : keys.map(\.value)
    return (types + rows).map { Located(value: $0, range: range) }
  }
}

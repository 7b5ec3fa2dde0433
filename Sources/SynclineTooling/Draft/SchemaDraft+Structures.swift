extension SchemaDraft {
  /// A key that is equal for structs with the same name and members.
  private struct Signature: Hashable {
    struct Member: Hashable {
      let name: String
      let type: TypeReference
      let key: String?
      let attributes: [String]
    }

    let name: String
    let members: [Member]
  }

  /// Merges structs with the same name and members, which describe objects at several positions.
  ///
  /// - Parameter names: the names of the structs without the prefixes of their owners.
  /// - Returns: whether structs were merged. Structs that contain them may now be equal, too.
  mutating func uniteStructures(_ names: [Int: String]) -> Bool {
    var kept: [Signature: Int] = [:]
    var replacements: [Int: Int] = [:]
    for index in declarations.indices where !declarations[index].isLeftOut {
      guard let name = names[index] else { continue }
      let members = declarations[index].properties.map {
        Signature.Member(name: $0.name, type: $0.type, key: $0.key, attributes: $0.attributes)
      }
      let signature = Signature(name: name, members: members)
      guard let first = kept[signature] else {
        kept[signature] = index
        continue
      }
      replacements[index] = first
      declarations[index].isLeftOut = true
      for place in declarations[index].properties.indices
      where declarations[index].properties[place].isOptional {
        declarations[first].properties[place].isOptional = true
      }
    }
    guard !replacements.isEmpty else { return false }
    for index in declarations.indices {
      for place in declarations[index].properties.indices {
        let type = declarations[index].properties[place].type
        declarations[index].properties[place].type = type.replacing(replacements)
      }
    }
    return true
  }
}

extension SchemaDraft.TypeReference {
  fileprivate func replacing(_ replacements: [Int: Int]) -> Self {
    switch self {
    case .scalar: self
    case .declared(let index): .declared(replacements[index] ?? index)
    case .list(let element): .list(element.replacing(replacements))
    case .map(let element): .map(element.replacing(replacements))
    }
  }
}

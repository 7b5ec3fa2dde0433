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

  /// Merges structs with the same members, which describe objects at several positions. Integers and fractions are the same.
  /// Structs with different names are merged if a common name can be found, and if one of the members occurs in few kinds of
  /// objects, or if both structs are members of one object, such as `_links`.
  ///
  /// - Parameter names: the names of the structs without the prefixes of their owners.
  /// - Returns: whether structs were merged. Structs that contain them may now be equal, too.
  mutating func uniteStructures(_ names: [Int: String]) -> Bool {
    var kept: [Signature: Int] = [:]
    var replacements: [Int: Int] = [:]
    var commonNames = names
    for index in declarations.indices where !declarations[index].isLeftOut {
      guard let name = names[index] else { continue }
      let members = declarations[index].properties.map {
        Signature.Member(name: $0.name, type: $0.type.widened, key: $0.key, attributes: $0.attributes)
      }
      let areDistinctive =
        members.count > 1 && members.contains { !KeyWords.isOfManyKinds($0.key ?? $0.name) }
      let signature = Signature(name: name, members: members)
      let nameless = Signature(name: "", members: members)
      if let first = kept[signature] {
        replace(index, by: first, &replacements)
      } else if let first = kept[nameless], areDistinctive || areSiblings(first, index, names),
        let common = commonName(first, index, commonNames)
      {
        declarations[first].name = common
        commonNames[first] = common
        kept[signature] = first
        replace(index, by: first, &replacements)
      } else {
        kept[signature] = index
        if kept[nameless] == nil { kept[nameless] = index }
      }
    }
    guard !replacements.isEmpty else { return false }
    for first in Set(replacements.values) {
      let others = replacements.keys.filter { replacements[$0] == first }.sorted()
      var all: [String] = []
      for name in ([first] + others).compactMap({ names[$0] }) where !all.contains(name) {
        all.append(name)
      }
      guard all.count > 1 else { continue }
      declarations[first].comments.insert(
        "Merged into one struct, because their keys match: \(all.joined(separator: ", ")).", at: 0)
    }
    for index in declarations.indices {
      for place in declarations[index].properties.indices {
        let type = declarations[index].properties[place].type
        declarations[index].properties[place].type = type.replacing(replacements)
      }
    }
    return true
  }

  private mutating func replace(_ index: Int, by first: Int, _ replacements: inout [Int: Int]) {
    replacements[index] = first
    declarations[index].isLeftOut = true
    for (place, other) in declarations[index].properties.enumerated() {
      if other.isOptional { declarations[first].properties[place].isOptional = true }
      let own = declarations[first].properties[place]
      let haveIntegers = own.type != other.type && own.type != own.type.widened
      // A type that was guessed from a name yields to one that was seen.
      if own.mayHaveFractions || (haveIntegers && !other.mayHaveFractions) {
        declarations[first].properties[place].type = other.type
        declarations[first].properties[place].comments = other.comments
      }
    }
  }

  /// A name for the objects that two structs describe: `Money` for `ShopMoney` and `PresentmentMoney`, `User` for `Author` and
  /// `Reporter`, and `Size` for `Small` and `Large` in `Sizes`; nil if there is none, or if it is taken.
  private func commonName(_ first: Int, _ second: Int, _ names: [Int: String]) -> String? {
    guard let name = names[first], let other = names[second] else { return nil }
    let words = KeyWords.words(of: name)
    let count = zip(words.reversed(), KeyWords.words(of: other).reversed()).prefix { $0 == $1 }.count
    var common: String?
    if KeyWords.isOfUser(name), KeyWords.isOfUser(other) {
      common = "User"
    } else if count > 0 {
      common = DraftName.type(words.suffix(count).joined(separator: "_"))
    } else if let owner = owner(of: first), owner == self.owner(of: second), let plural = names[owner] {
      common = DraftName.type(plural, isList: true)
      if common == plural { return nil }
    }
    // The models of the schema that is extended are left out, too.
    let others = declarations.indices.filter { isModel($0) || !declarations[$0].isLeftOut }
    let isTaken = others.contains { $0 != first && $0 != second && declarations[$0].name == common }
    return isTaken ? nil : common
  }

  /// Whether two structs are the types of members of one struct.
  private func areSiblings(_ first: Int, _ second: Int, _ names: [Int: String]) -> Bool {
    guard let owner = self.owner(of: first), names[owner] != nil else { return false }
    return owner == self.owner(of: second)
  }

  /// The only declaration with properties of a type; nil if there are several.
  private func owner(of type: Int) -> Int? {
    let owners = declarations.indices.filter { index in
      declarations[index].properties.contains { $0.type.declaration == type }
    }
    return owners.count == 1 ? owners[0] : nil
  }
}

extension SchemaDraft.Property {
  /// Whether only integers were seen, and the name suggests fractions.
  fileprivate var mayHaveFractions: Bool { comments.contains(ScalarGuess.onlyIntegers) }
}

extension SchemaDraft.TypeReference {
  /// The type that can hold fractions, too.
  fileprivate var widened: Self {
    switch self {
    case .scalar(let name): .scalar(name == "Int" ? "Double" : name)
    case .declared: self
    case .list(let element): .list(element.widened)
    case .map(let element): .map(element.widened)
    }
  }

  fileprivate func replacing(_ replacements: [Int: Int]) -> Self {
    switch self {
    case .scalar: self
    case .declared(let index): .declared(replacements[index] ?? index)
    case .list(let element): .list(element.replacing(replacements))
    case .map(let element): .map(element.replacing(replacements))
    }
  }
}

/// Which kinds of rows are one model.
extension RowKinds {
  /// The minimum share of the smaller kind's keys that two kinds must have in common to be merged.
  private static let likeness = 0.75

  /// Whether the rows of two kinds are of one model.
  static func isSame(_ first: Kind, _ second: Kind) -> Bool {
    // The caller distinguishes the two kinds.
    if first.isNamed, second.isNamed { return false }
    // Two cases of one union are different models.
    if first.unions.contains(where: { union in second.unions.contains { $0 === union } }) { return false }
    // A resource of a JSON:API document has the model of its type, regardless of the keys under which it was found.
    let types = [first, second].compactMap { $0.shape.onlyText(of: SampleEndpoint.resourceKey) }
    if Set(types).count > 1 { return false }
    guard let identity = first.identity.key, identity == second.identity.key,
      let left = first.shape.members[identity], let right = second.shape.members[identity],
      left.isInteger == right.isInteger
    else { return false }
    let haveCommonName = RowKinds.haveCommonName(first, second)
    let (keys, others) = (Set(first.shape.keys), Set(second.shape.keys))
    let shared = keys.intersection(others)
    let (common, fewer, more) = (shared.count, min(keys.count, others.count), max(keys.count, others.count))
    let areCalledSame = RowKinds.areCalledSame(first, second)
    // Rows with different types may still be of one kind, such as users and organizations, if they have exactly the same keys.
    if areCalledSame == false,
      keys != others || (!haveCommonName && shared.allSatisfy(KeyWords.isOfManyKinds))
    {
      return false
    }
    let areAlike =
      common >= 4 && Double(common) >= likeness * Double(fewer) && common * 2 >= more
    // A common “type” is weak evidence if most of the other keys differ.
    let areMostlySame = areCalledSame == true && common * 2 >= fewer
    let isPart =
      RowKinds.isPart(first.shape, second.shape, by: identity)
      || RowKinds.isPart(second.shape, first.shape, by: identity)
    let areUsers = (first.order + second.order).allSatisfy(KeyWords.isOfUser)
    let isTree = RowKinds.isTree(first, second) || RowKinds.isTree(second, first)
    // `customer_id` identifies a customer under any key.
    let isOwn =
      common == others.count && first.hasOwnIdentity || common == keys.count && second.hasOwnIdentity
    let haveAllKeys = common == fewer && (areUsers || isTree)
    let haveValues = shared.contains { key in
      key != identity && !areOfTwoTypes(first.shape.members[key], second.shape.members[key])
    }
    // `{"id": 7}` under the name of other rows refers to one of them.
    let isReference =
      haveCommonName && [keys, others].contains { $0.allSatisfy { $0 == identity || KeyWords.isTag($0) } }
    guard
      isPart || isOwn || isReference
        || (haveValues && (haveCommonName || keys == others || areAlike || areMostlySame || haveAllKeys))
        || (common == fewer && haveSameNames(first, second, in: shared))
    else { return false }
    // The rows are compared last, since there may be thousands.
    let comparison = first.shape.seenRows.compared(with: second.shape.seenRows)
    // A name from the caller outweighs a row that may have changed between two responses.
    if comparison.isContradiction, !haveCommonName || !(first.isNamed || second.isNamed) { return false }
    if !haveCommonName, areCalledSame != true, comparison.agreeing == 0,
      shared.contains(where: { haveOtherValues($0, first.shape, second.shape) })
    {
      return false
    }
    // If the common keys occur in many kinds of rows, both kinds must contain the same row.
    let arePeople = areUsers && !(first.order + second.order).contains(where: KeyWords.mayBeOrganization)
    let areRoles = isRole(first, of: second) || isRole(second, of: first)
    return haveCommonName || areCalledSame == true || comparison.agreeing > 0 || isPart || isOwn
      || arePeople || (areAlike && areRoles)
      || !shared.allSatisfy(KeyWords.isOfManyKinds)
      || (isTree && !innerKeys(first, second, in: shared).allSatisfy(KeyWords.isOfManyKinds))
  }

  /// Whether a key such as `resource_type` shows that two kinds are the same; nil if no such key exists.
  private static func areCalledSame(_ first: Kind, _ second: Kind) -> Bool? {
    var areSame: Bool?
    for key in first.shape.keys {
      guard let tag = first.shape.onlyText(of: key), let other = second.shape.onlyText(of: key),
        KeyWords.isKind(key), tag.first?.isLetter ?? false
      else { continue }
      if tag != other { return false }
      // With a key such as “type”, equal values prove this only if they match a name of the rows.
      let names = [DraftName.type(tag), DraftName.type(tag, isList: true)]
      if KeyWords.isOnlyKind(key) || names.contains(where: (first.order + second.order).contains) {
        areSame = true
      }
    }
    return areSame
  }

  /// Whether the rows that two kinds have in common have the same names. One row may have so by chance, unless the names of the
  /// kinds agree: `PrimaryTeam` and `Team`.
  private static func haveSameNames(_ first: Kind, _ second: Kind, in shared: Set<String>) -> Bool {
    let names = shared.filter(KeyWords.isName)
    guard !names.isEmpty else { return false }
    let count = first.shape.seenRows.sameRows(as: second.shape.seenRows, by: names)
    return count > 1 || (count == 1 && (isRole(first, of: second) || isRole(second, of: first)))
  }

  /// Whether a name of some rows ends with one of other rows: `OutwardIssue` of an `Issue`.
  private static func isRole(_ rows: Kind, of others: Kind) -> Bool {
    let ends = others.order.map(KeyWords.words)
    return rows.order.map(KeyWords.words).contains { words in
      ends.contains { words.count > $0.count && words.suffix($0.count).elementsEqual($0) }
    }
  }

  /// Whether a key has structs in rows of one kind, and strings or numbers in those of another, such as `main` of a weather
  /// station and of a kind of weather.
  private static func areOfTwoTypes(_ first: SampleShape?, _ second: SampleShape?) -> Bool {
    guard let first, let second, let object = [first, second].first(where: \.isObject),
      case let other = object === first ? second : first
    else { return false }
    // The identity of a row may be in its place.
    return (other.isNumber || other.texts.longest > 0 && other.isText)
      && identity(of: object, named: "") == nil
  }

  /// The common keys in the objects that hold the properties of rows, such as `fields` in Jira.
  private static func innerKeys(_ first: Kind, _ second: Kind, in keys: Set<String>) -> [String] {
    keys.filter(KeyWords.holdsProperties).flatMap { key -> [String] in
      guard
        let (one, other) = first.shape.members[key].flatMap({ one in
          second.shape.members[key].map { (one, $0) }
        })
      else { return [] }
      return one.keys.filter { other.members[$0] != nil }
    }
  }

  /// Whether rows are references to rows at another position: all their keys and identities occur there.
  private static func isPart(_ rows: SampleShape, _ others: SampleShape, by key: String) -> Bool {
    guard rows.keys.count < others.keys.count, let identity = rows.members[key],
      let known = others.members[key], !identity.hasManyValues,
      SchemaInference.areDistinctive(identity), identity.values.isSubset(of: known.values)
    else { return false }
    return rows.keys.allSatisfy { others.members[$0] != nil }
  }

  /// Whether a key has words in some rows and numbers in others, such as the `state` of a milestone and of an iteration.
  private static func haveOtherValues(_ key: String, _ first: SampleShape, _ second: SampleShape) -> Bool {
    guard let value = first.members[key], let other = second.members[key] else { return false }
    return value.isNumber && areWords(other) || other.isNumber && areWords(value)
  }

  private static func areWords(_ value: SampleShape) -> Bool {
    value.isText && value.texts.counts.keys.contains { !$0.isEmpty && !DigitText($0).isNumeric }
  }

  /// Whether rows are the `children` or the `parent` of the other rows, under no other key.
  private static func isTree(_ rows: Kind, _ others: Kind) -> Bool {
    rows.tree.contains(ObjectIdentifier(others.shape)) && rows.order.allSatisfy(KeyWords.isOfTree)
  }

  static func haveCommonName(_ first: Kind, _ second: Kind) -> Bool {
    // Each tree has its own “parent”.
    first.order.contains {
      second.order.contains($0) && (!KeyWords.isOfTree($0) || !first.tree.isDisjoint(with: second.tree))
    }
  }
}

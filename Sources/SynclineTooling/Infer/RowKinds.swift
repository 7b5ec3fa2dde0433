import SynclineNaming

/// The kinds of rows in sample payloads. A row is an object with an identity; rows of the same kind are merged,
/// whatever their position in the payload.
struct RowKinds {
  struct Kind {
    let shape: SampleShape
    let identity: RowIdentity
    /// The names suggested by the keys under which such rows were found, with the number of rows for each.
    var names: [String: Int]
    var order: [String]
    var unions: [SampleUnion] = []
    /// Whether the caller specified the name.
    var isNamed = false
    /// The rows that have these rows as their `children` or `parent`.
    var tree: Set<ObjectIdentifier> = []
    /// Whether the identity is named after the model of an endpoint, such as `customer_id` of a customer.
    var hasOwnIdentity: Bool {
      guard isNamed, let key = identity.key else { return false }
      return KeyWords.rank(of: key, model: KeyWords.words(of: order[0])) == .own
    }

    /// The name that the rows give their kind: the value of a key such as `resource_type`, or one of the names as the value of
    /// `type`; nil if there is none.
    var called: String? {
      for key in shape.keys where KeyWords.isKind(key) {
        // Other keys do not distinguish the cases of a union.
        guard unions.allSatisfy({ $0.key == key }), let text = shape.onlyText(of: key),
          text.first?.isLetter ?? false
        else { continue }
        // Hasura's types have the names of tables: `users`.
        let isTable = text.allSatisfy { $0.isLowercase || $0 == "_" }
        let name = DraftName.type(text, isList: isTable)
        if KeyWords.isOnlyKind(key) || order.contains(name) { return name }
      }
      // Users are found under the keys of their roles. Organizations may have such a role, too. A single role is a name, unless
      // it is a verb, such as `ClosedBy`.
      let isNamed = order.count == 1 && !KeyWords.isActor(order[0])
      let users = order.filter(KeyWords.isOfUser)
      // A `lead` is a user, if most other names are those of users.
      let areMostly = users.count { !KeyWords.mayBeOrganization($0) } * 2 > order.count
      guard !isNamed, users.count == order.count || areMostly else { return nil }
      return order.contains("User") || shape.members["type"]?.values.count ?? 0 < 2 ? "User" : "Account"
    }
  }

  private(set) var kinds: [Kind] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  /// The number of elements that only link other rows, and the keys that identify them. They are kept, because linked rows that
  /// are merged with rows elsewhere no longer show whether each element has one.
  private var links: [ObjectIdentifier: (elements: Int, keys: [String])] = [:]
  private let roots: [SampleShape]
  /// The number of kinds that endpoints name. They come first.
  private var namedCount = 0

  /// The maximum number of kinds for which all pairs are compared.
  private static let countLimit = 200

  init(_ roots: [Root]) {
    self.roots = roots.map(\.shape)
    for root in roots where root.shape.union == nil {
      let identity = IdentitySearch(of: root.rows, root.shape, named: root.name).identity
      add(root.shape, root.name, identity: identity, isNamed: true)
    }
    namedCount = kinds.count
    collect()
    unite()
  }

  /// The index of the kind of rows with a shape; nil if they are not rows.
  func number(of shape: SampleShape) -> Int? { numbers[ObjectIdentifier(shape)] }

  func holdsRow(_ shape: SampleShape, _ key: String) -> Bool {
    shape.members[key].map { number(of: $0) != nil } ?? false
  }

  /// Adds rows, and returns the index of their kind.
  @discardableResult private mutating func add(
    _ shape: SampleShape, _ name: String, identity: RowIdentity, isNamed: Bool = false
  ) -> Int {
    let rows = shape.note(name: name)
    if let known = numbers[ObjectIdentifier(shape)] {
      if kinds[known].names[name] == nil { kinds[known].order.append(name) }
      kinds[known].names[name] = rows
      return known
    }
    numbers[ObjectIdentifier(shape)] = kinds.count
    kinds.append(
      Kind(shape: shape, identity: identity, names: [name: rows], order: [name], isNamed: isNamed))
    return kinds.count - 1
  }

  private mutating func collect() {
    var visited: Set<ObjectIdentifier> = []
    for root in roots {
      if let union = root.union {
        collect(in: union, &visited)
      } else {
        collect(in: root, of: root, &visited)
      }
    }
  }

  /// - Parameters:
  ///   - owner: the row that contains the object.
  ///   - around: the key of the object, if the object is not a row.
  private mutating func collect(
    in shape: SampleShape, of owner: SampleShape, under around: String? = nil,
    _ visited: inout Set<ObjectIdentifier>
  ) {
    guard visited.insert(ObjectIdentifier(shape)).inserted else { return }
    for key in shape.keys {
      guard let member = shape.members[key] else { continue }
      let isMany = member.isList || member.entries != nil
      guard let value = member.row, value.isObject else { continue }
      if let union = value.union {
        collect(in: union, &visited)
        continue
      }
      if member === value, RowKinds.holdsIdentity(key, of: shape) {
        collect(in: value, of: owner, under: key, &visited)
        continue
      }
      let inner = member.isList ? member.element?.nodeKey : nil
      let name =
        inner.flatMap { $0 == "node" ? nil : DraftName.type($0) }
        ?? DraftName.type(KeyWords.telling(key, under: around), isList: isMany)
      if let identity = RowKinds.identity(of: value, named: name, isKnown: isNamed(name))
        ?? endpointIdentity(of: value, named: name, in: isMany ? nil : owner)
      {
        let number = add(value, name, identity: RowIdentity(source: .path([identity])))
        if KeyWords.isOfTree(name) { kinds[number].tree.insert(ObjectIdentifier(owner)) }
        collect(in: value, of: value, &visited)
      } else if member.isList, !member.isOneOrMany,
        let keys = linkKeys(of: value, named: name, areSeveral: member.longestList > 1)
      {
        add(value, name, identity: AssociationRows.identity(keys, of: owner))
        collect(in: value, of: value, &visited)
      } else if !isMany {
        // An object without an identity may contain rows.
        collect(in: value, of: owner, under: key, &visited)
      }
    }
  }

  /// The keys that identify the elements of a list that only link the row that contains them to other rows.
  private mutating func linkKeys(
    of shape: SampleShape, named name: String, areSeveral: Bool
  ) -> [String]? {
    if let known = links[ObjectIdentifier(shape)], known.elements == shape.objects { return known.keys }
    guard let keys = AssociationRows.keys(of: shape, named: name, areSeveral: areSeveral) else { return nil }
    // Elements with more than links, such as events, are identified less surely.
    let areOnlyLinks = shape.keys.allSatisfy { key in
      KeyWords.describesLink(key) || shape.members[key]?.isObject == true
    }
    if areOnlyLinks { links[ObjectIdentifier(shape)] = (elements: shape.objects, keys: keys) }
    return keys
  }

  /// The identity of an endpoint's rows in any role: `customer_id` of an `owner` with a name, and with no other keys than those of
  /// a customer. In a list, and in a customer, such an object may describe the customer instead.
  ///
  /// - Parameter owner: the row that contains the object; nil in a list.
  private func endpointIdentity(
    of shape: SampleShape, named name: String, in owner: SampleShape?
  ) -> String? {
    let isTree = KeyWords.isOfTree(name)
    guard isTree || owner != nil, shape.keys.count == 1 || shape.keys.contains(where: KeyWords.isName) else {
      return nil
    }
    let kind = kinds.prefix(namedCount).first { kind in
      (isTree || kind.shape !== owner) && kind.hasOwnIdentity
        && kind.identity.key.map { RowKinds.isIdentity($0, of: shape) } ?? false
        && shape.keys.allSatisfy { kind.shape.members[$0] != nil }
    }
    return kind?.identity.key
  }

  /// Whether the name is that of an endpoint.
  private func isNamed(_ name: String) -> Bool { kinds.prefix(namedCount).contains { $0.names[name] != nil } }

  private mutating func collect(in union: SampleUnion, _ visited: inout Set<ObjectIdentifier>) {
    guard union.isOfRows else { return }
    for variant in union.variants {
      guard let identity = variant.identity else { continue }
      let name = DraftName.type(variant.tag, isList: union.isOfResources)
      let number = add(variant.shape, name, identity: identity)
      if !kinds[number].unions.contains(where: { $0 === union }) { kinds[number].unions.append(union) }
      collect(in: variant.shape, of: variant.shape, &visited)
    }
  }

  /// Merges kinds whose rows have similar keys, until no such pair remains.
  private mutating func unite() {
    while kinds.count <= RowKinds.countLimit, let (first, second) = samePair { unite(first, second) }
  }

  /// The first two kinds that are the same. Pairs with a common name are preferred.
  private var samePair: (Int, Int)? {
    firstPair { RowKinds.haveCommonName($0, $1) && RowKinds.isSame($0, $1) } ?? firstPair(RowKinds.isSame)
  }

  private func firstPair(_ fits: (Kind, Kind) -> Bool) -> (Int, Int)? {
    for first in kinds.indices {
      for second in kinds.indices where second > first && fits(kinds[first], kinds[second]) {
        return (first, second)
      }
    }
    return nil
  }

  private mutating func unite(_ first: Int, _ second: Int) {
    let (kept, gone) = (kinds[first], kinds[second])
    replace(gone.shape, by: kept.shape)
    kept.shape.merge(gone.shape)
    kept.shape.uniteRows()
    replace(gone.shape, by: kept.shape)
    // Shapes nested in both may also have been merged, so all kinds except those of endpoints are collected again.
    kinds = Array(kinds.prefix(namedCount))
    numbers = numbers.filter { $0.value < namedCount }
    collect()
    guard let number = numbers[ObjectIdentifier(kept.shape)] else { return }
    for name in kept.order + gone.order where kinds[number].names[name] == nil {
      kinds[number].order.append(name)
      kinds[number].names[name] = kept.names[name, default: 0] + gone.names[name, default: 0]
    }
  }

  private func replace(_ old: SampleShape, by new: SampleShape) {
    var visited: Set<ObjectIdentifier> = []
    for root in roots { RowKinds.replace(old, by: new, in: root, &visited) }
  }

  private static func replace(
    _ old: SampleShape, by new: SampleShape, in shape: SampleShape, _ visited: inout Set<ObjectIdentifier>
  ) {
    guard visited.insert(ObjectIdentifier(shape)).inserted else { return }
    shape.replace(old, by: new)
    for key in shape.keys { shape.members[key].map { replace(old, by: new, in: $0, &visited) } }
    shape.element.map { replace(old, by: new, in: $0, &visited) }
    shape.entries.map { replace(old, by: new, in: $0, &visited) }
    for variant in shape.union?.variants ?? [] { replace(old, by: new, in: variant.shape, &visited) }
  }

  /// The identity of nested rows: a key with an identity's usual name.
  ///
  /// - Parameter isKnown: whether they are rows of an endpoint. Several rows may then have the same identity.
  static func identity(of shape: SampleShape, named name: String, isKnown: Bool = false) -> String? {
    let areContradictory = !isKnown && shape.seenRows.areContradictory
    let words = KeyWords.words(of: name).joined()
    let own = ["id", "uuid"].lazy.compactMap { ending in
      shape.keys.first { key in
        key.lowercased().hasSuffix(ending) && KeyWords.words(of: key).joined() == words + ending
          && isIdentity(key, of: shape)
      }
    }
    let key =
      SampleShape.identityKeys.first { isIdentity($0, of: shape) } ?? own.first
      ?? (isIdentity("@id", of: shape) ? "@id" : nil) ?? accountIdentity(of: shape, named: name)
    // The rows were compared by these keys only.
    let isCompared = key.map { SampleShape.identityKeys.contains($0) || KeyWords.accountKeys.contains($0) }
    guard let key, !(areContradictory && isCompared ?? false), !isDefinition(key, of: shape) else {
      return nil
    }
    return key
  }

  /// Whether the identity is that of a definition, as of a property in Notion: it is the same in each object, and the `type`
  /// names the key of the object's own value.
  static func isDefinition(_ identity: String, of shape: SampleShape) -> Bool {
    guard shape.objects > 1, shape.members[identity]?.values.count == 1 else { return false }
    return shape.onlyText(of: "type").map { shape.members[$0] != nil } ?? false
  }

  /// Whether an object contains the identity and other properties of each row, instead of being another row:
  /// `"metadata": {"uid": "a", "name": "x"}`.
  static func holdsIdentity(_ key: String, of shape: SampleShape) -> Bool {
    guard KeyWords.holdsIdentity(key), let value = shape.members[key], value.isObject, value.nulls == 0,
      value.objects == shape.objects, shape.keys.count > 1,
      !SampleShape.identityKeys.contains(where: { shape.members[$0] != nil })
    else { return false }
    return identity(of: value, named: DraftName.type(key)) != nil
  }

  /// The identity of an account, or of anything that is identified by a URI, whatever the role under which it was found:
  /// `accountId` of an author with a `displayName`. Of two identities, a user has that of a user.
  private static func accountIdentity(of shape: SampleShape, named name: String) -> String? {
    let keys = KeyWords.accountKeys.filter { shape.members[$0] != nil }
    let isUser = keys.count > 1 && KeyWords.isOfUser(name)
    let found = isUser ? keys.filter { KeyWords.words(of: $0).first == "user" } : keys
    guard let key = found.first, found.count == 1, isIdentity(key, of: shape),
      shape.keys.contains(where: KeyWords.describesAccount)
    else { return shape.keys.count > 1 ? ["uri", "urn"].first { isURI($0, of: shape) } : nil }
    return key
  }

  /// Whether the values of a key are URIs that are not addresses, such as `at://did:plc:abc/post/1`.
  private static func isURI(_ key: String, of shape: SampleShape) -> Bool {
    guard isIdentity(key, of: shape), let value = shape.members[key], value.isText else { return false }
    return value.values.allSatisfy { text in
      let scheme = text.prefix { $0 != ":" }
      return scheme.count < text.count && !scheme.isEmpty && scheme.allSatisfy(\.isLetter)
        && !["http", "https", "data", "file", "mailto", "tel"].contains(scheme.lowercased())
    }
  }

  private static func isIdentity(_ key: String, of shape: SampleShape) -> Bool {
    guard let value = shape.members[key], isPlain(key), key != "id" || !shape.isOfLanguages else {
      return false
    }
    return value.nulls == 0 && value.count == shape.objects && value.isWholeOrText
  }

  /// Whether a key can be used as a path with one member, as the key of an identity must be.
  static func isPlain(_ key: String) -> Bool { (try? RemotePath(key))?.steps == [.member(key)] }
}

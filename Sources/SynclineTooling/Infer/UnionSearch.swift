import Syncline

/// Finds lists whose objects are of several kinds, and splits their shapes.
struct UnionSearch {
  /// The objects that contain a list: all objects of an endpoint, or those of one kind.
  private struct Owner {
    let objects: [SyncJSON]
    /// The keys from these objects to a position.
    var path: [String] = []
    /// Whether the position is in a row, which may contain other rows.
    var isRow: Bool
    var level = 0

    func at(_ key: String, isRow: Bool) -> Owner {
      Owner(objects: objects, path: path + [key], isRow: self.isRow && isRow, level: level + 1)
    }

    var found: [SyncJSON] {
      path.reduce(objects) { (objects: [SyncJSON], key: String) -> [SyncJSON] in
        objects.flatMap { object -> [SyncJSON] in
          guard let value = object[key] else { return [] }
          return (value.array ?? [value]).filter { $0.object != nil }
        }
      }
    }
  }

  /// A union, and the objects of each kind.
  private typealias Found = (union: SampleUnion, groups: [TaggedObjects])

  /// The maximum number of lists of an endpoint that are examined, because each requires another pass over the rows.
  private static let listLimit = 20
  private static let levelLimit = 30
  private static let tagLength = 40

  private var lists = 0

  /// Splits the rows of an endpoint, if they may be of several models, and then the lists in them.
  mutating func split(_ root: RowKinds.Root, mayBeUnion: Bool) {
    let objects = root.rows.map(\.value)
    if mayBeUnion, root.rows.allSatisfy({ $0.key == nil }),
      let found = UnionSearch.union(
        of: objects, by: UnionSearch.tags(of: root.shape),
        identity: { UnionSearch.identity(of: $0, $1, among: root.rows) }),
      found.union.isOfRows
    {
      split(root.shape, into: found, level: 0)
    } else {
      search(in: root.shape, Owner(objects: objects, isRow: true))
    }
  }

  /// The identity of one kind of an endpoint's rows; nil if no single key identifies them.
  private static func identity(
    of group: TaggedObjects, _ shape: SampleShape, among rows: [SampleRows.Row]
  ) -> RowIdentity? {
    let own = rows.filter { $0.value[group.key]?.string == group.tag }
    let identity = IdentitySearch(of: own, shape, named: DraftName.type(group.tag)).identity
    return identity.key == nil ? nil : identity
  }

  private mutating func search(in shape: SampleShape, _ owner: Owner) {
    guard owner.level < UnionSearch.levelLimit else { return }
    for key in shape.keys {
      guard let member = shape.members[key], let value = member.isList ? member.element : member,
        value.isObject, value.entries == nil
      else { continue }
      let name = DraftName.type(key, isList: member.isList)
      let hasIdentity = RowKinds.identity(of: value, named: name) != nil
      let place = owner.at(key, isRow: !member.isList || hasIdentity)
      if member.isList, !member.isOneOrMany, let found = listUnion(of: value, place, mayBeRows: owner.isRow) {
        split(value, into: found, level: place.level)
      } else {
        search(in: value, place)
      }
    }
  }

  private mutating func listUnion(of shape: SampleShape, _ place: Owner, mayBeRows: Bool) -> Found? {
    let tags = UnionSearch.tags(of: shape)
    guard lists < UnionSearch.listLimit, !tags.isEmpty else { return nil }
    lists += 1
    return UnionSearch.union(of: place.found, by: tags) { group, shape in
      guard mayBeRows else { return nil }
      return RowKinds.identity(of: shape, named: DraftName.type(group.tag)).map {
        RowIdentity(source: .path([$0]))
      }
    }
  }

  private static func union(
    of objects: [SyncJSON], by tags: [String], identity: (TaggedObjects, SampleShape) -> RowIdentity?
  ) -> Found? {
    for key in tags {
      guard let groups = TaggedObjects.groups(of: objects, by: key) else { continue }
      return (SampleUnion(key, groups, identity: identity), groups)
    }
    return nil
  }

  /// Splits a shape, and then the lists in each kind of its objects.
  private mutating func split(_ shape: SampleShape, into found: Found, level: Int) {
    shape.split(into: found.union)
    for (variant, group) in zip(found.union.variants, found.groups) {
      let owner = Owner(objects: group.objects, isRow: found.union.isOfRows, level: level + 1)
      search(in: variant.shape, owner)
    }
  }

  /// The keys that may distinguish the objects, by their names and values.
  private static func tags(of shape: SampleShape) -> [String] {
    // If all objects have the same keys, they are of one kind.
    guard shape.keys.contains(where: { (shape.members[$0]?.count ?? 0) < shape.objects }) else { return [] }
    return shape.keys.filter { key in
      guard KeyWords.isTag(key), RowKinds.isPlain(key), let value = shape.members[key] else { return false }
      return value.isText && value.count == shape.objects && !value.hasManyValues
        && (2...TaggedObjects.tagLimit).contains(value.values.count) && value.texts.longest <= tagLength
    }
  }
}

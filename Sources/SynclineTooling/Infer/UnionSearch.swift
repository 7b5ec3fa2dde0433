import Syncline

/// Finds the lists whose objects are of several kinds, and splits their shapes.
struct UnionSearch {
  /// The objects around a list: all of an endpoint, or one kind of them.
  private struct Owner {
    let objects: [SyncJSON]
    /// The keys that lead from these objects to a position.
    var path: [String] = []
    /// Whether the position is in a row, which may contain other rows.
    var isRow: Bool
    var level = 0

    func at(_ key: String, isRow: Bool) -> Owner {
      Owner(objects: objects, path: path + [key], isRow: self.isRow && isRow, level: level + 1)
    }

    /// The objects at the position.
    var found: [SyncJSON] {
      path.reduce(objects) { (objects: [SyncJSON], key: String) -> [SyncJSON] in
        objects.flatMap { object -> [SyncJSON] in
          guard let value = object[key] else { return [] }
          return (value.array ?? [value]).filter { $0.object != nil }
        }
      }
    }
  }

  /// The number of lists of an endpoint that are looked at, each of which takes another pass over the rows.
  private static let listLimit = 20
  private static let levelLimit = 30
  private static let tagLength = 40

  private var lists = 0

  /// Splits the rows of an endpoint, if they may be of several models, and the lists in them.
  mutating func split(_ root: RowKinds.Root, mayBeUnion: Bool) {
    let objects = root.rows.map(\.value)
    if mayBeUnion, root.rows.allSatisfy({ $0.key == nil }),
      let union = UnionSearch.union(
        of: objects, root.shape, identity: { UnionSearch.identity(of: $0, $1, among: root.rows) }),
      union.isOfRows
    {
      split(root.shape, into: union, objects, level: 0)
    } else {
      search(in: root.shape, Owner(objects: objects, isRow: true))
    }
  }

  /// The identity of an endpoint's rows of one kind; nil if no single key identifies them.
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
      if member.isList, !member.isOneOrMany, let union = listUnion(of: value, place, mayBeRows: owner.isRow) {
        split(value, into: union, place.found, level: place.level)
      } else {
        search(in: value, place)
      }
    }
  }

  /// The union of the objects in a list.
  private mutating func listUnion(of shape: SampleShape, _ place: Owner, mayBeRows: Bool) -> SampleUnion? {
    guard lists < UnionSearch.listLimit, !UnionSearch.tags(of: shape).isEmpty else { return nil }
    lists += 1
    return UnionSearch.union(of: place.found, shape) { group, shape in
      guard mayBeRows else { return nil }
      return RowKinds.identity(of: shape, named: DraftName.type(group.tag)).map {
        RowIdentity(source: .path([$0]))
      }
    }
  }

  private static func union(
    of objects: [SyncJSON], _ shape: SampleShape,
    identity: (TaggedObjects, SampleShape) -> RowIdentity?
  ) -> SampleUnion? {
    for key in tags(of: shape) {
      guard let groups = TaggedObjects.groups(of: objects, by: key) else { continue }
      return SampleUnion(key, groups, identity: identity)
    }
    return nil
  }

  /// Splits a shape, and then the lists in each kind of its objects.
  private mutating func split(
    _ shape: SampleShape, into union: SampleUnion, _ objects: [SyncJSON], level: Int
  ) {
    shape.split(into: union)
    let groups = Dictionary(grouping: objects) { $0[union.key]?.string ?? "" }
    for variant in union.variants {
      let owner = Owner(objects: groups[variant.tag] ?? [], isRow: union.isOfRows, level: level + 1)
      search(in: variant.shape, owner)
    }
  }

  /// The keys that may distinguish the objects, by their names and values.
  private static func tags(of shape: SampleShape) -> [String] {
    // All objects of one kind have the same keys.
    guard shape.keys.contains(where: { (shape.members[$0]?.count ?? 0) < shape.objects }) else { return [] }
    return shape.keys.filter { key in
      guard KeyWords.isTag(key), RowKinds.isPlain(key), let value = shape.members[key] else { return false }
      return value.isText && value.count == shape.objects && !value.hasManyValues
        && (2...TaggedObjects.tagLimit).contains(value.values.count) && value.texts.longest <= tagLength
    }
  }
}

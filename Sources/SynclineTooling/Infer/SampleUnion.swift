import Syncline

/// Objects of several kinds in one list, distinguished by the value of a key such as `type`.
final class SampleUnion {
  /// The objects with one value of the key.
  struct Variant {
    let tag: String
    fileprivate(set) var shape: SampleShape
    /// The number of objects in this list. The shape may include objects from other positions.
    fileprivate(set) var count: Int
    /// The identity; nil if the objects are values.
    let identity: RowIdentity?
  }

  let key: String
  private(set) var variants: [Variant]
  /// Whether the objects are rows, rather than values.
  let isOfRows: Bool
  /// Whether the objects are references to resources of a JSON:API document. Their types are usually plural.
  let isOfResources: Bool

  /// - Parameter identity: returns the identity of a group's rows; nil if they have none.
  init(
    _ key: String, _ groups: [TaggedObjects], isOfResources: Bool = false,
    identity: (TaggedObjects, SampleShape) -> RowIdentity?
  ) {
    self.key = key
    self.isOfResources = isOfResources
    let found = groups.map { group in
      let shape = SampleShape()
      for object in group.objects { shape.add(object) }
      shape.settle(isElement: true, isRoot: true)
      return Variant(
        tag: group.tag, shape: shape, count: group.objects.count, identity: identity(group, shape))
    }
    variants = found
    isOfRows = found.allSatisfy { $0.identity != nil }
  }

  /// Whether two unions have the same key, and are either both of rows or both of values.
  func isLike(_ other: SampleUnion) -> Bool { key == other.key && isOfRows == other.isOfRows }

  /// Adds the objects of another position.
  ///
  /// - Parameter merge: merges the second shape into the first.
  func merge(_ other: SampleUnion, merge: (SampleShape, SampleShape) -> Void) {
    guard other !== self else { return }
    for variant in other.variants {
      if let known = variants.firstIndex(where: { $0.tag == variant.tag }) {
        variants[known].count += variant.count
        merge(variants[known].shape, variant.shape)
      } else {
        variants.append(variant)
      }
    }
  }

  func replace(_ old: SampleShape, by new: SampleShape) {
    for index in variants.indices where variants[index].shape === old { variants[index].shape = new }
  }
}

/// The objects of a list with the same value of a key.
struct TaggedObjects {
  let key: String
  let tag: String
  private(set) var objects: [SyncJSON] = []
  /// The keys that all objects have. `ever` contains the keys that at least one object has.
  private var always: Set<String> = []
  private var ever: Set<String> = []

  /// The maximum number of values of a key that distinguishes objects.
  static let tagLimit = 24
  /// The minimum number of objects from which the keys of a kind can be determined.
  private static let knownCount = 3
  /// The minimum number of objects for each value that occurs only once. With fewer, further values are likely.
  private static let singleShare = 50

  private init(_ key: String, tag: String) {
    self.key = key
    self.tag = tag
  }

  private mutating func add(_ json: SyncJSON, _ object: SyncJSONObject) {
    let keys = Set(object.keys)
    always = objects.isEmpty ? keys : always.intersection(keys)
    ever.formUnion(keys)
    objects.append(json)
  }

  /// The objects grouped by the value of a key; nil if the groups are not several kinds with their own keys.
  static func groups(of objects: [SyncJSON], by key: String) -> [TaggedObjects]? {
    let groups = groups(of: objects, by: key, tags: [:])
    guard groups.count <= tagLimit, groups.reduce(0, { $0 + $1.objects.count }) == objects.count else {
      return nil
    }
    return areKinds(groups, count: objects.count) ? groups : nil
  }

  /// The objects grouped by the value of a key, with the tag of each value. Other objects are left out.
  static func groups(of objects: [SyncJSON], by key: String, tags: [String: String]) -> [TaggedObjects] {
    var groups: [TaggedObjects] = []
    for json in objects {
      guard let object = json.object, let value = object[key]?.string else { continue }
      let tag = tags[value] ?? value
      let number = groups.firstIndex { $0.tag == tag } ?? groups.endIndex
      if number == groups.endIndex { groups.append(TaggedObjects(key, tag: tag)) }
      groups[number].add(json, object)
    }
    return groups
  }

  private static func areKinds(_ groups: [TaggedObjects], count: Int) -> Bool {
    guard groups.count(where: { $0.objects.count >= knownCount }) > 1,
      groups.count(where: { $0.objects.count == 1 }) * singleShare <= count
    else { return false }
    return groups.indices.allSatisfy { first in
      groups.indices.allSatisfy { first == $0 || groups[first].hasOwnKey(besides: groups[$0]) }
    }
  }

  /// Whether all objects have a key that no object of another kind has.
  private func hasOwnKey(besides other: TaggedObjects) -> Bool { !always.isSubset(of: other.ever) }
}

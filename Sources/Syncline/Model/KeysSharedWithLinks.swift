import SynclineNaming

/// Scalars that read a key of a relationship (`assigneeID` and `assignee`), for export.
///
/// If a payload has both the key and an object, the key decides the link. Later, the link may have been set or removed from the
/// other end of the relationship. Then the scalar and the link differ, and the export omits the scalar. An absent key changes
/// nothing, so the body can be synced back.
struct KeysSharedWithLinks: Sendable {
  /// The position of the relationship, by the position of the scalar.
  private let links: [Int: Int]

  init(_ properties: [SyncProperty], identity: Int, _ style: KeyStyle) {
    var readers: [String: Int] = [:]
    for (position, property) in properties.enumerated()
    where property.isRelationship && property.union?.isFirst ?? true {
      for key in property.keys(in: style) where readers[key] == nil { readers[key] = position }
    }
    var links: [Int: Int] = [:]
    for (position, property) in properties.enumerated()
    where !property.isRelationship && position != identity && property.orderedList == nil {
      if let key = property.keys(in: style).first, let link = readers[key] { links[position] = link }
    }
    self.links = links
  }

  var isEmpty: Bool { links.isEmpty }

  /// The relationship that reads the key of a scalar.
  func link(beside scalar: Int) -> Int? { links[scalar] }

  func hasScalar(beside link: Int) -> Bool { links.contains { $0.value == link } }

  /// Whether a scalar equals the keys of a relationship: one key or null, or a list of keys in any order.
  static func agree(_ scalar: SyncJSON, _ keys: SyncJSON) -> Bool {
    guard case .array(let scalars) = scalar, case .array(let keys) = keys else {
      return text(scalar) == text(keys)
    }
    return scalars.count == keys.count && Set(scalars.map(text)) == Set(keys.map(text))
  }

  /// A key as a string. The scalar may be a number although the identity is a string.
  private static func text(_ key: SyncJSON) -> String.UTF8Key? {
    if case .string(let text) = key { return String.UTF8Key(text) }
    return key.isNull ? nil : String.UTF8Key(key.description)
  }
}

/// The keys and paths of a model or a struct as a tree, to find which members of an object are read.
final class KeyReader {
  /// The properties that read the value as a whole.
  private var fields: [Int] = []
  private var members: [[UInt8]: KeyReader] = [:]
  /// The reader of the elements of a list, or of the members of a map.
  private var elements: KeyReader?
  /// Whether a value that is not a list is read as the only element.
  private var takesLoneValues = false

  private init() {}

  init(_ keys: KeyTable) {
    for (field, candidates) in keys.candidates.enumerated() {
      for candidate in candidates where candidate.name != keys.itself?.name {
        insert(
          field, at: [.member(keys.names[candidate.name])] + candidate.rest,
          takesLoneValues: candidate.oneOrMany != nil)
      }
    }
  }

  private func insert(_ field: Int, at path: some Collection<PathStep>, takesLoneValues: Bool) {
    guard let step = path.first else { return fields.append(field) }
    let rest = path.dropFirst()
    switch step {
    case .member(let name):
      let next = members[name] ?? KeyReader()
      members[name] = next
      next.insert(field, at: rest, takesLoneValues: takesLoneValues)
    case .index, .each, .members:
      let next = elements ?? KeyReader()
      elements = next
      if takesLoneValues, step == .each { self.takesLoneValues = true }
      next.insert(field, at: rest, takesLoneValues: takesLoneValues)
    }
  }

  /// Finds which parts of a value are read.
  ///
  /// - Parameters:
  ///   - path: the path of the value.
  ///   - isRead: whether the value, or one around it, is read as a whole.
  ///   - unread: receives the paths that nothing reads, and their kinds.
  ///   - carried: is called with each property that is present, its key, and its value.
  func read(
    _ value: SyncValue, at path: String, isRead: Bool = false, _ unread: inout [String: JSONNode.Kind],
    carried: (Int, String, SyncValue) -> Void
  ) {
    for field in fields { carried(field, path, value) }
    let isRead = isRead || !fields.isEmpty
    if let elements {
      let isList = value.isArray || (takesLoneValues && !value.isNull)
      let parts = isList ? Array(value.items) : membersOf(value).map(\.value)
      let inner = path + (isList ? "[]" : "{}")
      for part in parts { elements.read(part, at: inner, isRead: isRead, &unread, carried: carried) }
      return
    }
    for (key, member) in membersOf(value) {
      let inner = path.isEmpty ? key : "\(path).\(key)"
      if let reader = members[Array(key.utf8)] {
        reader.read(member, at: inner, isRead: isRead, &unread, carried: carried)
      } else if !isRead {
        unread[inner] = member.kind
      }
    }
  }

  private func membersOf(_ value: SyncValue) -> [(key: String, value: SyncValue)] {
    var result: [(String, SyncValue)] = []
    guard value.isObject else { return [] }
    value.forEachMember { key, value in result.append((key.string ?? "", value)) }
    return result
  }
}

/// A property of a model, or a member of a struct, with its keys.
struct KeyField {
  /// The objects in the values of a property.
  indirect enum Inner {
    case rows(SyncTable, of: UnionPlace?)
    case object(SyncMembers)
    case map(Inner)
  }

  let name: String
  let keys: [String]
  let inner: Inner?
  /// Whether rows of an API usually have it: a column that is exported and has no default.
  let isExpected: Bool
  private let kind: ColumnKind?
  private let isList: Bool

  init(_ property: SyncProperty, in style: KeyStyle) {
    name = property.name
    // The order of a list has no key of its own: the list is reported.
    keys = property.orderedList == nil ? property.keys(in: style) : []
    isExpected = property.isStored && property.export != .never && !property.hasDefault
    isList = property.isToMany
    if let related = property.related {
      (inner, kind) = (.rows(related.syncTable, of: property.union), nil)
    } else {
      inner = property.transformedType == nil ? property.madeType.flatMap(KeyField.inner) : nil
      if case .scalar(let column, _) = property.kind { kind = column } else { kind = nil }
    }
  }

  init(_ member: SyncMember, in style: KeyStyle) {
    name = member.name
    keys = member.keys(in: style)
    isExpected = member.isExported && member.storedDefault == nil
    isList = false
    inner = KeyField.inner(of: member.type)
    kind = KeyField.kind(of: member.type)
  }

  private static func kind<Value: SyncScalar>(of type: Value.Type) -> ColumnKind { ColumnKind(type) }

  private static func inner(of type: any SyncScalar.Type) -> Inner? {
    switch type {
    case let list as any ScalarList.Type: inner(of: list.element)
    case let map as any ScalarMap.Type: inner(of: map.value).map(Inner.map)
    case let structure as any SyncStruct.Type: .object(structure.syncMembers)
    default: nil
    }
  }

  /// Whether the property can read values of the given JSON kinds.
  func mayHold(_ kinds: Set<JSONNode.Kind>) -> Bool {
    guard let kind else {
      return isList ? kinds.isSubset(of: [.array]) : kinds.isSubset(of: [.object, .string, .number])
    }
    return switch kind {
    case .integer, .double, .decimal: kinds.isSubset(of: [.number, .string])
    case .bool: kinds.isSubset(of: [.true, .false])
    case .text, .url: kinds.isSubset(of: [.string])
    case .date: kinds.isSubset(of: [.string, .number])
    case .uuid: kinds.isSubset(of: [.string])
    case .json, .value: kinds.isSubset(of: [.array, .object])
    case .transformed, .other: true
    }
  }
}

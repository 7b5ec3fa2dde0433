import SynclineNaming

/// The keys and paths of a model or a struct as a tree, to find which members of an object are read.
final class KeyReader {
  /// The properties that read the value as a whole.
  private var fields: [Int] = []
  private var members: [[UInt8]: KeyReader] = [:]
  /// The reader of the elements of a list, or of the members of a map.
  private var elements: KeyReader?
  /// Whether a value that is not a list is read as the only element.
  private var acceptsSingleValues = false
  /// The reader of a list of pairs as an object, and the keys of a pair.
  private var pairs: (keys: PairKeys, reader: KeyReader)?

  private init() {}

  init(_ keys: KeyTable) {
    for (field, candidates) in keys.candidates.enumerated() {
      for candidate in candidates where candidate.name != keys.itself?.name {
        let last = candidate.rest.reduce(reader(of: keys.names[candidate.name])) {
          $0.reader(behind: $1, acceptsSingleValues: candidate.oneOrMany != nil)
        }
        last.fields.append(field)
      }
    }
  }

  /// The reader of what a step selects, which is made if there is none.
  private func reader(behind step: PathStep, acceptsSingleValues: Bool) -> KeyReader {
    switch step {
    case .member(let name): return reader(of: name)
    case .names(let names):
      return (0..<names.count).reduce(self) { $0.reader(of: Array(names.joined($1..<($1 + 1)))) }
    case .pairs(let keys):
      let next = pairs?.reader ?? KeyReader()
      pairs = (keys, next)
      return next
    case .index, .each, .members:
      let next = elements ?? KeyReader()
      elements = next
      if acceptsSingleValues, step == .each { self.acceptsSingleValues = true }
      return next
    }
  }

  /// The reader of a member, which is made if there is none.
  private func reader(of name: [UInt8]) -> KeyReader {
    let reader = members[name] ?? KeyReader()
    members[name] = reader
    return reader
  }

  /// The reader of a member whose key is a name, or joins the names of a path.
  private func reader(at key: String) -> KeyReader? {
    if let reader = members[Array(key.utf8)] { return reader }
    guard key.utf8.contains(UInt8(ascii: ".")) else { return nil }
    return key.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .reduce(self) { $0?.members[Array($1)] }
  }

  /// Finds which parts of a value are read.
  ///
  /// - Parameters:
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
      let isList = value.isArray || (acceptsSingleValues && !value.isNull)
      let parts = isList ? Array(value.items) : value.members.map(\.value)
      let inner = path + (isList ? "[]" : "{}")
      for part in parts { elements.read(part, at: inner, isRead: isRead, &unread, carried: carried) }
      return
    }
    if let (keys, reader) = pairs, value.isArray {
      let inner = path + keys.text
      return reader.read(keys.members(of: value), at: inner, isRead: isRead, &unread, carried: carried)
    }
    read(value.members, at: path, isRead: isRead, &unread, carried: carried)
  }

  /// Finds which parts of the members of an object are read.
  private func read(
    _ members: [(key: String, value: SyncValue)], at path: String, isRead: Bool,
    _ unread: inout [String: JSONNode.Kind], carried: (Int, String, SyncValue) -> Void
  ) {
    for (key, member) in members {
      let inner = path.isEmpty ? key : "\(path).\(key)"
      if let reader = reader(at: key) {
        reader.read(member, at: inner, isRead: isRead, &unread, carried: carried)
      } else if !isRead {
        let name = RemotePath.part(key) ?? key
        unread[path.isEmpty ? name : "\(path).\(name)"] = member.kind
      }
    }
  }
}

extension PairKeys {
  /// The step as it is written in a path.
  fileprivate var text: String {
    "[\(String(decoding: name, as: UTF8.self)):\(String(decoding: value, as: UTF8.self))]"
  }

  /// The pairs of a list.
  fileprivate func members(of list: SyncValue) -> [(key: String, value: SyncValue)] {
    list.elements.compactMap { element in
      guard element.isObject, let key = element.member(name)?.scalarText, let value = element.member(value)
      else { return nil }
      return (key, value)
    }
  }
}

/// A property of a model, or a member of a struct, with its keys.
struct KeyField {
  /// The objects in the values of a property.
  indirect enum Inner {
    case rows(SyncTable, of: UnionPlace?)
    case object(SyncMembers)
    /// A union of structs.
    case cases(SyncUnionCases<any SyncScalar.Type>)
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
      inner = property.transformedType == nil ? property.valueType.flatMap(KeyField.inner) : nil
      if case .scalar(let column, _) = property.kind { kind = column } else { kind = nil }
    }
  }

  init(_ member: SyncMember, in style: KeyStyle) {
    name = member.name
    keys = member.keys(in: style)
    isExpected = member.isExported && member.storedDefault == nil
    isList = false
    inner = KeyField.inner(of: member.type)
    kind = ColumnKind(member.type)
  }

  private static func inner(of type: any SyncScalar.Type) -> Inner? {
    switch type {
    case let list as any ScalarList.Type: inner(of: list.element)
    case let map as any ScalarMap.Type: inner(of: map.value).map(Inner.map)
    case let structure as any SyncStruct.Type: .object(structure.syncMembers)
    case let union as any SyncValueUnion.Type: .cases(union.syncCases)
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
    case .text, .url, .uuid: kinds.isSubset(of: [.string])
    case .date: kinds.isSubset(of: [.string, .number])
    case .json, .value: kinds.isSubset(of: [.array, .object])
    case .transformed, .other: true
    }
  }
}

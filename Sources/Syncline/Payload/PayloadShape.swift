extension PayloadShape {
  init(_ value: SyncValue) {
    self =
      value.isObject
      ? .object(keys: value.members.map(\.key), lists: PayloadShape.pathsOfLists(in: value))
      : .value(value.summary)
  }

  /// The paths of the lists among the members of an object. If there are none, those in its member objects.
  private static func pathsOfLists(in value: SyncValue) -> [String] {
    let members = namedMembers(of: value)
    let lists = members.filter { $0.value.isArray }.map(\.key)
    guard lists.isEmpty else { return lists }
    return members.flatMap { member in
      namedMembers(of: member.value).filter { $0.value.isArray }.map { "\(member.key).\($0.key)" }
    }
  }

  /// A path cannot contain a key that has a dot.
  private static func namedMembers(of value: SyncValue) -> [(key: String, value: SyncValue)] {
    value.members.filter { !$0.key.isEmpty && !$0.key.contains(".") }
  }
}

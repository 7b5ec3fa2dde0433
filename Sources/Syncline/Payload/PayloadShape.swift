/// What a payload is that should be a list, for the error that says so.
enum PayloadShape {
  private static let limit = 5

  /// What was found in place of a list, and how the list in it is named.
  static func noList(_ value: SyncValue, at path: String?) -> String {
    let expected = "a payload is a list of objects, not "
    guard value.isObject else { return expected + value.summary }
    let members = members(of: value)
    guard !members.isEmpty else { return expected + "an object without members" }
    let keys = members.prefix(limit).map { "“\($0.key)”" }.joined(separator: ", ")
    let others = members.count > limit ? " and \(members.count - limit) more" : ""
    let found = "an object with the \(members.count == 1 ? "key" : "keys") \(keys)\(others)"
    let lists = lists(below: value, prefix: path.map { $0 + "." } ?? "").prefix(limit)
    guard !lists.isEmpty else { return expected + found + "; for one row call sync(item:)" }
    let places = lists.map { "at: \"\($0)\"" }.joined(separator: " or ")
    return expected + "\(found); name the list with \(places)"
  }

  /// The paths of the lists among the members of an object, else of its objects.
  private static func lists(below value: SyncValue, prefix: String) -> [String] {
    // A path cannot name a key that has a dot.
    let members = members(of: value).filter { !$0.key.isEmpty && !$0.key.contains(".") }
    let lists = members.filter { $0.value.isArray }.map { prefix + $0.key }
    guard lists.isEmpty else { return lists }
    return members.flatMap { member in
      PayloadShape.members(of: member.value).filter {
        $0.value.isArray && !$0.key.isEmpty && !$0.key.contains(".")
      }.map { prefix + "\(member.key).\($0.key)" }
    }
  }

  private static func members(of value: SyncValue) -> [(key: String, value: SyncValue)] {
    var result: [(key: String, value: SyncValue)] = []
    value.forEachMember { key, value in result.append((key.string ?? "", value)) }
    return result
  }
}

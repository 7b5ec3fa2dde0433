/// The JSON keys that a property is read from, in the order in which they are tried.
///
/// The compiler checks schemas with these lists. The runtime derives the same lists from the names and the stated keys.
package enum KeyCandidates {
  /// The keys of a scalar. With explicit keys, each key as written, then in the style. Otherwise, the name in the style, then as
  /// written.
  package static func scalar(_ name: String, explicit: [String] = [], style: KeyStyle) -> [String] {
    guard !explicit.isEmpty else { return unique(style.spellings(of: name)) }
    return unique(explicit.flatMap { [$0, style.transform(path: $0)] })
  }

  /// The keys of an identity. Properties named `id` or `remoteID` without an explicit key also have the aliases `id`,
  /// `remote_id` and `remoteID`, except those that another property reads.
  package static func identity(
    _ name: String, explicit: [String] = [], style: KeyStyle, takenKeys: Set<String> = []
  ) -> [String] {
    let keys = scalar(name, explicit: explicit, style: style)
    guard explicit.isEmpty, name == "id" || name == "remoteID" else { return keys }
    return unique(keys + aliases(in: style).filter { !takenKeys.contains($0) })
  }

  static let aliases = ["id", "remote_id", "remoteID"]

  /// The aliases of an identity. In styles that generated code does not list, they are also spelled in the style.
  private static func aliases(in style: KeyStyle) -> [String] {
    switch style {
    case .snakeCase, .camelCase: aliases
    case .pascalCase, .kebabCase: ["id", "remoteID"].flatMap(style.spellings(of:)) + ["remote_id"]
    }
  }

  /// The keys of a to-one relationship: `project_id`, then `project`.
  package static func toOne(_ name: String, explicit: [String] = [], style: KeyStyle) -> [String] {
    if !explicit.isEmpty { return scalar(name, explicit: explicit, style: style) }
    return unique(style.spellings(of: name, appending: "id") + scalar(name, style: style))
  }

  /// The keys of a to-many relationship: `tags_ids`, `tag_ids`, then `tags`.
  package static func toMany(_ name: String, explicit: [String] = [], style: KeyStyle) -> [String] {
    if !explicit.isEmpty { return scalar(name, explicit: explicit, style: style) }
    let singulars = Names.singulars(of: name).flatMap {
      style.spellings(of: $0, appending: "ids", isAsWritten: false)
    }
    return unique(
      style.spellings(of: name, appending: "ids") + singulars + scalar(name, style: style))
  }

  /// Keys in the object at a path: with the path as written, then in the style.
  package static func below(_ path: String, _ keys: [String], style: KeyStyle) -> [String] {
    let paths = unique([path, style.transform(path: path)])
    return keys.flatMap { key in paths.map { "\($0).\(key)" } }
  }

  /// The key under which an export writes the identity of a to-one relationship.
  package static func toOneKey(_ name: String, style: KeyStyle) -> String {
    style.appending("id", to: style.transform(name))
  }

  /// The key under which an export writes the identities of a to-many relationship.
  package static func toManyKey(_ name: String, style: KeyStyle) -> String {
    let singular = Names.singulars(of: name).first ?? name
    return style.appending("ids", to: style.transform(singular))
  }

  static func unique(_ keys: [String]) -> [String] {
    // There are few keys, and comparing them is cheaper than hashing them.
    var result: [String] = []
    for key in keys where !result.contains(key) { result.append(key) }
    return result
  }
}

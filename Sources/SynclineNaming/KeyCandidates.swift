/// The JSON keys that a property is read from, in the order they are tried.
///
/// The compiler writes these lists into generated code; a model written by hand gets them at run time.
public enum KeyCandidates {
  /// The keys of a scalar: each explicit key as written and in the style, or the name in the style and as written.
  public static func scalar(_ name: String, explicit: [String] = [], style: KeyStyle) -> [String] {
    guard !explicit.isEmpty else { return unique([style.transform(name), name]) }
    return unique(explicit.flatMap { [$0, style.transform(path: $0)] })
  }

  /// The keys of an identity. The aliases `id`, `remote_id` and `remoteID` hold for properties called `id` or
  /// `remoteID` without an explicit key, but for those that another property reads.
  public static func identity(
    _ name: String, explicit: [String] = [], style: KeyStyle, takenKeys: Set<String> = []
  ) -> [String] {
    let keys = scalar(name, explicit: explicit, style: style)
    guard explicit.isEmpty, name == "id" || name == "remoteID" else { return keys }
    return unique(keys + ["id", "remote_id", "remoteID"].filter { !takenKeys.contains($0) })
  }

  /// The keys of a to-one relationship: `project_id`, then `project`.
  public static func toOne(_ name: String, explicit: [String] = [], style: KeyStyle) -> [String] {
    if !explicit.isEmpty { return scalar(name, explicit: explicit, style: style) }
    return unique([toOneKey(name, style: style)] + scalar(name, style: style))
  }

  /// The keys of a to-many relationship: `tags_ids`, `tag_ids`, then `tags`.
  public static func toMany(_ name: String, explicit: [String] = [], style: KeyStyle) -> [String] {
    if !explicit.isEmpty { return scalar(name, explicit: explicit, style: style) }
    let singulars = Names.singulars(of: name).map { style.appending("ids", to: style.transform($0)) }
    return unique(
      [style.appending("ids", to: style.transform(name))] + singulars + scalar(name, style: style))
  }

  /// The key under which export writes the identity of a to-one relationship.
  public static func toOneKey(_ name: String, style: KeyStyle) -> String {
    style.appending("id", to: style.transform(name))
  }

  /// The key under which export writes the identities of a to-many relationship.
  public static func toManyKey(_ name: String, style: KeyStyle) -> String {
    let singular = Names.singulars(of: name).first ?? name
    return style.appending("ids", to: style.transform(singular))
  }

  private static func unique(_ keys: [String]) -> [String] {
    // Keys are few, and hashing them costs more than to compare them.
    var result: [String] = []
    for key in keys where !result.contains(key) { result.append(key) }
    return result
  }
}

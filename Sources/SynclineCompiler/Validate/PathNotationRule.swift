import SynclineNaming

/// Warns about keys that are valid, but look like paths in another notation: JSONPath, JSON Pointer, or a wildcard.
enum PathNotationRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    guard !model.propertyAttributes.isDisjoint(with: [.remoteKey, .primaryKey]) else { return }
    for property in model.properties where property.orderedList == nil {
      for key in property.explicitKeys { check(key, of: property, in: model, &bag) }
    }
  }

  private static func check(
    _ key: Located<String>, of property: Property, in model: Model, _ bag: inout DiagnosticBag
  ) {
    // `RemoteKeyRule` reports an invalid key. Quotes show that a part is meant literally.
    guard let path = try? RemotePath(RemotePath.rooted(key.value, below: nil)), !path.hasQuotes,
      let (notation, meant) = meaning(of: key.value)
    else { return }
    let selectsMany = meant.contains("[]")
    let isPossible = !selectsMany || (!model.isStruct && property.isListOfValues)
    bag.warning(
      .foreignPath,
      "“\(key.value)” looks like \(notation): write “\(meant)”, or put the key in quotes within the path if it contains these characters",
      at: key.range,
      fixIts: isPossible && key.range.text.hasPrefix("\"") ? [.write("\"\(meant)\"", for: key.range)] : [])
  }

  /// The notation that a key seems to use, and the equivalent path here; nil if it looks like a plain key.
  private static func meaning(of key: String) -> (notation: String, meant: String)? {
    if key.hasPrefix("$."), key.utf8.count > 2 { return ("JSONPath", String(key.dropFirst(2))) }
    if key.utf8.contains(UInt8(ascii: "/")) {
      let parts = key.split(separator: "/").filter { $0 != "#" }
      let isPlain = parts.joined().allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      guard parts.count > 1 || key.hasPrefix("/"), !parts.isEmpty, isPlain else { return nil }
      return ("a JSON Pointer", joined(parts))
    }
    let parts = key.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.dropFirst().contains(where: { $0 == "*" || $0 == "#" }), parts[0] != "*"
    else {
      return nil
    }
    let meant = parts.dropFirst().reduce(String(parts[0])) { $0 + ($1 == "*" || $1 == "#" ? "[]" : ".\($1)") }
    return ("a path with a wildcard", meant)
  }

  /// The names as a path, with numbers as indices.
  private static func joined(_ parts: [Substring]) -> String {
    var path = ""
    for part in parts {
      if !path.isEmpty, part.allSatisfy(\.isNumber) {
        path += "[\(part)]"
      } else {
        path += (path.isEmpty ? "" : ".") + part
      }
    }
    return path
  }
}

extension Property {
  /// Whether it can be read from a path that selects several values.
  fileprivate var isListOfValues: Bool {
    switch type {
    case .toMany, .value(.list): true
    default: false
    }
  }
}

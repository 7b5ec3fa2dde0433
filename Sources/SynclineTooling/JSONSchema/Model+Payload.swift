import SynclineCompiler

extension Model {
  /// The properties that payloads can contain: all except transient, local, generated and position properties.
  var carried: [Property] {
    properties.filter {
      ($0.isKeyed || isStruct) && $0.orderedList == nil && !$0.isComposite && !$0.isPosition
        && !$0.isLocal
    }
  }
}

extension Property {
  /// The pattern in which an export writes keys: the first pattern without `*`; if all have one, the first pattern with the `*`
  /// removed.
  var writtenKeyPattern: String? {
    (keyPatterns.first { !$0.value.contains("*") } ?? keyPatterns.first)?.value.replacing("*", with: "")
  }
}

extension Schema {
  /// The schema that declares a name used in this schema; this schema itself if none declares it.
  ///
  /// - Parameter modules: the complete schemas of the targets that can be imported.
  func home(of name: String, among modules: [String: Schema]) -> Schema {
    declares(name) ? self : importedModules[name].flatMap { modules[$0] } ?? self
  }
}

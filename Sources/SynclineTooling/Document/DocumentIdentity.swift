import Syncline

/// The key that identifies the rows of a schema.
struct DocumentIdentity {
  let key: String
  /// Why it is taken for the identity; nil for a key that is called as identities are.
  var reason: String?

  /// Keys that are called as identities are, in any object.
  static let usualKeys = SampleShape.identityKeys + ["mal_id"]
  /// The last words of a key that begins with the name of the model.
  private static let endings = ["id", "uuid", "guid", "gid", "sid", "key"]
  /// The last words of names of schemas that are no part of the model's name.
  private static let forms: Set<String> = [
    "response", "dto", "base", "compact", "full", "read", "model", "object", "resource", "detail", "details",
    "summary", "schema", "entity", "record", "info", "out", "output",
  ]

  /// A key or the name of a schema, in words.
  static func words(of name: String) -> String {
    KeyWords.words(of: name).joined(separator: "_")
  }

  /// The name of a model without the words for its form: `pet` for `PetResponse`.
  static func stem(of name: String) -> String {
    var parts = words(of: name).split(separator: "_")
    while parts.count > 1, let last = parts.last, forms.contains(String(last)) { parts.removeLast() }
    return parts.joined(separator: "_")
  }

  /// Whether a key consists of the name of a model and of a word for identities.
  ///
  /// - Parameter others: the names of all models.
  static func isNamed(_ key: String, after stem: String, besides others: Set<String>) -> Bool {
    let words = words(of: key)
    guard let ending = endings.first(where: { words.hasSuffix("_" + $0) }) else { return false }
    let named = String(words.dropLast(ending.count + 1))
    guard !named.isEmpty else { return false }
    // `comment_id` of an `IssueComment`, unless there is a `Comment` as well.
    return named == stem || (stem.hasSuffix("_" + named) && !others.contains(named))
  }

  /// Whether a key is the name in a path: `username` in `/users/{username}`, `name` in `/templates/{template_name}`.
  static func isNamed(_ key: String, in names: [String]) -> Bool {
    let key = words(of: key)
    return !key.isEmpty
      && names.contains { name in
        let name = words(of: name)
        return name == key || name.hasSuffix("_" + key)
      }
  }

  /// Whether a description says that the values identify the row itself.
  static func isDescribed(_ schema: SyncJSON) -> Bool {
    let text = (schema["description"]?.string ?? "").lowercased()
    return ["unique identifier", "uniquely identif", "unique id "].contains { text.contains($0) }
      || text.hasSuffix("unique id") || text.hasSuffix("unique id.")
  }
}

extension DocumentInference {
  /// The key that identifies an object of any schema, by its name alone.
  func usualIdentity(of members: SchemaDocument.Members) -> DocumentIdentity? {
    guard let first = DocumentIdentity.usualKeys.firstIndex(where: { members[$0] != nil }) else { return nil }
    let seen = examples.object(of: members)
    return DocumentIdentity.usualKeys[first...].first { canIdentify($0, members, seen) }
      .map { DocumentIdentity(key: $0) }
  }

  /// The key that identifies the rows of an entry.
  func identity(of entry: SchemaDocument.Entry, _ members: SchemaDocument.Members) -> DocumentIdentity? {
    if let usual = usualIdentity(of: members) { return usual }
    let stem = DocumentIdentity.stem(of: entry.name)
    let seen = examples.object(of: members)
    let keys = members.list.map(\.key).filter { canIdentify($0, members, seen) }
    if let key = keys.first(where: { DocumentIdentity.isNamed($0, after: stem, besides: stems) }) {
      return DocumentIdentity(
        key: key, reason: "Chosen as the identity, because it has the name of the model.")
    }
    let certain = keys.filter { members[$0].map { !$0.allowsNull } ?? false }
    let names = usage.pathNames[entry.pointer] ?? []
    if let key = certain.first(where: { DocumentIdentity.isNamed($0, in: names) }) {
      return DocumentIdentity(key: key, reason: "Chosen as the identity, because a path selects a row by it.")
    }
    if certain.contains("key"), members["value"] == nil,
      DescribedType.scalar(of: members["key"] ?? .null, document) == "String"
    {
      return DocumentIdentity(key: "key", reason: "Chosen as the identity because of its name.")
    }
    let described = certain.first { key in
      let words = DocumentIdentity.words(of: key)
      // The identifier of another row is a relationship.
      let isOfOther = ["_id", "_uuid", "_key"].contains { ending in
        words.hasSuffix(ending) && stems.contains(String(words.dropLast(ending.count)))
      }
      return !isOfOther && members[key].map(DocumentIdentity.isDescribed) ?? false
    }
    return described.map {
      DocumentIdentity(key: $0, reason: "Chosen as the identity, because its description calls it unique.")
    }
  }

  /// Whether a member can be an identity: of a type that identities have, and in the examples too.
  ///
  /// - Parameter seen: the examples of the objects.
  private func canIdentify(
    _ key: String, _ members: SchemaDocument.Members, _ seen: DocumentExamples.Object?
  ) -> Bool {
    guard let schema = members[key], DraftName.pathPart(key) != nil, DescribedCases(of: schema) == nil,
      schema.constant == nil, schema["format"]?.string.map({ !$0.hasPrefix("date") }) ?? true
    else { return false }
    let type = DescribedType.identity(for: DescribedType.scalar(of: schema, document))
    return type != nil && !(seen?.mostlyLacks(key) ?? false)
  }
}

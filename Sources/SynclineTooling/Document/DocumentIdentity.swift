import Syncline
import SynclineNaming

/// The key that identifies the rows of a schema.
struct DocumentIdentity {
  let key: String
  /// The reason for choosing it; nil if the key has an identity's usual name.
  var reason: String?

  /// The usual names of identities, in any object.
  static let usualKeys = SampleShape.identityKeys + ["mal_id"]
  /// The last words of identity keys that begin with the name of the model.
  private static let endings = ["id", "uuid", "guid", "gid", "sid", "key"]
  /// The last words of schema names that do not belong to the model's name.
  private static let forms: Set<String> = [
    "response", "dto", "base", "compact", "full", "read", "model", "object", "resource", "detail", "details",
    "summary", "schema", "entity", "record", "info", "out", "output",
  ]

  /// The words of a key or a schema name, in snake case.
  static func words(of name: String) -> String {
    KeyWords.words(of: name).joined(separator: "_")
  }

  /// The name of a model without words such as “response”: `pet` for `PetResponse`.
  static func stem(of name: String) -> String {
    var parts = words(of: name).split(separator: "_")
    while parts.count > 1, let last = parts.last, forms.contains(String(last)) { parts.removeLast() }
    return parts.joined(separator: "_")
  }

  /// Whether a key consists of the name of a model and a word for identities.
  static func isNamed(_ key: String, after stem: String, besides others: Set<String>) -> Bool {
    let words = words(of: key)
    guard let ending = endings.first(where: { words.hasSuffix("_" + $0) }) else { return false }
    let named = String(words.dropLast(ending.count + 1))
    guard !named.isEmpty else { return false }
    // `comment_id` of an `IssueComment`, unless there is a `Comment` as well.
    return named == stem || (stem.hasSuffix("_" + named) && !others.contains(named))
  }

  /// Whether a key matches a path parameter: `username` in `/users/{username}`, `name` in `/templates/{template_name}`.
  static func isNamed(_ key: String, in names: [String]) -> Bool {
    let key = words(of: key)
    return !key.isEmpty
      && names.contains { name in
        let name = words(of: name)
        return name == key || name.hasSuffix("_" + key)
      }
  }

  /// Whether the description of a schema says that its values identify the row.
  static func isDescribed(_ schema: SyncJSON) -> Bool {
    let text = (schema["description"]?.string ?? "").lowercased()
    return ["unique identifier", "uniquely identif", "unique id "].contains { text.contains($0) }
      || text.hasSuffix("unique id") || text.hasSuffix("unique id.")
  }
}

extension DocumentInference {
  /// The identity of an object, found only by the usual names of identities.
  func usualIdentity(of members: SchemaDocument.Members) -> DocumentIdentity? {
    guard let first = DocumentIdentity.usualKeys.firstIndex(where: { members[$0] != nil }) else { return nil }
    let seen = examples.object(of: members)
    return DocumentIdentity.usualKeys[first...].first { canIdentify($0, members, seen) }
      .map { DocumentIdentity(key: $0) }
  }

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
      // The identity of another row is the key of a relationship.
      let isOfOther = ["_id", "_uuid", "_key"].contains { ending in
        words.hasSuffix(ending) && stems.contains(String(words.dropLast(ending.count)))
      }
      return !isOfOther && members[key].map(DocumentIdentity.isDescribed) ?? false
    }
    return described.map {
      DocumentIdentity(key: $0, reason: "Chosen as the identity, because its description calls it unique.")
    }
  }

  /// Whether a member can be an identity: it has a type of identities, and most examples have a value.
  private func canIdentify(
    _ key: String, _ members: SchemaDocument.Members, _ seen: DocumentExamples.Object?
  ) -> Bool {
    guard let schema = members[key], RemotePath.part(key) != nil, schema.describedCases == nil,
      schema.constant == nil, schema["format"]?.string.map({ !$0.hasPrefix("date") }) ?? true
    else { return false }
    let type = DescribedType.identity(for: DescribedType.scalar(of: schema, document))
    return type != nil && !(seen?.mostlyLacks(key) ?? false)
  }
}

import Syncline
import SynclineCompiler
import Testing

/// Two words at one model, or at its target: both concern all rows.
struct ModelComposition: Sendable, CustomTestStringConvertible {
  /// The names of the words.
  let words: [String]

  /// Attributes, settings of the target, and rows that are lists.
  private static let texts: [(name: String, text: String)] = [
    ("@Null", #"@Null("none")"#), ("@OneOrMany", "@OneOrMany"), ("@Deleted", #"@Deleted("gone")"#),
    ("@Below", #"@Below("data")"#), ("@SoftDelete", #"@SoftDelete(\.deletedAt)"#),
    ("@UpdatedAt", #"@UpdatedAt(\.updatedAt)"#), ("@Offline", "@Offline"),
    ("@PrimaryKey", #"@PrimaryKey(\.id, \.part)"#), ("@TypeName", #"@TypeName("rows")"#),
    ("@Index", #"@Index(\.note)"#), ("@Singleton", "@Singleton"), ("@RenamedFrom", #"@RenamedFrom("Old")"#),
    ("keyStyle:", "keyStyle: pascalCase"), ("null:", #"null: ["none"]"#), ("lists", ""),
  ]

  /// Words that cannot stand together.
  private static let refused: [(word: String, others: Set<String>, code: DiagnosticCode)] = [
    ("lists", ["@Below", "@Deleted"], .noPlaceInRow),
    ("@Singleton", ["@PrimaryKey"], .invalidSingleton),
  ]

  static let all: [ModelComposition] = texts.indices.flatMap { first in
    texts[(first + 1)...].map { second in ModelComposition(words: [texts[first].name, second.name]) }
  }

  var testDescription: String { words.joined(separator: " ") }

  func has(_ name: String) -> Bool { words.contains(name) }

  var refusal: DiagnosticCode? {
    ModelComposition.refused.first { has($0.word) && !$0.others.isDisjoint(with: words) }?.code
  }

  // MARK: The schema

  private var properties: [(name: String, type: String)] {
    var properties: [(name: String, type: String)] = [("id", "Int")]
    if has("@PrimaryKey") { properties.append(("part", "Int")) }
    properties += [("note", "String?"), ("updatedAt", "Date?"), ("deletedAt", "Date?")]
    return properties
  }

  /// How many of the properties identify a row.
  private var identityCount: Int { has("@Singleton") ? 0 : has("@PrimaryKey") ? 2 : 1 }

  var schema: String {
    let texts = ModelComposition.texts.filter { has($0.name) }
    let settings = texts.filter { $0.name.hasSuffix(":") }.map(\.text)
    let attributes = texts.filter { $0.name.hasPrefix("@") }.map(\.text)
    let members = properties.enumerated().map { place, property in
      (has("lists") ? "@RemoteKey(\"[\(place)]\") " : "") + "\(property.name): \(property.type)"
    }
    let target = settings.isEmpty ? "" : "schema { \(settings.joined(separator: "; ")) }\n"
    let head = attributes.map { $0 + " " }.joined()
    return "\(target)\(head)model Row { \(members.joined(separator: "; ")) }"
  }

  // MARK: Payloads

  /// A row with a note, later than those of the days before.
  func payload(_ note: SyncJSON, day: Int) -> String {
    let stamp = SyncJSON.string("2024-05-0\(day)T00:00:00.000Z")
    let values: [String: SyncJSON] = ["id": 1, "part": 2, "note": note, "updatedAt": stamp]
    let members = properties.map { (key($0.name), spelled(values[$0.name] ?? .null)) }
    if has("lists") { return "[\(SyncJSON.array(members.map(\.1)))]" }
    guard has("@Below") else { return "[\(SyncJSON.object(SyncJSONObject(members)))]" }
    var row = SyncJSONObject(members[..<identityCount])
    row["data"] = .object(SyncJSONObject(members[identityCount...]))
    return "[\(SyncJSON.object(row))]"
  }

  /// A row that is marked as deleted, with nothing but its identity; nil without the word.
  var deletion: String? {
    guard has("@Deleted") else { return nil }
    var row = SyncJSONObject([("gone", true)])
    row[key("id")] = 1
    if has("@PrimaryKey") { row[key("part")] = 2 }
    return "[\(SyncJSON.object(row))]"
  }

  private func key(_ name: String) -> String {
    if has("keyStyle:") { return name.prefix(1).uppercased() + name.dropFirst() }
    return ["updatedAt": "updated_at", "deletedAt": "deleted_at"][name] ?? name
  }

  private func spelled(_ value: SyncJSON) -> SyncJSON {
    let value = value.isNull && (has("@Null") || has("null:")) ? "none" : value
    return has("@OneOrMany") ? [value] : value
  }
}

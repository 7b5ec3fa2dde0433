import Foundation
import Syncline

/// A document that describes payloads: OpenAPI 3 with components, or JSON Schema with definitions.
package struct SchemaDocument {
  /// Why a document has no usable schemas.
  package struct Mistake: Error, CustomStringConvertible {
    package let description: String
  }

  /// A named schema of the document.
  struct Entry {
    let name: String
    /// Its JSON pointer, as in references.
    let pointer: String
    let schema: SyncJSON
  }

  /// The maximum number of references that are followed, since a document may have a chain of any length.
  static let levelLimit = 64

  private let root: SyncJSON
  let entries: [Entry]

  /// - Parameter name: the name of a JSON Schema's root schema if it has no title.
  /// - Throws: ``Mistake`` if the document describes no payload.
  package init(_ root: SyncJSON, named name: String) throws(Mistake) {
    self.root = root
    var entries: [Entry] = []
    for path in [["components", "schemas"], ["$defs"], ["definitions"]] {
      var place: SyncJSON? = root
      for key in path { place = place?[key] }
      for (key, schema) in place?.object ?? SyncJSONObject() where schema.object != nil {
        let pointer = "#/" + (path + [SchemaDocument.escaped(key)]).joined(separator: "/")
        entries.append(Entry(name: key, pointer: pointer, schema: schema))
      }
    }
    let isSchema = ["properties", "allOf", "items", "$ref"].contains { root[$0] != nil }
    if isSchema { entries.append(Entry(name: root["title"]?.string ?? name, pointer: "#", schema: root)) }
    guard !entries.isEmpty else {
      let version = root["swagger"] == nil ? "" : " It is one of Swagger 2: convert it to OpenAPI 3."
      throw Mistake(description: "The document has neither “components.schemas” nor a JSON Schema.\(version)")
    }
    self.entries = entries
  }

  private static func escaped(_ key: String) -> String {
    key.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  /// The schema that a reference selects in this document; nil if there is none, or if it is in another document.
  func schema(at reference: String) -> SyncJSON? {
    guard reference.hasPrefix("#") else { return nil }
    var place: SyncJSON? = root
    for step in reference.dropFirst().split(separator: "/") {
      let text = String(step).removingPercentEncoding ?? String(step)
      let key = text.replacing("~1", with: "/").replacing("~0", with: "~")
      place = place?[key] ?? (place?.array != nil ? Int(key).flatMap { place?[$0] } : nil)
    }
    return place
  }

  /// The members of an object, and which of them are required, collected from all parts of its schema.
  struct Members {
    var list: [(key: String, schema: SyncJSON)] = []
    var required: Set<String> = []
    /// The schema of the values under other keys.
    var others: SyncJSON?
  }

  func members(of schema: SyncJSON) -> Members {
    var members = Members()
    var seen: Set<String> = []
    collect(schema, &members, &seen, level: 0)
    return members
  }

  private func collect(_ schema: SyncJSON, _ members: inout Members, _ seen: inout Set<String>, level: Int) {
    guard level < SchemaDocument.levelLimit else { return }
    if let reference = schema["$ref"]?.string, seen.insert(reference).inserted,
      let target = self.schema(at: reference)
    {
      collect(target, &members, &seen, level: level + 1)
    }
    for part in schema["allOf"]?.array ?? [] { collect(part, &members, &seen, level: level + 1) }
    for (key, value) in schema["properties"]?.object ?? SyncJSONObject() {
      if let known = members.list.firstIndex(where: { $0.key == key }) {
        // A later part replaces the schema if it has a type.
        if value["type"] != nil || value["$ref"] != nil { members.list[known].schema = value }
      } else {
        members.list.append((key, value))
      }
    }
    members.required.formUnion(schema["required"]?.array?.compactMap(\.string) ?? [])
    if let others = schema["additionalProperties"], others.object?.isEmpty == false {
      members.others = others
    }
  }
}

extension SyncJSON {
  /// The types in `type`, without null.
  var namedTypes: [String] {
    let names = self["type"]?.string.map { [$0] } ?? self["type"]?.array?.compactMap(\.string) ?? []
    return names.filter { $0 != "null" }
  }

  /// Whether a JSON Schema allows null.
  var allowsNull: Bool {
    self["nullable"]?.bool == true || self["type"]?.array?.contains("null") == true
      || self["type"]?.string == "null" || self["enum"]?.array?.contains(where: \.isNull) == true
  }

  /// The alternatives of `oneOf` or `anyOf`, without null.
  var variants: [SyncJSON]? {
    (self["oneOf"] ?? self["anyOf"])?.array?.filter { $0["type"]?.string != "null" }
  }

  /// Whether one of the alternatives is null.
  var hasNullVariant: Bool {
    (self["oneOf"] ?? self["anyOf"])?.array?.contains { $0["type"]?.string == "null" } ?? false
  }
}

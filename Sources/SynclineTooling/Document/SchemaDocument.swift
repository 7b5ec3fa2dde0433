import Foundation
import Syncline

/// A document that describes payloads: OpenAPI 3, Swagger 2, or a JSON Schema, with the files that it refers to.
package struct SchemaDocument {
  struct Entry {
    let name: String
    /// Its JSON pointer, in the form of a reference.
    let pointer: String
    let schema: SyncJSON
  }

  /// The maximum number of references that are followed, since a chain of references may be arbitrarily long.
  static let levelLimit = 64
  /// The members that hold named schemas: OpenAPI 3, JSON Schema, and Swagger 2 or older JSON Schemas.
  private static let places = [["components", "schemas"], ["$defs"], ["definitions"]]

  let root: SyncJSON
  private(set) var entries: [Entry] = []
  /// The targets of entries that only contain a reference, by the entry's pointer.
  private var leads: [String: String] = [:]

  /// - Parameters:
  ///   - name: the name of a JSON Schema's root schema if it has no title.
  ///   - path: the path of the document, from which relative references start.
  ///   - read: reads another file of the document; nil if it cannot be read.
  /// - Throws: ``Mistake`` if the document describes no payload.
  package init(
    _ root: SyncJSON, named name: String, at path: String = "", reading read: ((String) -> SyncJSON?)? = nil
  ) throws(Mistake) {
    let files = read.map { DocumentFiles(of: root, at: path, reading: $0) }
    self.root = files?.root ?? root
    for place in SchemaDocument.places {
      var members: SyncJSON? = root
      for key in place { members = members?[key] }
      for key in members?.object?.keys ?? [] {
        add(key, at: "#/" + (place + [SchemaDocument.escaped(key)]).joined(separator: "/"))
      }
    }
    if ["properties", "allOf", "items", "$ref"].contains(where: { root[$0] != nil }) {
      entries.append(Entry(name: root["title"]?.string ?? name, pointer: "#", schema: self.root))
    }
    follow()
    if let files { addEntries(of: files) }
    guard !entries.isEmpty else {
      throw Mistake(
        "The document has neither schemas (“components.schemas”, or “definitions” in Swagger 2) nor is it a JSON Schema."
      )
    }
  }

  private mutating func add(_ name: String, at pointer: String) {
    guard let schema = schema(at: pointer), schema.object != nil else { return }
    entries.append(Entry(name: name, pointer: pointer, schema: schema))
  }

  /// Finds the entries that only refer to another schema. If that schema is not an entry, it gets the entry's name.
  private mutating func follow() {
    var pointers = Set(entries.map(\.pointer))
    var ends: [String: String] = [:]
    var kept: [Entry] = []
    for entry in entries {
      let target = end(of: entry, &ends)
      if target == entry.pointer {
        kept.append(entry)
        continue
      }
      leads[entry.pointer] = target
      if pointers.insert(target).inserted, let schema = schema(at: target), schema.object != nil {
        kept.append(Entry(name: entry.name, pointer: target, schema: schema))
      }
    }
    if !kept.isEmpty { entries = kept }
  }

  /// The pointer at the end of a chain of references. `ends` holds those of chains that were already followed.
  private func end(of entry: Entry, _ ends: inout [String: String]) -> String {
    var chain: [String] = []
    var (pointer, schema) = (entry.pointer, entry.schema)
    while ends[pointer] == nil {
      chain.append(pointer)
      // A cycle of references ends at its first repeated entry.
      ends[pointer] = pointer
      guard let reference = schema.singleReference, let next = self.schema(at: reference) else { break }
      (pointer, schema) = (reference, next)
    }
    let end = ends[pointer] ?? pointer
    for pointer in chain { ends[pointer] = end }
    return end
  }

  /// Adds the schemas in other files that are referred to.
  private mutating func addEntries(of files: DocumentFiles) {
    var pointers = Set(entries.map(\.pointer))
    for (pointer, name) in files.references where pointers.insert(pointer).inserted {
      guard let schema = schema(at: pointer), schema.isSchema else { continue }
      if let target = schema.singleReference, self.schema(at: target) != nil {
        leads[pointer] = canonical(target)
      } else {
        entries.append(Entry(name: name, pointer: pointer, schema: schema))
      }
    }
  }

  static func escaped(_ key: String) -> String {
    key.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  /// The key for a part of a JSON pointer, with its escapes resolved.
  static func unescaped(_ step: Substring) -> String {
    let text = String(step)
    return (text.removingPercentEncoding ?? text).replacing("~1", with: "/").replacing("~0", with: "~")
  }

  /// The pointer of the referenced schema, after following entries that only contain a reference.
  func canonical(_ reference: String) -> String { leads[reference] ?? reference }

  /// The schema that a reference refers to; nil if it does not exist, or if it is in another document.
  func schema(at reference: String) -> SyncJSON? {
    guard reference.hasPrefix("#") else { return nil }
    var place: SyncJSON? = root
    for step in reference.dropFirst().split(separator: "/") {
      let key = SchemaDocument.unescaped(step)
      place = place?[key] ?? (place?.array != nil ? Int(key).flatMap { place?[$0] } : nil)
    }
    return place
  }

  /// The object at the end of a chain of references; the value itself if it is not a reference.
  func resolved(_ value: SyncJSON) -> SyncJSON {
    var value = value
    for _ in 0..<SchemaDocument.levelLimit {
      guard let reference = value["$ref"]?.string, let next = schema(at: reference) else { return value }
      value = next
    }
    return value
  }
}

extension SyncJSON {
  /// The reference, if the schema contains nothing else.
  fileprivate var singleReference: String? {
    guard let object, let reference = object["$ref"]?.string,
      object.keys.allSatisfy({ ["$ref", "description", "summary", "title"].contains($0) })
    else { return nil }
    return reference
  }

  /// Whether it looks like a schema rather than a parameter, a response or a path.
  fileprivate var isSchema: Bool {
    guard let object, object["in"]?.string == nil, object["content"] == nil, object["responses"] == nil else {
      return false
    }
    return ["$ref", "properties", "allOf", "oneOf", "anyOf", "enum", "items", "type"]
      .contains { object[$0] != nil }
  }

  /// The types in `type`, except null.
  var namedTypes: [String] {
    let names = self["type"]?.string.map { [$0] } ?? self["type"]?.array?.compactMap(\.string) ?? []
    return names.filter { $0 != "null" }
  }

  var allowsNull: Bool {
    self["nullable"]?.bool == true || self["x-nullable"]?.bool == true
      || self["type"]?.array?.contains("null") == true || self["type"]?.string == "null"
      || self["enum"]?.array?.contains(where: \.isNull) == true
      || (self["oneOf"] ?? self["anyOf"])?.array?.contains(where: \.isNullSchema) ?? false
  }

  /// The alternatives of `oneOf` or `anyOf`, except null.
  var variants: [SyncJSON]? {
    (self["oneOf"] ?? self["anyOf"])?.array?.filter { !$0.isNullSchema }
  }

  private var isNullSchema: Bool {
    self["type"]?.string == "null"
      || self["enum"]?.array.map { !$0.isEmpty && $0.allSatisfy(\.isNull) } == true
      || self["const"]?.isNull == true
  }
}

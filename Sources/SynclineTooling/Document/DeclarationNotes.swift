import Foundation
import Syncline
import SynclineCompiler
import SynclineNaming

/// The notes of `syncline openapi` about a declaration. They contain what JSON Schema cannot express, so that the declaration can
/// be read back: its kind, its identity, and the names, types and keys of its properties.
struct DeclarationNotes {
  /// The key of the notes in a schema. Tools ignore members that begin with `x-`.
  static let key = "x-syncline"
  static let styleKey = "x-syncline-key-style"

  let name: String
  let kind: String
  private let json: SyncJSON

  /// Returns nil if a schema has no notes, or if they cannot be read.
  init?(of schema: SyncJSON) {
    guard let json = schema[DeclarationNotes.key],
      let kind = ["model", "struct", "enum", "union"].first(where: { json[$0] != nil }),
      let name = json[kind]?.string, DeclarationNotes.isName(name)
    else { return nil }
    self.json = json
    self.name = name
    self.kind = kind
  }

  static func style(of document: SchemaDocument) -> KeyStyle? {
    document.root[styleKey]?.string.flatMap(KeyStyle.init(rawValue:))
  }

  var attributes: [String] {
    var attributes: [String] = []
    if json["isSingleton"]?.bool == true { attributes.append("@Singleton") }
    let parts = json["primaryKey"]?.array?.compactMap(\.string).filter(DeclarationNotes.isName) ?? []
    if !parts.isEmpty { attributes.append(SchemaDraft.attribute("PrimaryKey", of: parts)) }
    if let parent = json["parent"]?.string, DeclarationNotes.isName(parent) {
      attributes.append(SchemaDraft.attribute("ParentScoped", of: [parent]))
    }
    if let path = json["below"]?.string, (try? RemotePath(path)) != nil {
      attributes.append("@Below(\(SwiftText.literal(path)))")
    }
    return attributes
  }

  var cases: [SchemaDraft.Declaration.Case] {
    let areNumbers = json["type"]?.string == "Int"
    return (json["cases"]?.object ?? SyncJSONObject()).compactMap { name, value in
      guard DeclarationNotes.isName(name), let raw = value.string ?? value.int.map(String.init),
        areNumbers == (value.string == nil)
      else { return nil }
      return .init(name: name, rawValue: raw, isNumber: areNumbers)
    }
  }

  /// The key of a union, and its cases: their names, types and values.
  var unionKey: String? { json["on"]?.string.flatMap { (try? RemotePath($0)) == nil ? nil : $0 } }
  var unionCases: [(name: String, type: String, tag: String)] {
    (json["cases"]?.object ?? SyncJSONObject()).compactMap { name, value in
      guard DeclarationNotes.isName(name), let type = value["type"]?.string, let tag = value["tag"]?.string
      else { return nil }
      return (name, type, tag)
    }
  }

  /// The properties, each with the members of the object that its keys begin with.
  func properties(_ places: [String: Int]) -> [(property: SchemaDraft.Property, members: [String])] {
    (json["properties"]?.array ?? []).compactMap { json in
      property(json, places).map { ($0, json["members"]?.array?.compactMap(\.string) ?? []) }
    }
  }

  private func property(_ json: SyncJSON, _ places: [String: Int]) -> SchemaDraft.Property? {
    guard let name = json["name"]?.string, DeclarationNotes.isName(name), let text = json["type"]?.string,
      let type = DeclarationNotes.type(text[...].dropLast(text.hasSuffix("?") ? 1 : 0), places, level: 0)
    else { return nil }
    var property = SchemaDraft.Property(name: name, type: type, isOptional: text.hasSuffix("?"))
    property.isIdentity = json["isIdentity"]?.bool == true
    let keys = json["keys"]?.array?.compactMap(\.string).filter(DeclarationNotes.isPath) ?? []
    if keys.count > 1 {
      property.attributes.append("@RemoteKey(\(keys.map(SwiftText.literal).joined(separator: ", ")))")
    } else if let key = keys.first {
      (property.key, property.isKeyExplicit) = (key, true)
    }
    if let format = json["dateFormat"]?.string {
      property.attributes.append("@DateFormat(\(SwiftText.literal(format)))")
    }
    if json["isExported"]?.bool == false { property.attributes.append("@NotExport") }
    property.defaultValue = json["default"].flatMap(DeclarationNotes.literal)
    if let inverse = json["inverse"] {
      if inverse.isNull { property.inverse = .nothing }
      if let name = inverse.string, DeclarationNotes.isName(name), let target = type.declaration {
        property.inverse = .property(declaration: target, name: name)
      }
    }
    if let rule = json["deleteRule"]?.string, Relationship.DeleteRule(rawValue: rule) != nil {
      property.deleteRule = rule
    }
    return property
  }

  /// A type such as `[String: [Tag]]`; nil if it contains an unknown name.
  private static func type(
    _ text: Substring, _ places: [String: Int], level: Int
  ) -> SchemaDraft.TypeReference? {
    guard level < 16 else { return nil }
    guard text.first == "[", text.last == "]" else {
      if let index = places[String(text)] { return .declared(index) }
      let plain = text.split(separator: ".").last.map(String.init) ?? ""
      return ScalarType(rawValue: plain).map { _ in .scalar(String(text)) }
    }
    var inner = text.dropFirst().dropLast()
    let isMap = inner.hasPrefix("String:")
    if isMap { inner = inner.dropFirst("String:".count).drop { $0 == " " } }
    return type(inner, places, level: level + 1).map { isMap ? .map($0) : .list($0) }
  }

  private static func literal(_ json: SyncJSON) -> String? {
    if let text = json.string { return SwiftText.literal(text) }
    if let bool = json.bool { return "\(bool)" }
    if let name = json["case"]?.string { return isName(name) ? ".\(name)" : nil }
    if json.object?.isEmpty == true { return "[:]" }
    if let elements = json.array {
      let literals = elements.compactMap(literal)
      return literals.count == elements.count ? "[\(literals.joined(separator: ", "))]" : nil
    }
    if case .number = json { return json.description }
    return nil
  }

  private static func isPath(_ text: String) -> Bool {
    text == RemotePath.itself
      || (try? RemotePath(text.hasPrefix(".") ? String(text.dropFirst()) : text)) != nil
  }

  /// Whether a string is an identifier, so that it can be written to a schema file.
  private static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text.utf8.count < 200 else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }
}

extension DocumentInference {
  mutating func declareNoted(_ entry: SchemaDocument.Entry) {
    guard let found = DeclarationNotes(of: entry.schema),
      !draft.declarations.contains(where: { $0.name == found.name })
    else { return }
    let kind: SchemaDraft.Declaration.Kind
    switch found.kind {
    case "model": kind = .model
    case "struct": kind = .structure
    case "enum" where !found.cases.isEmpty: kind = .enumeration(found.cases)
    case "union":
      guard let key = found.unionKey else { return }
      kind = .union(key: key)
    default: return
    }
    let index = add(kind, found.name, entry.schema)
    if draft.isModel(index) { draft.declarations[index].attributes = found.attributes }
    (roles[entry.pointer], notes[index]) = (.declared(index), found)
  }

  /// Adds the cases of unions with notes, after all declarations are known.
  mutating func completeNotedUnions() {
    places = Dictionary(
      zip(draft.declarations.map(\.name), draft.declarations.indices), uniquingKeysWith: { first, _ in first }
    )
    for (index, found) in notes {
      guard draft.isUnion(index) else { continue }
      draft.declarations[index].properties = found.unionCases.compactMap { entry in
        places[entry.type].map { SchemaDraft.Property(name: entry.name, type: .declared($0), key: entry.tag) }
      }
    }
  }

  /// Adds the properties in the notes of an entry, and returns the members that they read. Other members are added as for any
  /// other schema.
  mutating func addNoted(to index: Int) -> Set<String> {
    guard let found = notes[index] else { return [] }
    let properties = found.properties(places)
    draft.declarations[index].properties += properties.map(\.property)
    return Set(properties.flatMap(\.members))
  }
}

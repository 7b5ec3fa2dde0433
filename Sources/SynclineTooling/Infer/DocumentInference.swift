import Syncline
import SynclineCompiler
import SynclineNaming

/// Proposes a schema for an OpenAPI 3 document or a JSON Schema. An object with an identity becomes a model, any other
/// object a struct. An object that only contains rows gets no declaration, since the rows themselves are synced.
package struct DocumentInference {
  /// The role of a schema of the document.
  enum Role {
    case model(Int), structure(Int), enumeration(Int)
    /// An object that only contains rows.
    case envelope
    /// Another name for a type.
    case alias
  }

  private static let propertyLimit = 500

  let document: SchemaDocument
  var draft = SchemaDraft()
  private let style: KeyStyle
  var roles: [String: Role] = [:]
  /// The types of aliases, and the aliases being resolved, which detects cycles.
  var aliases: [String: DescribedType] = [:]
  var open: Set<String> = []

  package init(of document: SchemaDocument) {
    self.document = document
    var keys = KeyStyleCount()
    for entry in document.entries {
      for member in document.members(of: entry.schema).list { keys.add(member.key) }
    }
    style = keys.style
    draft.state(style)
    declare()
    for entry in document.entries {
      if case .model(let index)? = roles[entry.pointer] { addIdentity(of: entry.schema, to: index) }
    }
    for entry in document.entries {
      switch roles[entry.pointer] {
      case .model(let index), .structure(let index): addMembers(of: entry.schema, to: index)
      case .enumeration, .envelope, .alias, nil: break
      }
    }
    dropParts()
    draft.repair()
  }

  /// The schema file.
  package var text: String { draft.text }

  // MARK: Declarations

  private mutating func declare() {
    var envelopes: [String] = []
    for entry in document.entries {
      let members = document.members(of: entry.schema)
      if let cases = DescribedType.cases(of: entry.schema) {
        roles[entry.pointer] = .enumeration(add(cases, DraftName.type(entry.name), entry.schema))
      } else if members.list.isEmpty || entry.schema.variants != nil {
        roles[entry.pointer] = .alias
      } else if identity(of: members) != nil {
        roles[entry.pointer] = .model(add(.model, DraftName.type(entry.name), entry.schema))
      }
    }
    for entry in document.entries where roles[entry.pointer] == nil {
      // A root schema with definitions may only be the list of them.
      if holdsRows(entry.schema) {
        roles[entry.pointer] = .envelope
        envelopes.append(entry.name)
      }
    }
    for entry in document.entries where roles[entry.pointer] == nil {
      roles[entry.pointer] = .structure(add(.structure, DraftName.type(entry.name), entry.schema))
    }
    if !envelopes.isEmpty {
      draft.comments.append(
        "Left out, as they hold rows and are none, which “at:” finds in them: \(envelopes.joined(separator: ", "))."
      )
    }
  }

  mutating func add(_ kind: SchemaDraft.Declaration.Kind, _ name: String, _ schema: SyncJSON) -> Int {
    var declaration = SchemaDraft.Declaration(kind: kind, name: name)
    declaration.documentation = DescribedType.documentation(of: schema)
    return draft.add(declaration)
  }

  mutating func add(_ values: [String], _ name: String, _ schema: SyncJSON) -> Int {
    add(.enumeration(SchemaDraft.Declaration.cases(of: values)), name, schema)
  }

  /// The key that identifies an object.
  func identity(of members: SchemaDocument.Members) -> String? {
    SampleShape.identityKeys.first { key in
      members.list.contains { $0.key == key && DescribedType.isIdentity($0.schema, document) }
    }
  }

  /// Whether a value contains rows at any depth.
  func holdsRows(_ schema: SyncJSON) -> Bool {
    var seen: Set<String> = []
    return holdsRows(schema, &seen, level: 0)
  }

  private func holdsRows(_ schema: SyncJSON, _ seen: inout Set<String>, level: Int) -> Bool {
    guard level < SchemaDocument.levelLimit else { return false }
    if let reference = schema["$ref"]?.string {
      if case .model? = roles[reference] { return true }
      if roles[reference] != nil { return false }
      guard seen.insert(reference).inserted, let target = document.schema(at: reference) else { return false }
      return holdsRows(target, &seen, level: level + 1)
    }
    if let items = schema["items"], holdsRows(items, &seen, level: level + 1) { return true }
    let parts = (schema["allOf"]?.array ?? []) + (schema.variants ?? [])
    let members = document.members(of: schema)
    if level > 0, identity(of: members) != nil { return true }
    for part in parts + members.list.map(\.schema) where holdsRows(part, &seen, level: level + 1) {
      return true
    }
    return false
  }

  /// Drops declarations that are only parts of others and not the type of a property.
  private mutating func dropParts() {
    let parts = Set(
      document.entries.flatMap { $0.schema["allOf"]?.array ?? [] }.compactMap { $0["$ref"]?.string })
    let used = Set(draft.declarations.flatMap(\.properties).compactMap(\.type.declaration))
    for part in parts {
      guard case .structure(let index)? = roles[part], !used.contains(index) else { continue }
      draft.declarations[index].isLeftOut = true
    }
  }

  // MARK: Members

  mutating func addMembers(of schema: SyncJSON, at path: [String] = [], to index: Int) {
    let members = document.members(of: schema)
    let identity = path.isEmpty && draft.isModel(index) ? identity(of: members) : nil
    for (key, value) in members.list where key != identity {
      // Objects that contain each other would expand to too many members to be useful.
      guard draft.declarations[index].properties.count < DocumentInference.propertyLimit else { return }
      guard let part = DraftName.pathPart(key) else {
        draft.declarations[index].comments.append(
          "Left out: the key \(SwiftText.literal(key)), which no path can have.")
        continue
      }
      if value["writeOnly"]?.bool == true { continue }
      let place = path + [part]
      if draft.isModel(index), path.count < 8, isEnvelope(value) {
        addMembers(of: value, at: place, to: index)
      } else {
        addMember(place, value, isRequired: members.required.contains(key) && path.isEmpty, to: index)
      }
    }
  }

  private func isEnvelope(_ schema: SyncJSON) -> Bool {
    if let reference = schema["$ref"]?.string, case .envelope? = roles[reference] { return true }
    let members = document.members(of: schema)
    return schema["$ref"] == nil && !members.list.isEmpty && identity(of: members) == nil && holdsRows(schema)
  }

  mutating func addIdentity(of row: SyncJSON, to index: Int) {
    let members = document.members(of: row)
    guard let key = identity(of: members), let schema = members.list.first(where: { $0.key == key })?.schema
    else {
      return
    }
    let type = DescribedType.scalar(of: schema, document)
    var property = SchemaDraft.Property(
      name: DraftName.property(key), type: .scalar(type == "Int" || type == "UUID" ? type : "String"),
      key: key,
      isIdentity: true)
    property.documentation = DescribedType.documentation(of: schema)
    property.isKeyExplicit = !KeyCandidates.identity(property.name, style: style).contains(key)
    draft.declarations[index].properties.append(property)
  }

  private mutating func addMember(_ path: [String], _ schema: SyncJSON, isRequired: Bool, to index: Int) {
    let key = path.last ?? ""
    var described = type(of: schema, key, in: index)
    var name = DraftName.property(key)
    if draft.declarations[index].properties.contains(where: { $0.name == name }), path.count > 1 {
      name = DraftName.property(path.suffix(2).joined(separator: "_"))
    }
    let rowKey = self.rowKey(path, schema, described, in: index)
    if let rowKey { (name, described.type) = (rowKey.name, .declared(rowKey.model)) }
    name = draft.freeName(name, in: index)
    var property = SchemaDraft.Property(name: name, type: described.type)
    property.documentation = DescribedType.documentation(of: schema)
    property.comments = described.comments
    property.attributes = described.attributes
    property.key = path.joined(separator: ".")
    property.isOptional = !isRequired || described.isNullable || described.type == .scalar("JSON")
    var candidates = KeyCandidates.scalar(name, style: style)
    if draft.isModel(index), draft.isRelationship(property) {
      if case .list = property.type {
        property.isOptional = false
        candidates = KeyCandidates.toMany(name, style: style)
      } else {
        candidates = KeyCandidates.toOne(name, style: style)
      }
    }
    if schema["readOnly"]?.bool == true { property.attributes.append("@NotExport") }
    property.isKeyExplicit = path.count > 1 || !candidates.contains(key)
    draft.declarations[index].properties.append(property)
  }

  /// The relationship for a key such as `project_id`, if there is such a model.
  private func rowKey(
    _ path: [String], _ schema: SyncJSON, _ described: DescribedType, in index: Int
  ) -> (name: String, model: Int)? {
    guard path.count == 1, let key = path.first, draft.isModel(index),
      case .scalar(let type) = described.type,
      let ending = ["_id", "Id", "ID"].first(where: { key.hasSuffix($0) })
    else { return nil }
    let stem = String(key.dropLast(ending.count))
    let model = roles.values.compactMap { role in if case .model(let index) = role { index } else { nil } }
      .first { draft.declarations[$0].name == DraftName.type(stem) }
    guard let model, !stem.isEmpty,
      !draft.declarations[index].properties.contains(where: { $0.name == DraftName.property(stem) }),
      let identity = draft.declarations[model].properties.first(where: \.isIdentity),
      identity.type == .scalar(type)
    else { return nil }
    return (DraftName.property(stem), model)
  }
}

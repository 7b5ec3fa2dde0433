import Syncline
import SynclineCompiler
import SynclineNaming

/// Proposes a schema for an OpenAPI document or a JSON Schema. An object with an identity becomes a model, any other
/// object a struct. An object that only contains rows gets no declaration, since the rows themselves are synced.
package struct DocumentInference {
  enum Role {
    /// The type with this index in the draft.
    case declared(Int)
    /// An object that only contains rows.
    case envelope
    /// Another name for a type.
    case alias
  }

  /// The maximum number of properties, since a table has at most 1,999 columns, and the number from which the members of nested
  /// objects are left out. Objects that contain each other would expand to an unusable number.
  private static let propertyLimits = (all: 1_900, nested: 500)

  let document: SchemaDocument
  let usage: DocumentUsage
  let examples: DocumentExamples
  /// The names of the document's schemas, without words such as “response”.
  let stems: Set<String>
  var draft = SchemaDraft()
  let style: KeyStyle
  /// The roles, by pointer.
  var roles: [String: Role] = [:]
  /// The notes of `syncline openapi` about declarations, by the declaration's index.
  var notes: [Int: DeclarationNotes] = [:]
  /// The indices of the declarations with notes, by name.
  var places: [String: Int] = [:]
  /// The keys of the identities, by the index of the model.
  private var identities: [Int: DocumentIdentity] = [:]
  /// The types of aliases, and the aliases being resolved, which detects cycles.
  var aliases: [String: DescribedType] = [:]
  var open: Set<String> = []
  private var models: [String: Int] = [:]

  package init(of document: SchemaDocument) {
    self.document = document
    usage = DocumentUsage(of: document)
    examples = DocumentExamples(of: document, usage)
    stems = Set(document.entries.map { DocumentIdentity.stem(of: $0.name) })
    var keys = KeyStyleCount()
    for entry in document.entries where DeclarationNotes(of: entry.schema) == nil {
      for member in document.members(of: entry.schema).list { keys.add(member.key) }
    }
    style = DeclarationNotes.style(of: document) ?? keys.style
    draft.state(style)
    declare()
    let objects = document.entries.compactMap { entry in
      object(roles[entry.pointer]).map { (schema: entry.schema, index: $0) }
    }
    for object in objects where draft.isModel(object.index) {
      addIdentity(of: object.schema, to: object.index)
    }
    for object in objects { addMembers(of: object.schema, to: object.index) }
    dropParts()
    draft.repair()
  }

  package var text: String { draft.text }

  private mutating func declare() {
    let isRequested = { [usage] (entry: SchemaDocument.Entry) in usage.onlyRequested.contains(entry.pointer) }
    let entries = document.entries.filter { !isRequested($0) }
    leaveOut(document.entries.filter(isRequested), "Left out, as only requests have them")
    for entry in entries where roles[entry.pointer] == nil {
      declareNoted(entry)
      if roles[entry.pointer] != nil { continue }
      let members = document.members(of: entry.schema)
      if let cases = entry.schema.describedCases {
        declare(.enumeration(cases), entry)
      } else if members.list.isEmpty || entry.schema.variants != nil {
        roles[entry.pointer] = .alias
      } else if let identity = identity(of: entry, members) {
        let index = declare(.model, entry)
        identities[index] = identity
      }
    }
    declareUnions(of: entries)
    var envelopes: [SchemaDocument.Entry] = []
    // A root schema with definitions may only serve to contain them.
    for entry in entries where roles[entry.pointer] == nil && holdsRows(entry.schema) {
      roles[entry.pointer] = .envelope
      envelopes.append(entry)
    }
    for entry in entries where roles[entry.pointer] == nil {
      declare(.structure, entry)
    }
    declareUnions(of: entries)
    completeNotedUnions()
    leaveOut(envelopes, "Left out as envelopes (pass the path of their rows as “at:”)")
  }

  private mutating func leaveOut(_ entries: [SchemaDocument.Entry], _ reason: String) {
    guard !entries.isEmpty else { return }
    draft.comments.append("\(reason): \(entries.map(\.name).joined(separator: ", ")).")
  }

  /// Declares the unions: entries that are a choice between other entries.
  private mutating func declareUnions(of entries: [SchemaDocument.Entry]) {
    for entry in entries {
      guard case .alias? = roles[entry.pointer], let described = document.union(of: entry.schema),
        let cases = cases(of: described, { _, _, _ in nil })
      else { continue }
      roles[entry.pointer] = .declared(
        add(described, cases, named: DraftName.type(entry.name), of: entry.schema))
    }
  }

  @discardableResult
  private mutating func declare(_ kind: SchemaDraft.Declaration.Kind, _ entry: SchemaDocument.Entry) -> Int {
    let index = add(kind, DraftName.type(entry.name), entry.schema)
    roles[entry.pointer] = .declared(index)
    return index
  }

  mutating func add(_ kind: SchemaDraft.Declaration.Kind, _ name: String, _ schema: SyncJSON) -> Int {
    var declaration = SchemaDraft.Declaration(kind: kind, name: name)
    declaration.documentation = DescribedType.documentation(of: schema)
    let index = draft.add(declaration)
    if case .model = kind { models[draft.declarations[index].name] = index }
    return index
  }

  /// Removes declarations that are only parts of others and not the type of a property.
  private mutating func dropParts() {
    let parts = Set(
      document.entries.flatMap { $0.schema["allOf"]?.array ?? [] }.compactMap { $0["$ref"]?.string }
        .map(document.canonical))
    let used = Set(draft.declarations.flatMap(\.properties).compactMap(\.type.declaration))
    for part in parts {
      guard let index = object(roles[part]), !draft.isModel(index) else { continue }
      if !used.contains(index), notes[index] == nil { draft.declarations[index].isLeftOut = true }
    }
  }

  mutating func addMembers(of schema: SyncJSON, at path: [String] = [], to index: Int) {
    let members = document.members(of: schema)
    let seen = examples.object(of: members)
    var taken: Set<String> = path.isEmpty ? addNoted(to: index) : []
    if path.isEmpty, let identity = identities[index] { taken.insert(identity.key) }
    for (key, value) in members.list where !taken.contains(key) {
      let (all, nested) = DocumentInference.propertyLimits
      guard draft.declarations[index].properties.count < (path.isEmpty ? all : nested) else {
        return draft.leaveOutRest(
          from: (path + [key]).joined(separator: "."), of: index,
          as: path.isEmpty ? "a table has at most 1,999 columns" : "nested objects have too many members")
      }
      guard let part = RemotePath.part(key) else {
        draft.declarations[index].comments.append(
          "Left out: the key \(SwiftText.literal(key)), which no path can have.")
        continue
      }
      if value["writeOnly"]?.bool == true { continue }
      let place = path + [part]
      if draft.isModel(index), path.count < 8, isEnvelope(value) {
        addMembers(of: value, at: place, to: index)
      } else {
        let isRequired = members.required.contains(key) && path.isEmpty && !(seen?.lacks(key) ?? false)
        addMember(place, value, seen?.members[key], isRequired: isRequired, to: index)
      }
    }
  }

  private func isEnvelope(_ schema: SyncJSON) -> Bool {
    if let reference = schema["$ref"]?.string, case .envelope? = role(of: reference) { return true }
    let members = document.members(of: schema)
    return schema["$ref"] == nil && !members.list.isEmpty && usualIdentity(of: members) == nil
      && schema.variants == nil && holdsRows(schema)
  }

  /// Records the identity of a model's rows, and adds its property.
  mutating func addIdentity(of row: SyncJSON, to index: Int) {
    if notes[index] != nil { return }
    let members = document.members(of: row)
    guard let identity = identities[index] ?? usualIdentity(of: members), let schema = members[identity.key]
    else {
      return
    }
    identities[index] = identity
    var described = DescribedType(of: schema, document)
    if let seen = examples.object(of: members)?.members[identity.key] { described.widen(for: seen, draft) }
    var type = "String"
    if case .scalar(let name) = described.type { type = DescribedType.identity(for: name) ?? type }
    var property = SchemaDraft.Property(
      name: DraftName.property(identity.key), type: .scalar(type),
      key: RemotePath.part(identity.key) ?? identity.key, isIdentity: true)
    property.documentation = DescribedType.documentation(of: schema)
    property.comments = [identity.reason].compactMap(\.self)
    property.isKeyExplicit = !KeyCandidates.identity(property.name, style: style).contains(identity.key)
    draft.declarations[index].properties.append(property)
  }

  private mutating func addMember(
    _ path: [String], _ schema: SyncJSON, _ seen: DocumentExamples.Member?, isRequired: Bool, to index: Int
  ) {
    let key = path.last ?? ""
    var described = type(of: schema, at: Place(key: key, index: index))
    if let seen { described.widen(for: seen, draft) }
    var name = DraftName.property(KeyWords.telling(key, under: path.dropLast().last))
    if draft.declarations[index].properties.contains(where: { $0.name == name }), path.count > 1 {
      name = DraftName.property(path.suffix(2).joined(separator: "_"))
    }
    let rowKey = self.rowKey(path, described, in: index)
    if let rowKey { (name, described.type) = (rowKey.name, .declared(rowKey.model)) }
    name = draft.freeName(name, in: index)
    var property = SchemaDraft.Property(name: name, type: described.type)
    property.documentation = DescribedType.documentation(of: schema)
    property.comments = described.comments
    property.key = path.joined(separator: ".")
    property.isOptional = !isRequired || described.isNullable || described.type == .scalar("JSON")
    var candidates = KeyCandidates.scalar(name, style: style)
    if draft.isModel(index), draft.isRelationship(property) {
      candidates = property.settleRelationship(style: style)
    }
    if schema["readOnly"]?.bool == true { property.attributes.append("@NotExport") }
    property.isKeyExplicit = path.count > 1 || !candidates.contains(key)
    draft.declarations[index].properties.append(property)
  }

  /// The relationship for a key such as `project_id`, if that model exists.
  private func rowKey(
    _ path: [String], _ described: DescribedType, in index: Int
  ) -> (name: String, model: Int)? {
    guard path.count == 1, let key = path.first, draft.isModel(index),
      case .scalar(let type) = described.type,
      let ending = ["_id", "Id", "ID", "_gid", "_sid", "_uuid"].first(where: { key.hasSuffix($0) })
    else { return nil }
    let stem = String(key.dropLast(ending.count))
    guard !stem.isEmpty, let model = models[DraftName.type(stem)],
      !draft.declarations[index].properties.contains(where: { $0.name == DraftName.property(stem) }),
      let identity = draft.declarations[model].properties.first(where: \.isIdentity),
      let keyType = DescribedType.identity(for: type), identity.type == .scalar(keyType)
    else { return nil }
    return (DraftName.property(stem), model)
  }
}

import SynclineCompiler

/// Proposes a schema for model classes of SwiftSync (`@Syncable @Model`) and SwiftData (`@Model`).
package struct SwiftSyncMigration {
  struct Source {
    let file: String
    var declaration: SwiftModels.Declaration
  }

  var draft = SchemaDraft()
  /// The declarations by their qualified names.
  var sources: [String: Source] = [:]
  /// The qualified name of the last declaration with an unqualified name: `Task.Kind` for `Kind`.
  var fullNames: [String: String] = [:]
  var aliases: [String: SwiftModels.Tokens] = [:]
  /// The indices of declarations in the draft, by their qualified names.
  var places: [String: Int] = [:]
  /// Structs and enums that are used by a property, and whose members have not been read yet.
  var pending: [String] = []
  private var parents: [String: String] = [:]
  package var modelCount: Int { draft.declarations.indices.count(where: draft.isModel) }

  package init(_ sources: [(name: String, text: String)]) {
    var models: [Source] = []
    for source in sources {
      let file = SwiftModels(source.text)
      parents.merge(file.parents) { first, _ in first }
      aliases.merge(file.aliases) { first, _ in first }
      for declaration in file.declarations {
        let source = Source(file: source.name, declaration: declaration)
        self.sources[declaration.name] = source
        fullNames[declaration.ownName] = declaration.name
        if declaration.kind == .model { models.append(source) }
      }
    }
    for model in distinct(models) { fill(inheriting(model), in: places[model.declaration.name] ?? 0) }
    while let name = pending.popLast() {
      if let index = places[name], let source = self.sources[name] { fill(source, in: index) }
    }
    pair()
    draft.repair()
  }

  package var text: String { draft.text }

  /// Adds models to the draft. If several have the same name, as in versioned schemas, only the last is added.
  private mutating func distinct(_ models: [Source]) -> [Source] {
    var last: [String: Int] = [:]
    var result: [Source] = []
    for model in models {
      let name = model.declaration.ownName
      if let place = last[name] {
        draft.declarations[place].comments.append(
          "\(result[place].file):\(result[place].declaration.line): an earlier version of \(name) is left out."
        )
        result[place] = model
        places[model.declaration.name] = place
      } else {
        last[name] = result.count
        places[model.declaration.name] = draft.add(SchemaDraft.Declaration(kind: .model, name: name))
        result.append(model)
      }
    }
    return result
  }

  // MARK: Declarations

  /// A model with the properties of its superclasses, since a schema has no inheritance.
  private mutating func inheriting(_ model: Source) -> Source {
    var result = model
    var names: Set<String> = [model.declaration.name]
    while let parent = superclass(of: result), names.insert(parent.declaration.name).inserted {
      result.declaration.properties = parent.declaration.properties + result.declaration.properties
      result.declaration.inherited = parent.declaration.inherited
      if let index = places[model.declaration.name] {
        draft.declarations[index].comments.append(
          "\(model.file):\(model.declaration.line): the properties of \(parent.declaration.ownName) are repeated here."
        )
      }
    }
    return result
  }

  private func superclass(of model: Source) -> Source? {
    guard case .word? = model.declaration.inherited.dropFirst().first else { return nil }
    let name = Array(model.declaration.inherited.dropFirst().prefix { $0 != .sign(",") }).typePath
    let source = name.flatMap { declared($0, in: model.declaration.name) }.flatMap { sources[$0] }
    return source?.declaration.kind == .model ? source : nil
  }

  private mutating func fill(_ source: Source, in index: Int) {
    switch source.declaration.kind {
    case .enumeration: break
    case .structure: addProperties(of: source, to: index, identity: nil)
    case .model:
      let identity = identity(of: source.declaration)
      addProperties(of: source, to: index, identity: identity.count == 1 ? identity[0] : nil)
      addIdentity(identity, of: source, to: index)
      addGroups(of: source, to: index, identity: identity)
      if let parent = parent(of: source.declaration) {
        draft.declarations[index].attributes.append(SchemaDraft.attribute("ParentScoped", of: [parent]))
      }
    }
  }

  private func identity(of model: SwiftModels.Declaration) -> [String] {
    let properties = model.properties
    let one =
      properties.first { $0.attribute("PrimaryKey") != nil }?.name
      ?? ["id", "remoteID"].first { name in properties.contains { $0.name == name } }
      ?? properties.first { $0.attribute("Attribute")?.has("unique") ?? false }?.name
    if let one { return [one] }
    let group = model.uniqueGroups.min { $0.count < $1.count } ?? []
    return group.allSatisfy { name in properties.contains { $0.name == name } } ? group : []
  }

  private func parent(of model: SwiftModels.Declaration) -> String? {
    guard let parent = parents[model.name] ?? parents[model.ownName] else { return nil }
    return model.properties.contains { $0.name == parent } ? parent : nil
  }

  private mutating func addIdentity(_ names: [String], of source: Source, to index: Int) {
    if names.count > 1 {
      for place in draft.declarations[index].properties.indices {
        let name = draft.declarations[index].properties[place].name
        guard let part = names.firstIndex(of: name) else { continue }
        draft.declarations[index].properties[place].identityPart = part
        draft.declarations[index].properties[place].isOptional = false
        draft.declarations[index].properties[place].defaultValue = nil
      }
    } else if !draft.declarations[index].properties.contains(where: \.isIdentity) {
      draft.declarations[index].properties.removeAll { $0.name == "id" }
      draft.addMissingIdentity(
        to: index, because: "\(source.file):\(source.declaration.line): no property identifies a row")
    }
  }

  private mutating func addGroups(of source: Source, to index: Int, identity: [String]) {
    let model = source.declaration
    for group in model.uniqueGroups where group != identity {
      let places = group.compactMap { name in
        draft.declarations[index].properties.firstIndex { $0.name == name }
      }
      if group.count == 1, places.count == 1,
        !draft.isRelationship(draft.declarations[index].properties[places[0]])
      {
        SwiftSyncMigration.addUnique(to: &draft.declarations[index].properties[places[0]])
      } else {
        draft.declarations[index].comments.append(
          "\(source.file):\(model.line): #Unique of \(group.joined(separator: ", ")) is not carried over.")
      }
    }
    for group in model.indexes where group != identity {
      let property = draft.declarations[index].properties.first { $0.name == group[0] }
      // Relationships always have an index.
      if group.count == 1, let property, draft.isRelationship(property) { continue }
      draft.addIndex(of: group, to: index)
    }
  }

  private static func addUnique(to property: inout SchemaDraft.Property) {
    if !property.attributes.contains("@Unique") { property.attributes.append("@Unique") }
  }

  // MARK: Properties

  /// Adds the properties of a model, or the members of a struct.
  private mutating func addProperties(of source: Source, to index: Int, identity: String?) {
    let declaration = source.declaration
    let isModel = draft.isModel(index)
    let parent = isModel ? parent(of: declaration) : nil
    let keys = keys(of: declaration)
    for property in declaration.properties {
      var notes: [String] = []
      guard let type = propertyType(of: property, in: declaration.name) else {
        draft.declarations[index].comments.append(
          "\(source.file):\(property.line): \(property.name) has no type annotation, and its type cannot be inferred."
        )
        continue
      }
      var draftProperty = SchemaDraft.Property(name: property.name, type: .scalar("JSON"))
      draftProperty.isOptional = type.isOptional || type.reference == nil
      if let reference = type.reference, isModel || !draft.leadsToModel(reference) {
        draftProperty.type = reference
      } else {
        notes.append(type.problem)
        draftProperty.isOptional = true
      }
      draftProperty.isIdentity = property.name == identity
      if draftProperty.isIdentity, !draftProperty.type.canIdentify {
        notes.append("\(type.source) cannot be an identity.")
        (draftProperty.type, draftProperty.isOptional) = (.scalar("String"), false)
      }
      let explicit =
        property.attribute("PrimaryKey")?.text ?? property.attribute("RemoteKey")?.text ?? keys[property.name]
      draftProperty.key = explicit ?? property.name
      draftProperty.isKeyExplicit = explicit != nil
      notes += addAttributes(of: property, to: &draftProperty)
      // Every row has a parent.
      if property.name == parent { draftProperty.isOptional = false }
      notes += addRelationship(property, to: &draftProperty, in: declaration.name)
      if !draftProperty.isIdentity { notes += addDefault(of: property, to: &draftProperty) }
      draftProperty.comments = notes.map { "\(source.file):\(property.line): \($0)" }
      draft.declarations[index].properties.append(draftProperty)
    }
  }

  /// The JSON keys of properties in `CodingKeys`.
  private func keys(of declaration: SwiftModels.Declaration) -> [String: String] {
    let cases = sources["\(declaration.name).CodingKeys"]?.declaration.cases ?? []
    let keys = cases.compactMap { entry -> (String, String)? in
      guard case .text(let key)? = entry.rawValue.first, key != entry.name else { return nil }
      return (entry.name, key)
    }
    return Dictionary(keys, uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: notes about the parts that are not migrated.
  private func addAttributes(of property: SwiftModels.Property, to draftProperty: inout SchemaDraft.Property)
    -> [String]
  {
    if property.attribute("Transient") != nil { draftProperty.attributes.append("@Transient") }
    if property.attribute("NotExport") != nil { draftProperty.attributes.append("@NotExport") }
    guard let attribute = property.attribute("Attribute") else { return [] }
    if attribute.value(of: "originalName") != nil, let old = attribute.text {
      draftProperty.attributes.append("@RenamedFrom(\(SwiftText.literal(old)))")
    }
    if attribute.has("unique"), !draftProperty.isIdentity { SwiftSyncMigration.addUnique(to: &draftProperty) }
    return [
      "externalStorage", "spotlight", "ephemeral", "transformable", "allowsCloudEncryption",
      "preserveValueOnDeletion",
    ]
    .filter(attribute.has).map { "@Attribute(.\($0)) is not carried over." }
  }

  // MARK: Relationships

  /// - Returns: notes about the parts that are not migrated.
  private func addRelationship(
    _ property: SwiftModels.Property, to draftProperty: inout SchemaDraft.Property, in scope: String
  ) -> [String] {
    guard draft.isRelationship(draftProperty) else { return [] }
    if case .list = draftProperty.type { draftProperty.isOptional = false }
    guard let relationship = property.attribute("Relationship") else { return [] }
    for rule in ["cascade", "deny"] where relationship.has(rule) { draftProperty.deleteRule = rule }
    let names = (relationship.value(of: "inverse") ?? []).words
    if names.count > 1, let name = names.last,
      let other = declared(names.dropLast().joined(separator: "."), in: scope).flatMap({ places[$0] })
    {
      draftProperty.inverse = .property(declaration: other, name: name)
    }
    return relationship.has("noAction") ? ["the delete rule .noAction is not carried over."] : []
  }

  /// States that two lists that refer to each other are the two ends of one relationship.
  private mutating func pair() {
    for index in draft.declarations.indices {
      for (place, property) in draft.declarations[index].properties.enumerated() {
        guard case .list(.declared(let other)) = property.type, other > index, draft.isModel(other),
          case .derived = property.inverse
        else { continue }
        let backs = draft.declarations[other].properties.filter { $0.type == .list(.declared(index)) }
        let others = draft.declarations[index].properties.filter { $0.type == property.type }
        guard backs.count == 1, others.count == 1, case .derived = backs[0].inverse else { continue }
        draft.declarations[index].properties[place].inverse = .property(
          declaration: other, name: backs[0].name)
      }
    }
  }
}

extension SchemaDraft.TypeReference {
  fileprivate var canIdentify: Bool {
    guard case .scalar(let name) = self else { return false }
    return ScalarType(rawValue: name)?.canBeIdentity ?? false
  }
}

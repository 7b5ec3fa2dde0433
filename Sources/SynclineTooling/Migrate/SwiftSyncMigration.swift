import SynclineCompiler
import SynclineNaming

/// Proposes a schema for SwiftSync models: `@Syncable @Model` classes.
package struct SwiftSyncMigration {
  private(set) var draft = SchemaDraft()
  private var places: [String: Int] = [:]
  private var parents: [String: String] = [:]
  /// The number of models.
  package var modelCount: Int { places.values.count(where: draft.isModel) }

  private static let scalars = Set(ScalarType.allCases.map(\.rawValue)).subtracting(["JSON"])

  /// - Parameter sources: the names and contents of Swift files.
  package init(_ sources: [(name: String, text: String)]) {
    let files = sources.map { ($0.name, SwiftModels($0.text)) }
    for (_, file) in files { parents.merge(file.parents) { first, _ in first } }
    for (_, file) in files {
      for model in file.models where places[model.name] == nil {
        places[model.name] = draft.add(SchemaDraft.Declaration(kind: .model, name: model.name))
      }
      for enumeration in file.enumerations
      where places[enumeration.name] == nil && enumeration.rawType == "String" {
        let cases = enumeration.cases.map {
          SchemaDraft.Declaration.Case(name: $0.name, rawValue: $0.rawValue)
        }
        places[enumeration.name] = draft.add(
          SchemaDraft.Declaration(kind: .enumeration(cases), name: enumeration.name))
      }
    }
    for (name, file) in files {
      for model in file.models { places[model.name].map { add(model, to: $0, in: name) } }
    }
    pair()
    draft.repair()
  }

  /// The schema file.
  package var text: String { draft.text }

  private mutating func add(_ model: SwiftModels.Model, to index: Int, in file: String) {
    guard draft.declarations[index].properties.isEmpty else { return }
    let identity = identity(of: model)
    for property in model.properties {
      var comments: [String] = []
      func note(_ text: String) { comments.append("\(file):\(property.line): \(text)") }
      guard let (type, isOptional) = type(property.type) else {
        draft.declarations[index].comments.append(
          "\(file):\(property.line): the type of \(property.name) is not written, and cannot be carried over."
        )
        continue
      }
      var draftProperty = SchemaDraft.Property(
        name: property.name, type: type ?? .scalar("JSON"), isOptional: isOptional)
      if type == nil {
        note("\(SwiftSyncMigration.text(property.type)) is no type of a schema: a struct may stand for it.")
        draftProperty.isOptional = true
      }
      draftProperty.isIdentity = property.name == identity
      if draftProperty.isIdentity, !draftProperty.type.canIdentify {
        note("\(SwiftSyncMigration.text(property.type)) identifies no row here.")
        (draftProperty.type, draftProperty.isOptional) = (.scalar("String"), false)
      }
      let explicit = property.attribute("PrimaryKey")?.text ?? property.attribute("RemoteKey")?.text
      draftProperty.key = explicit ?? property.name
      draftProperty.isKeyExplicit = explicit != nil
      addAttributes(of: property, to: &draftProperty, note)
      // Each row has a parent.
      if property.name == parents[model.name] { draftProperty.isOptional = false }
      addRelationship(property, to: &draftProperty, note)
      if draft.isRelationship(draftProperty), case .list = draftProperty.type {
        draftProperty.isOptional = false
      }
      draftProperty.defaultValue = draftProperty.isIdentity ? nil : self.defaultValue(property, draftProperty)
      draftProperty.comments = comments
      draft.declarations[index].properties.append(draftProperty)
    }
    if !draft.declarations[index].properties.contains(where: \.isIdentity) {
      draft.declarations[index].properties.removeAll { $0.name == "id" }
      draft.addMissingIdentity(to: index, because: "\(file):\(model.line): no property identifies a row")
    }
    if let parent = parents[model.name], model.properties.contains(where: { $0.name == parent }) {
      draft.declarations[index].attributes.append("@ParentScoped(\\.\(parent))")
    }
  }

  private func addAttributes(
    of property: SwiftModels.Property, to draftProperty: inout SchemaDraft.Property,
    _ note: (String) -> Void
  ) {
    if property.attribute("Transient") != nil { draftProperty.attributes.append("@Transient") }
    if property.attribute("NotExport") != nil { draftProperty.attributes.append("@NotExport") }
    guard let attribute = property.attribute("Attribute") else { return }
    if attribute.value(of: "originalName") != nil, let old = attribute.text {
      draftProperty.attributes.append("@RenamedFrom(\(SwiftText.literal(old)))")
    }
    if attribute.has("unique"), !draftProperty.isIdentity {
      note("@Attribute(.unique) beside the identity is not carried over.")
    }
    for option in ["externalStorage", "spotlight", "ephemeral", "transformable", "allowsCloudEncryption"]
    where attribute.has(option) {
      note("@Attribute(.\(option)) is not carried over.")
    }
  }

  /// The property that SwiftSync uses as identity.
  private func identity(of model: SwiftModels.Model) -> String? {
    model.properties.first { $0.attribute("PrimaryKey") != nil }?.name
      ?? ["id", "remoteID"].first { name in model.properties.contains { $0.name == name } }
      ?? model.properties.first { $0.attribute("Attribute")?.has("unique") ?? false }?.name
  }

  private func addRelationship(
    _ property: SwiftModels.Property, to draftProperty: inout SchemaDraft.Property, _ note: (String) -> Void
  ) {
    guard let relationship = property.attribute("Relationship"), draft.isRelationship(draftProperty) else {
      return
    }
    for rule in ["cascade", "deny"] where relationship.has(rule) { draftProperty.deleteRule = rule }
    if relationship.has("noAction") { note("the delete rule .noAction is not carried over.") }
    let names = (relationship.value(of: "inverse") ?? []).compactMap { token -> String? in
      if case .word(let word) = token { word } else { nil }
    }
    if names.count == 2, let other = places[names[0]] {
      draftProperty.inverse = .property(declaration: other, name: names[1])
    }
  }

  /// Two lists that refer to each other are one relationship, which the schema must state.
  private mutating func pair() {
    for index in draft.declarations.indices {
      for (place, property) in draft.declarations[index].properties.enumerated() {
        guard case .list(.declared(let other)) = property.type, other > index,
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

  // MARK: Types

  /// The type of a property, nil if a schema has no such type; and whether it is optional.
  ///
  /// - Returns: nil if the tokens are not a type.
  private func type(_ tokens: [SwiftTokens.Token]) -> (SchemaDraft.TypeReference?, isOptional: Bool)? {
    guard let last = tokens.last else { return nil }
    if last == .sign("?") || last == .sign("!") {
      return (reference(Array(tokens.dropLast())), true)
    }
    if tokens.count > 3, tokens[0] == .word("Optional"), tokens[1] == .sign("<"), last == .sign(">") {
      return (reference(Array(tokens[2...].dropLast())), true)
    }
    return (reference(tokens), false)
  }

  private func reference(_ tokens: [SwiftTokens.Token]) -> SchemaDraft.TypeReference? {
    // No type of a schema has more tokens.
    guard tokens.count < 64 else { return nil }
    if tokens.count > 2, tokens[0] == .sign("["), tokens.last == .sign("]") {
      let inner = Array(tokens[1...].dropLast())
      if inner.count > 2, inner[0] == .word("String"), inner[1] == .sign(":") {
        return reference(Array(inner[2...])).flatMap {
          $0.declaration.map(draft.isModel) ?? false ? nil : .map($0)
        }
      }
      return reference(inner).map { .list($0) }
    }
    // A nested type, or a type of a module, is referred to by its last name.
    guard case .word(let name)? = tokens.last, tokens.allSatisfy({ $0 != .sign("<") && $0 != .sign("(") })
    else { return nil }
    if let place = places[name] { return .declared(place) }
    return SwiftSyncMigration.scalars.contains(name) ? .scalar(name) : nil
  }

  /// A default that is a literal.
  private func defaultValue(_ property: SwiftModels.Property, _ draftProperty: SchemaDraft.Property)
    -> String?
  {
    guard !draft.isRelationship(draftProperty) else { return nil }
    let value = property.defaultValue
    if value.count == 1, case .text(let text) = value[0] { return SwiftText.literal(text) }
    let text = SwiftSyncMigration.text(value)
    let isCase = value.count == 2 && value[0] == .sign(".")
    let isNumber =
      text.contains(where: \.isNumber) && text.allSatisfy { $0.isNumber || $0 == "." || $0 == "-" }
    return isCase || isNumber || ["true", "false", "[]", "[:]"].contains(text) ? text : nil
  }

  private static func text(_ tokens: [SwiftTokens.Token]) -> String {
    tokens.map { token in
      switch token {
      case .word(let word): word
      case .text(let text): SwiftText.literal(text)
      case .sign(let sign): String(sign)
      }
    }.joined()
  }
}

extension SchemaDraft.TypeReference {
  /// Whether values of the type can identify rows.
  fileprivate var canIdentify: Bool {
    guard case .scalar(let name) = self else { return false }
    return ScalarType(rawValue: name)?.canBeIdentity ?? false
  }
}

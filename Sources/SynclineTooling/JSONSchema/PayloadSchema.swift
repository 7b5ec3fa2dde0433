import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineNaming

/// A JSON Schema (2020-12) of the payloads that a sync reads without a problem.
///
/// It describes each value separately: its keys, its type with all coercions, and the required members. It does not express
/// conditions on several rows, such as conflicts between them.
package struct PayloadSchema {
  package enum Form: String, CaseIterable, Sendable {
    /// Payloads that are read without a problem, including coercions and alternative keys.
    case accepted
    /// Exported payloads: one key per property, and one form per type.
    case exported
  }

  private(set) var schema: Schema
  let modules: [String: Schema]
  let style: KeyStyle
  private let form: Form
  /// Whether the document is OpenAPI, whose declarations have notes from which they can be read back.
  private let isOpenAPI: Bool
  /// The names that several targets declare. Those of imported targets are qualified.
  private let ambiguous: Set<String>
  private let root: String
  /// The structs that contain the current merged value. Inside itself, or inside more than two others, such a struct is any
  /// object.
  private var merged: Set<String> = []

  private init(
    _ schema: Schema, importing modules: [String: Schema], _ style: KeyStyle, asOpenAPI form: Form? = nil
  ) {
    self.schema = schema
    self.modules = modules
    self.style = style
    self.form = form ?? .accepted
    isOpenAPI = form != nil
    root = schema.target
    var names: Set<String> = []
    var ambiguous: Set<String> = []
    for schema in [schema] + Array(modules.values) {
      var own = schema.typesWithProperties.map(\.name)
      own += schema.unions.map(\.name)
      own += schema.enums.map(\.name)
      for name in own where !names.insert(name).inserted { ambiguous.insert(name) }
    }
    self.ambiguous = ambiguous
  }

  /// A JSON Schema document for a list of rows, or for one row if a model is given.
  package static func jsonSchema(
    _ schema: Schema, importing modules: [String: Schema] = [:], of model: String? = nil,
    keys: KeyStyle? = nil
  ) -> SyncJSON {
    let payload = PayloadSchema(schema, importing: modules, keys ?? schema.keyStyle)
    var members: [(String, SyncJSON)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(model ?? schema.target)),
    ]
    if let model {
      let row = payload.reference(model)
      members.append(("anyOf", [["type": "array", "items": row], row]))
    }
    members.append(("$defs", payload.declarations))
    return .object(SyncJSONObject(members))
  }

  /// An OpenAPI 3.1 document without paths, whose schemas other documents can reference.
  package static func openAPI(
    _ schema: Schema, importing modules: [String: Schema] = [:], as form: Form = .accepted,
    keys: KeyStyle? = nil
  ) -> SyncJSON {
    let style = keys ?? schema.keyStyle
    let payload = PayloadSchema(schema, importing: modules, style, asOpenAPI: form)
    return [
      "openapi": "3.1.0", "info": ["title": .string(schema.target), "version": "1"],
      DeclarationNotes.styleKey: .string(style.rawValue), "paths": [:],
      "components": ["schemas": payload.declarations],
    ]
  }

  func reference(_ name: String) -> SyncJSON {
    let place = isOpenAPI ? "#/components/schemas/" : "#/$defs/"
    return ["$ref": .string(place + label(name, in: home(of: name)))]
  }

  /// The name of a declaration in the document.
  private func label(_ name: String, in home: Schema) -> String {
    ambiguous.contains(name) && home.target != root ? "\(home.target).\(name)" : name
  }

  // MARK: Declarations

  private var declarations: SyncJSON {
    let schemas = [schema] + modules.sorted { $0.key < $1.key }.map(\.value)
    return .object(SyncJSONObject(schemas.flatMap { own($0).namedSchemas }))
  }

  /// The schemas of one target's declarations.
  private var namedSchemas: [(String, SyncJSON)] {
    var named: [(String, SyncJSON)] = []
    func add(
      _ name: String, _ lines: [String], _ value: SyncJSON, _ notes: @autoclosure () -> [(String, SyncJSON)]
    ) {
      let value = described(value, lines)
      named.append((label(name, in: schema), isOpenAPI ? noted(value, notes()) : value))
    }
    for model in schema.typesWithProperties {
      let row = form == .accepted ? object(of: model) : exportedObject(of: model)
      add(model.name, model.documentation, row, notes(of: model))
    }
    for entry in schema.unions { add(entry.name, entry.documentation, union(entry), notes(of: entry)) }
    for entry in schema.enums {
      let value = form == .accepted ? enumeration(entry) : exportedEnumeration(entry)
      add(entry.name, entry.documentation, value, notes(of: entry))
    }
    return named
  }

  /// A copy of this value for the schema of another target.
  private func own(_ schema: Schema) -> PayloadSchema {
    var own = self
    own.schema = schema
    return own
  }

  func home(of name: String) -> Schema { schema.home(of: name, among: modules) }

  func described(_ schema: SyncJSON, _ lines: [String]) -> SyncJSON {
    guard !lines.isEmpty, case .object(var object) = schema else { return schema }
    object["description"] = .string(lines.joined(separator: " "))
    return .object(object)
  }

  /// - Parameter isPartial: whether all members are optional.
  private func object(of model: Model, isPartial: Bool = false) -> SyncJSON {
    let tree = SchemaTree()
    for property in model.carried { add(property, of: model, isPartial: isPartial, to: tree) }
    let own = tree.schema(isRow: true, isList: model.isOfLists)
    // The rows that are read from the same object.
    let others = model.carried.filter { $0.isObjectItself && isRequired($0, in: model) }.compactMap(\.target)
    let row: SyncJSON = others.isEmpty ? own : ["allOf": .array([own] + others.map(reference))]
    return model.deletionMarks.isEmpty
      ? row : ScalarSchemas.any([row] + model.deletionMarks.map { deletedRow(of: model, $0) })
  }

  /// The keys of a property. If rows are arrays, the enclosing row provides the properties without an index.
  private func keys(of property: Property, in model: Model) -> [String] {
    let keys = property.keys(in: style)
    return model.isOfLists ? keys.filter { RemotePath.place(of: $0) != nil } : keys
  }

  private func add(
    _ property: Property, of model: Model, isPartial: Bool = false, to tree: SchemaTree
  ) {
    guard let value = value(of: property, in: model) else { return }
    add(
      value, at: keys(of: property, in: model), isRequired: !isPartial && isRequired(property, in: model),
      ofRows: property.isToMany && leadsToMany(property),
      acceptsSingleValues: property.oneOrManyDepth != nil, to: tree)
  }

  private func add(
    _ value: SyncJSON, at keys: [String], isRequired: Bool, ofRows: Bool = false,
    acceptsSingleValues: Bool = false, to tree: SchemaTree
  ) {
    let paths = keys.compactMap { try? RemotePath($0).steps }
    for path in paths {
      tree.add(
        value, at: path, isRequired: isRequired && paths.count == 1, ofRows: ofRows,
        acceptsSingleValues: acceptsSingleValues)
    }
    guard isRequired, paths.count > 1 else { return }
    tree.require(anyOf: paths.map { $0[...] })
  }

  /// The schema of an object that marks a row as deleted: it requires only the identity.
  private func deletedRow(of model: Model, _ mark: Model.DeletionMark) -> SyncJSON {
    let tree = SchemaTree()
    let parts = model.identityParts.map(\.position)
    let named = parts.isEmpty ? [model.identity].compactMap(\.self) : parts
    for position in named { add(model.properties[position], of: model, to: tree) }
    let value: SyncJSON =
      mark.value.map { ["const": PayloadSchema.literal($0.value) ?? .null] }
      ?? ["not": ["enum": [nil, false, 0, "", "0", "false", "no", []]]]
    add(value, at: mark.keys(in: style), isRequired: true, to: tree)
    return tree.schema(isRow: true, isList: model.isOfLists)
  }

  private func union(_ union: Union) -> SyncJSON {
    ScalarSchemas.any(
      union.cases.map { entry in
        let tree = SchemaTree()
        if let path = try? RemotePath(union.key.value) {
          tree.add(["const": .string(entry.tag)], at: path.steps, isRequired: true)
        }
        return ["allOf": [tree.schema(isRow: true), reference(entry.type)]]
      })
  }

  /// The schema of an enum. Unknown raw values are accepted and kept.
  private func enumeration(_ enumeration: Enumeration) -> SyncJSON {
    guard case .object(var object) = ScalarSchemas.schema(of: enumeration.rawType == .string ? .string : .int)
    else { return true }
    object["examples"] = .array(enumeration.cases.map(\.json))
    return .object(object)
  }

  // MARK: Properties

  /// Whether a new row without the property is rejected.
  func isRequired(_ property: Property, in model: Model) -> Bool {
    if property.name == model.identityProperty?.name { return true }
    guard !property.isOptional, property.defaultValue == nil, !property.isToMany else { return false }
    guard property.isRelationship else { return true }
    // With an inverse, a list of the other model may set the relationship.
    return property.isStored && property.relationship?.inverse == nil
  }

  private func value(of property: Property, in model: Model) -> SyncJSON? {
    if let part = property.unionPart { return union(part, property) }
    var schema: SyncJSON
    var isNullable = property.isOptional
    if let target = property.target {
      isNullable = property.isToMany ? !leadsToMany(property) : property.isOptional
      let row = ScalarSchemas.any([key(of: target, property), reference(target)].compactMap(\.self))
      schema =
        property.isToMany && !leadsToMany(property)
        ? list(of: row, acceptsSingleValues: property.oneOrManyDepth != nil) : row
    } else if property.transform != nil {
      return true
    } else if let type = property.valueType {
      let acceptsSingleValues = property.oneOrManyDepth != nil
      schema =
        property.isMerged
        ? partialSchema(of: type) : self.schema(of: type, acceptsSingleValues: acceptsSingleValues)
      if property.name == model.identityProperty?.name, case .scalar(let scalar) = type {
        schema =
          property.keyPatterns.isEmpty ? ScalarSchemas.identity(of: scalar) : ["type": ["string", "integer"]]
      } else if property.isDate, let format = property.dateFormat {
        schema = ScalarSchemas.date(pattern: format.value)
        isNullable = true
      } else {
        isNullable = isNullable || hasZero(type)
      }
    } else {
      return nil
    }
    if property.oneOrManyDepth == 0 {
      schema = ScalarSchemas.any(schema, ScalarSchemas.list(ofOne: schema, isNullable: isNullable))
    }
    if schema != true { schema = withNulls(schema, of: property, isNullable: isNullable) }
    return described(schema, property.documentation)
  }

  /// The schema of a property: if it is nullable, also null and the values that mean null; otherwise without these values.
  private func withNulls(_ schema: SyncJSON, of property: Property, isNullable: Bool) -> SyncJSON {
    let words = SyncJSON.array(property.nulls.map(\.json))
    guard isNullable else {
      // If a path selects a list, words for null apply to the list, not to its elements.
      guard !property.nulls.isEmpty, !property.isToMany, case .object(var object) = schema else {
        return schema
      }
      object["not"] = ["enum": words]
      return .object(object)
    }
    var schemas = [schema, ["type": "null"]]
    if !property.nulls.isEmpty { schemas.append(["enum": words]) }
    if property.isOptional, isEmptyObjectAsList(property) {
      schemas.append(["type": "array", "maxItems": 0])
    }
    return ScalarSchemas.any(schemas)
  }

  /// Whether an empty list is read as an empty object, and therefore as null.
  private func isEmptyObjectAsList(_ property: Property) -> Bool {
    switch property.type {
    case .toOne, .value(.structure), .value(.union): true
    default: false
    }
  }

  /// Whether null can be read as a value of a required type.
  private func hasZero(_ type: ValueType) -> Bool {
    switch type {
    case .scalar(let scalar): ![.url, .data].contains(scalar)
    case .list, .map: true
    case .enumeration, .structure, .union: false
    }
  }

  /// Whether a key of the property is a path that selects several rows.
  func leadsToMany(_ property: Property) -> Bool {
    property.explicitKeys.contains { (try? RemotePath($0.value))?.isMany ?? false }
  }

  private func key(of target: String, _ property: Property) -> SyncJSON? {
    guard property.keyPatterns.isEmpty else { return ["type": ["string", "integer"]] }
    let model = home(of: target).model(target)
    let named = property.lookup.flatMap { model?.property($0) } ?? model?.identityProperty
    guard case .value(.scalar(let scalar))? = named?.type else { return nil }
    return ScalarSchemas.key(of: scalar)
  }

  /// The schema for a property of a union of models: each case is a property that reads the same keys.
  private func union(_ part: UnionPart, _ property: Property) -> SyncJSON? {
    guard part.caseName != nil else { return nil }
    let row = reference(part.union)
    if property.isToMany, !leadsToMany(property) {
      let list: SyncJSON = ["type": ["array", "null"], "items": row]
      return property.oneOrManyDepth == nil ? list : ScalarSchemas.any(list, row)
    }
    let value = ScalarSchemas.any(row, ["type": ["null", "string", "integer"]])
    return property.oneOrManyDepth == 0
      ? ScalarSchemas.any(value, ScalarSchemas.list(ofOne: value, isNullable: true)) : value
  }

  /// A list of an element's schema. With `@OneOrMany` it can also be a single element.
  private func list(of element: SyncJSON, acceptsSingleValues: Bool) -> SyncJSON {
    let list: SyncJSON = ["type": "array", "items": element]
    return acceptsSingleValues ? ScalarSchemas.any(list, element) : list
  }

  /// A map. It can also be an empty list, because some servers write an empty map in that form.
  private func map(of value: SyncJSON) -> SyncJSON {
    ScalarSchemas.any(["type": "object", "additionalProperties": value], ["type": "array", "maxItems": 0])
  }

  /// The schema of a value that is merged into the stored one: a struct may lack members, and null removes a key of a map.
  private func partialSchema(of type: ValueType) -> SyncJSON {
    switch type {
    case .structure(let name):
      let home = home(of: name)
      guard let structure = home.structure(name) else { return reference(name) }
      var inner = own(home)
      guard inner.merged.count < 3, inner.merged.insert(name).inserted else { return ["type": "object"] }
      return inner.object(of: structure, isPartial: true)
    case .map(let element): return map(of: ScalarSchemas.any(schema(of: element), ["type": "null"]))
    case .scalar, .enumeration, .union, .list: return schema(of: type)
    }
  }

  private func schema(of type: ValueType, acceptsSingleValues: Bool = false) -> SyncJSON {
    switch type {
    case .scalar(let scalar): ScalarSchemas.schema(of: scalar)
    case .enumeration(let name), .structure(let name), .union(let name): reference(name)
    case .list(let element):
      list(
        of: schema(of: element, acceptsSingleValues: acceptsSingleValues),
        acceptsSingleValues: acceptsSingleValues)
    case .map(let element): map(of: schema(of: element))
    }
  }
}

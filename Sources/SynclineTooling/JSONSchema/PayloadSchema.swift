import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineNaming

/// A JSON Schema (2020-12) of the payloads that a schema reads without a problem.
///
/// It describes each value on its own: its keys, its type with all coercions, and the required members. It does not
/// describe conditions on several rows, such as conflicts between them.
package struct PayloadSchema {
  private let schema: Schema
  private let modules: [String: Schema]
  private let style: KeyStyle
  /// The JSON pointer of the declarations in the document.
  private let place: String

  private init(_ schema: Schema, importing modules: [String: Schema], _ style: KeyStyle, at place: String) {
    self.schema = schema
    self.modules = modules
    self.style = style
    self.place = place
  }

  /// A JSON Schema document for a list of rows, or for one row if a model is given.
  package static func jsonSchema(
    _ schema: Schema, importing modules: [String: Schema] = [:], of model: String? = nil,
    keys: KeyStyle = .snakeCase
  ) -> SyncJSON {
    let payload = PayloadSchema(schema, importing: modules, keys, at: "#/$defs/")
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
    _ schema: Schema, importing modules: [String: Schema] = [:], keys: KeyStyle = .snakeCase
  ) -> SyncJSON {
    let payload = PayloadSchema(schema, importing: modules, keys, at: "#/components/schemas/")
    return [
      "openapi": "3.1.0", "info": ["title": .string(schema.target), "version": "1"], "paths": [:],
      "components": ["schemas": payload.declarations],
    ]
  }

  private func reference(_ name: String) -> SyncJSON { ["$ref": .string(place + name)] }

  // MARK: Declarations

  private var declarations: SyncJSON {
    let schemas = [schema] + modules.sorted { $0.key < $1.key }.map(\.value)
    var members: [(String, SyncJSON)] = []
    for schema in schemas {
      let own = PayloadSchema(schema, importing: modules, style, at: place)
      members += schema.models.map { ($0.name, own.described(own.object(of: $0), $0.documentation)) }
      members += schema.structs.map { ($0.name, own.described(own.object(of: $0), $0.documentation)) }
      members += schema.unions.map { ($0.name, own.described(own.union($0), $0.documentation)) }
      members += schema.enums.map { ($0.name, own.described(own.enumeration($0), $0.documentation)) }
    }
    return .object(SyncJSONObject(members))
  }

  private func described(_ schema: SyncJSON, _ lines: [String]) -> SyncJSON {
    guard !lines.isEmpty, case .object(var object) = schema else { return schema }
    object["description"] = .string(lines.joined(separator: " "))
    return .object(object)
  }

  private func object(of model: Model) -> SyncJSON {
    let tree = SchemaTree()
    for property in model.carried {
      guard let value = value(of: property, in: model) else { continue }
      var paths = property.keys(in: style).compactMap { try? RemotePath($0).steps }
      // The row around the list gives what has no place in it.
      if model.isOfLists { paths.removeAll { if case .index? = $0.first { false } else { true } } }
      let isRequired = isRequired(property, in: model)
      for path in paths {
        tree.add(
          value, at: path, isRequired: isRequired && paths.count == 1,
          ofRows: property.isToMany && leadsToMany(property))
      }
      guard isRequired, paths.count > 1 else { continue }
      tree.require(anyOf: paths.map { $0[...] })
    }
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

  /// An unknown raw value is accepted and kept.
  private func enumeration(_ enumeration: Enumeration) -> SyncJSON {
    let examples = SyncJSON.array(enumeration.cases.map(\.json))
    guard case .object(var object) = ScalarSchemas.schema(of: enumeration.rawType == .string ? .string : .int)
    else { return true }
    object["examples"] = examples
    return .object(object)
  }

  // MARK: Properties

  /// Whether a new row without the property is rejected.
  private func isRequired(_ property: Property, in model: Model) -> Bool {
    if property.name == model.identityProperty?.name { return true }
    guard !property.isOptional, property.defaultValue == nil, !property.isToMany else { return false }
    guard property.isRelationship else { return true }
    // With an inverse, a list of the other model may set the relationship instead.
    return property.isStored && property.relationship?.inverse == nil
  }

  private func value(of property: Property, in model: Model) -> SyncJSON? {
    if let part = property.unionPart { return union(part, property) }
    var schema: SyncJSON
    var isNullable = property.isOptional
    if let target = property.target {
      isNullable = property.isToMany ? !leadsToMany(property) : property.isOptional
      let row = ScalarSchemas.any([key(of: target, property), reference(target)].compactMap(\.self))
      schema = property.isToMany && !leadsToMany(property) ? ["type": "array", "items": row] : row
    } else if property.transform != nil {
      return true
    } else if let type = property.valueType {
      schema = self.schema(of: type)
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
    schema = isNullable && schema != true ? ScalarSchemas.any(schema, ["type": "null"]) : schema
    return described(schema, property.documentation)
  }

  /// Whether null is read as a value of a required type.
  private func hasZero(_ type: ValueType) -> Bool {
    switch type {
    case .scalar(let scalar): ![.url, .data].contains(scalar)
    case .list, .map: true
    case .enumeration, .structure, .union: false
    }
  }

  /// Whether a key of the property is a path that selects several rows.
  private func leadsToMany(_ property: Property) -> Bool {
    property.explicitKeys.contains { (try? RemotePath($0.value))?.isMany ?? false }
  }

  private func key(of target: String, _ property: Property) -> SyncJSON? {
    guard property.keyPatterns.isEmpty else { return ["type": ["string", "integer"]] }
    let owner = schema.home(of: target, among: modules) ?? schema
    guard case .value(.scalar(let scalar))? = owner.model(target)?.identityProperty?.type else { return nil }
    return ScalarSchemas.key(of: scalar)
  }

  /// The schema for a property of a union of models: each case is a property that reads the same keys.
  private func union(_ part: UnionPart, _ property: Property) -> SyncJSON? {
    guard part.caseName != nil else { return nil }
    let row = reference(part.union)
    return property.isToMany && !leadsToMany(property)
      ? ["type": ["array", "null"], "items": row]
      : ScalarSchemas.any(row, ["type": ["null", "string", "integer"]])
  }

  private func schema(of type: ValueType) -> SyncJSON {
    switch type {
    case .scalar(let scalar): ScalarSchemas.schema(of: scalar)
    case .enumeration(let name), .structure(let name), .union(let name): reference(name)
    case .list(let element): ["type": "array", "items": schema(of: element)]
    // Some servers write an empty map as an empty list.
    case .map(let element):
      ScalarSchemas.any(
        ["type": "object", "additionalProperties": schema(of: element)], ["type": "array", "maxItems": 0])
    }
  }
}

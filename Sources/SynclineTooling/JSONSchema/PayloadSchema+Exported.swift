import Syncline
import SynclineCompiler
import SynclineNaming

/// The schemas of rows as an export writes them: one key per property, and one form per type.
extension PayloadSchema {
  func exportedObject(of model: Model) -> SyncJSON {
    let tree = SchemaTree()
    var names: Set<String> = []
    for property in model.carried where !property.isObjectItself {
      if let part = property.unionPart, part.caseName == nil || !names.insert(part.property).inserted {
        continue
      }
      let key = property.writtenKey(in: style)
      guard let steps = (try? RemotePath(key))?.steps else { continue }
      if model.isOfLists, RemotePath.place(of: key) == nil { continue }
      tree.add(
        exportedValue(of: property), at: steps, isRequired: isRequired(property, in: model),
        ofRows: property.isToMany && leadsToMany(property))
    }
    let own = tree.schema(isRow: true, isList: model.isOfLists)
    let others = model.carried.filter(\.isObjectItself).compactMap(\.target)
    return others.isEmpty ? own : ["allOf": .array([own] + others.map(reference))]
  }

  private func exportedValue(of property: Property) -> SyncJSON {
    var schema: SyncJSON
    if property.isRelationship || property.unionPart != nil {
      let row = exportedRow(of: property)
      schema = property.isToMany && !leadsToMany(property) ? ["type": "array", "items": row] : row
    } else if property.transform != nil {
      schema = [:]
    } else if property.writtenKeyPattern != nil {
      schema = ["type": "string"]
    } else if let format = property.dateFormat {
      schema = ["type": "string", "description": .string("A date as \(format.value)")]
    } else {
      schema = property.valueType.map(exported) ?? [:]
    }
    if property.isOptional, !property.isToMany { schema = PayloadSchema.nullable(schema) }
    guard case .object(var object) = described(schema, property.documentation) else { return schema }
    if property.export == .never { object["readOnly"] = true }
    return .object(object)
  }

  /// A related row: its object, or only its identity if the row is already an enclosing object.
  private func exportedRow(of property: Property) -> SyncJSON {
    if let part = property.unionPart {
      return property.writtenExport == .identities ? ["type": ["string", "integer"]] : reference(part.union)
    }
    guard let target = property.target, let model = (home(of: target).model(target)) else { return [:] }
    if property.writtenExport == .identities {
      if property.writtenKeyPattern != nil { return ["type": "string"] }
      let named = property.lookup.flatMap { model.property($0) } ?? model.identityProperty
      if let named, !named.isComposite, let type = named.valueType { return exported(type) }
    }
    let parts = model.identityParts.map { model.properties[$0.position] }
    let named = parts.isEmpty ? [model.identityProperty].compactMap(\.self) : parts
    guard !named.isEmpty, !named.contains(where: \.isRelationship) else { return reference(target) }
    let tree = SchemaTree()
    for part in named {
      guard let steps = (try? RemotePath(part.writtenKey(in: style)))?.steps else { return reference(target) }
      tree.add(exportedValue(of: part), at: steps, isRequired: true)
    }
    return ScalarSchemas.any(reference(target), tree.schema(isRow: true))
  }

  private func exported(_ type: ValueType) -> SyncJSON {
    switch type {
    case .scalar(let scalar): PayloadSchema.exported(scalar)
    case .enumeration(let name), .structure(let name), .union(let name): reference(name)
    case .list(let element): ["type": "array", "items": exported(element)]
    case .map(let element): ["type": "object", "additionalProperties": exported(element)]
    }
  }

  private static func exported(_ scalar: ScalarType) -> SyncJSON {
    switch scalar {
    case .string: ["type": "string"]
    case .bool: ["type": "boolean"]
    case .double: ["type": "number", "format": "double"]
    case .float: ["type": "number", "format": "float"]
    case .decimal: ["type": "number", "format": "decimal"]
    case .date: ["type": "string", "format": "date-time"]
    case .uuid: ["type": "string", "format": "uuid"]
    case .url: ["type": "string", "format": "uri"]
    case .data: ["type": "string", "format": "byte"]
    case .json: [:]
    case .int, .int64: ["type": "integer", "format": "int64"]
    case .uint: ["type": "integer", "format": "uint64"]
    case .int8, .int16, .int32, .uint8, .uint16, .uint32, .uint64:
      ["type": "integer", "format": .string(scalar.rawValue.lowercased())]
    }
  }

  func exportedEnumeration(_ enumeration: Enumeration) -> SyncJSON {
    [
      "type": enumeration.rawType == .string ? "string" : "integer",
      "enum": .array(enumeration.cases.map(\.json)),
    ]
  }

  private static func nullable(_ schema: SyncJSON) -> SyncJSON {
    guard case .object(var object) = schema, !object.isEmpty else { return schema }
    guard let type = object["type"]?.string, object["enum"] == nil else {
      return ScalarSchemas.any(schema, ["type": "null"])
    }
    object["type"] = [.string(type), "null"]
    return .object(object)
  }
}

import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineNaming

/// The notes about a declaration, which contain what OpenAPI cannot express: the property that identifies a row, and the names,
/// types and keys of the properties. `syncline infer --openapi` reads them.
extension PayloadSchema {
  func noted(_ schema: SyncJSON, _ notes: [(String, SyncJSON)]) -> SyncJSON {
    guard case .object(var object) = schema else { return schema }
    object[DeclarationNotes.key] = .object(SyncJSONObject(notes))
    return .object(object)
  }

  func notes(of model: Model) -> [(String, SyncJSON)] {
    var notes: [(String, SyncJSON)] = [(model.isStruct ? "struct" : "model", .string(model.name))]
    if model.isSingleton { notes.append(("isSingleton", true)) }
    if !model.identityParts.isEmpty {
      let names = model.identityParts.map { SyncJSON.string(model.properties[$0.position].schemaName) }
      notes.append(("primaryKey", .array(names)))
    }
    if let parent = model.parentScope {
      notes.append(("parent", .string(model.properties[parent].schemaName)))
    }
    if let below = model.below { notes.append(("below", .string(below.value))) }
    var names: Set<String> = []
    var properties: [SyncJSON] = []
    for property in model.carried where names.insert(property.schemaName).inserted {
      properties.append(self.notes(of: property, in: model))
    }
    notes.append(("properties", .array(properties)))
    return notes
  }

  private func notes(of property: Property, in model: Model) -> SyncJSON {
    var notes: [(String, SyncJSON)] = [
      ("name", .string(property.schemaName)), ("type", .string(property.typeText)),
    ]
    if property.name == model.identityProperty?.name { notes.append(("isIdentity", true)) }
    if property.hasExplicitKeys {
      notes.append(("keys", .array(property.explicitKeys.map { .string($0.value) })))
    }
    if let format = property.dateFormat { notes.append(("dateFormat", .string(format.value))) }
    // The parts of a union, which the compiler adds, are never exported themselves.
    if property.export == .never, property.unionPart == nil { notes.append(("isExported", false)) }
    if let value = property.defaultValue.flatMap(PayloadSchema.literal) { notes.append(("default", value)) }
    switch property.relationshipClause?.inverse?.value {
    case .nothing?: notes.append(("inverse", nil))
    case .property(_, let name)? where property.unionPart == nil:
      notes.append(("inverse", .string(name.value)))
    case .property?, nil: break
    }
    if let rule = property.relationshipClause?.deleteRule?.value {
      notes.append(("deleteRule", .string(rule.rawValue)))
    }
    notes.append(("members", .array(members(of: property, in: model).map { .string($0) })))
    return .object(SyncJSONObject(notes))
  }

  /// The members of the row's object that the keys of a property begin with.
  private func members(of property: Property, in model: Model) -> [String] {
    let parts = model.carried.filter { $0.schemaName == property.schemaName }
    var found: [String] = []
    for key in parts.flatMap({ $0.keys(in: style) }) {
      guard case .member(let name)? = (try? RemotePath(key))?.steps.first, !found.contains(name) else {
        continue
      }
      found.append(name)
    }
    return found
  }

  /// A default value; nil for a value that the notes cannot express.
  static func literal(_ value: DefaultValue) -> SyncJSON? {
    switch value {
    case .text(let text): return .string(text)
    case .number(let digits): return try? SyncJSON(parsing: digits)
    case .bool(let flag): return .bool(flag)
    case .member(let name): return .object(SyncJSONObject([("case", .string(name))]))
    case .list(let values):
      let literals = values.compactMap(literal)
      return literals.count == values.count ? .array(literals) : SyncJSON?.none
    case .uuid(let bytes):
      return bytes.count == 16 ? .string(NSUUID(uuidBytes: bytes).uuidString) : SyncJSON?.none
    case .emptyMap: return [:]
    case .null: return SyncJSON?.none
    }
  }

  func notes(of enumeration: Enumeration) -> [(String, SyncJSON)] {
    let cases = SyncJSONObject(enumeration.cases.map { ($0.name, $0.json) })
    return [
      ("enum", .string(enumeration.name)), ("type", .string(enumeration.rawType.rawValue)),
      ("cases", .object(cases)),
    ]
  }

  func notes(of union: Union) -> [(String, SyncJSON)] {
    let cases = union.cases.map { entry -> (String, SyncJSON) in
      (entry.name, ["type": .string(entry.type), "tag": .string(entry.tag)])
    }
    return [
      ("union", .string(union.name)), ("on", .string(union.key.value)),
      ("cases", .object(SyncJSONObject(cases))),
    ]
  }
}

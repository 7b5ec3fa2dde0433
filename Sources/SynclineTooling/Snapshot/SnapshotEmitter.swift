import SynclineCompiler
import SynclineNaming

extension Schema {
  /// The schema as JSON: the description that a store contains, and the JSON keys in a style.
  ///
  /// - Parameters:
  ///   - modules: the complete schemas of the targets that it may import.
  ///   - keys: the style of the keys; nil for the target's.
  package func snapshot(importing modules: [String: Schema] = [:], keys: KeyStyle? = nil) -> String {
    SnapshotEmitter(schema: self, modules: modules, keys: keys ?? keyStyle).text()
  }
}

/// Writes a schema as the JSON that a store contains, and adds the parts on which a store does not depend: JSON keys, attributes,
/// and declarations without tables.
struct SnapshotEmitter {
  let schema: Schema
  /// The schemas of the targets that can be imported.
  let modules: [String: Schema]
  /// The style of the keys that are written.
  let keys: KeyStyle

  func text() -> String {
    let models = allModels.sorted { $0.model.name < $1.model.name }.map { model($0.model, in: $0.schema) }
    return """
      {
        "format": 1,
        "models": [
      \(models.joined(separator: ",\n"))
        ],
        "declarations": [
      \(declarations().joined(separator: ",\n"))
        ]
      }

      """
  }

  /// The models of the schema, and the related models of other targets, as in `AppSchema.models`.
  var allModels: [(model: Model, schema: Schema)] {
    var found = schema.models.map { (model: $0, schema: schema) }
    var known = Set(schema.models.map(\.name))
    var next = 0
    while next < found.count {
      let (model, home) = found[next]
      next += 1
      for name in model.properties.compactMap(\.target) where known.insert(name).inserted {
        if let other = self.home(of: name, in: home), let model = other.model(name) {
          found.append((model, other))
        }
      }
    }
    return found
  }

  /// The schema that declares a name used in another schema.
  func home(of name: String, in schema: Schema) -> Schema? {
    schema.home(of: name, among: modules)
  }

  private func model(_ model: Model, in schema: Schema) -> String {
    var members = ["\"name\": \(JSONText.string(model.name))"]
    if let identity = model.identityProperty {
      members.append("\"identity\": \(JSONText.string(identity.name))")
    }
    if !model.identityParts.isEmpty {
      let parts = model.identityParts.map { part in
        let property = model.properties[part.position]
        return "\(property.name): \(identityType(of: property, in: schema))"
      }
      members.append("\"identityParts\": \(JSONText.list(parts))")
    }
    if model.isSingleton { members.append("\"isSingleton\": true") }
    if let scope = model.parentScope {
      members.append("\"parentScope\": \(JSONText.string(model.properties[scope].name))")
    }
    let indexes = model.indexes.map { index in
      JSONText.list(
        index.terms.map { ([model.properties[$0.property].name] + $0.path).joined(separator: ".") })
    }
    if !indexes.isEmpty { members.append("\"indexes\": [\(indexes.joined(separator: ", "))]") }
    if !model.renamedFrom.isEmpty {
      members.append("\"renamedFrom\": \(JSONText.list(model.renamedFrom.map(\.value)))")
    }
    if model.isOffline { members.append("\"isOffline\": true") }
    if !model.deletionMarks.isEmpty {
      members.append("\"deletionMarks\": \(JSONText.list(model.deletionMarks.map(\.text)))")
    }
    let words = words(of: model)
    if !words.isEmpty { members.append("\"words\": \(JSONText.list(words))") }
    if let mark = model.softDelete, model.properties.contains(where: \.isUnique) {
      members.append("\"softDelete\": \(JSONText.string(model.properties[mark].name))")
    }
    let properties = model.properties.filter(\.isKeyed).map { "        { \(property($0, in: schema)) }" }
    members.append("\"properties\": [\n\(properties.joined(separator: ",\n"))\n      ]")
    return "    {\n      \(members.joined(separator: ",\n      "))\n    }"
  }

  /// The stored type of a property that is part of a composite identity.
  private func identityType(of property: Property, in schema: Schema) -> String {
    guard let target = property.target else { return type(property, in: schema) }
    guard let home = home(of: target, in: schema), let model = home.model(target) else { return target }
    guard model.identityProperty?.isComposite ?? false else {
      return model.identityProperty.map { type($0, in: home) } ?? target
    }
    let parts = model.identityParts.map { identityType(of: model.properties[$0.position], in: home) }
    return "[\(parts.joined(separator: ", "))]"
  }

  private func property(_ property: Property, in schema: Schema) -> String {
    var members = ["\"name\": \(JSONText.string(property.name))"]
    // The end of a one-to-one without a column cannot require a row.
    var isOptional = property.isOptional && !property.isToMany
    var storage: [String] = []
    if let target = property.target, let relationship = property.relationship {
      storage = ["\"model\": \(JSONText.string(target))"]
      switch relationship.storage {
      case .column(let isUnique): if isUnique { storage.append("\"isUnique\": true") }
      case .inverse(let column):
        isOptional = !property.isToMany
        storage.append("\"inverseOf\": \(JSONText.string(column))")
      case .link(let table, let isSource):
        storage += ["\"links\": \(JSONText.string(table))", "\"end\": \"\(isSource ? "source" : "target")\""]
      }
    }
    if property.isUnique { storage.append("\"isUnique\": true") }
    members.append("\"type\": \(JSONText.string(type(property, in: schema) + (isOptional ? "?" : "")))")
    members += storage
    if let rule = property.relationship?.missing { members.append("\"missing\": \"\(rule.rawValue)\"") }
    if property.defaultValue != nil { members.append("\"hasDefault\": true") }
    if !property.renamedFrom.isEmpty {
      members.append("\"renamedFrom\": \(JSONText.list(property.renamedFrom.map(\.value)))")
    }
    if let type = declaredType(of: property) { members.append("\"declared\": \(JSONText.string(type))") }
    return (members + payloadMembers(of: property)).joined(separator: ", ")
  }

  /// The stored type; an enum is stored as its raw value.
  private func type(_ property: Property, in schema: Schema) -> String {
    return switch property.type {
    case .value(let type): shape(of: type, in: schema)
    case .toOne(let name): name
    case .toMany(let name): "[\(name)]"
    case .union, .invalid: ""
    }
  }
}

extension SnapshotEmitter {
  /// The shape of a value. A struct that was already written is referred to by its number.
  private func shape(of type: ValueType, in schema: Schema) -> String {
    var structs: [String] = []
    return value(type, in: schema, &structs)
  }

  private func value(_ type: ValueType, in schema: Schema, _ structs: inout [String]) -> String {
    switch type {
    case .scalar(let scalar): return scalar.rawValue
    case .enumeration(let name):
      return home(of: name, in: schema)?.enumeration(name)?.rawType.rawValue ?? "String"
    case .list(let element): return "[\(value(element, in: schema, &structs))]"
    case .map(let element): return "[String: \(value(element, in: schema, &structs))]"
    // The stored type does not depend on the cases.
    case .union: return "JSON"
    case .structure(let name):
      guard let home = home(of: name, in: schema), let structure = home.structure(name) else { return "JSON" }
      let key = "\(home.target).\(name)"
      if let position = structs.firstIndex(of: key) { return "^\(position)" }
      structs.append(key)
      var members: [String] = []
      for member in structure.properties.sorted(by: {
        Array($0.name.utf8).lexicographicallyPrecedes($1.name.utf8)
      }) {
        let type = member.valueType.map { value($0, in: home, &structs) } ?? "JSON"
        members.append("\(member.name): \(type)\(member.isOptional ? "?" : "")")
      }
      return "{\(members.joined(separator: ", "))}"
    }
  }
}

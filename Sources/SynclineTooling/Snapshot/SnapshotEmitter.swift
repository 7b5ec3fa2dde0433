import Syncline
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
  let modules: [String: Schema]
  let keys: KeyStyle

  func text() -> String {
    let models = allModels.sorted { $0.model.name < $1.model.name }.map { model($0.model, in: $0.schema) }
    let json: SyncJSON = ["format": 1, "models": .array(models), "declarations": .array(declarations())]
    return SnapshotEmitter.text(of: json) + "\n"
  }

  /// The text of a value. Each model, each declaration and each of their members begins a line.
  ///
  /// - Parameters:
  ///   - depth: the number of objects that contain the value.
  ///   - start: a line break with the indentation of the value's line.
  private static func text(of json: SyncJSON, depth: Int = 0, after start: String = "\n") -> String {
    let inner = start + "  "
    if let object = json.object {
      let members = object.map { name, value in
        "\(SyncJSON.string(name)): \(text(of: value, depth: depth + 1, after: inner))"
      }
      return depth > 1
        ? "{ \(members.joined(separator: ", ")) }"
        : "{\(inner)\(members.joined(separator: ",\(inner)"))\(start)}"
    }
    guard let array = json.array else { return json.description }
    // A schema without models has an empty line in their place.
    if array.isEmpty { return "[\n\(start)]" }
    let elements = array.map { text(of: $0, depth: depth, after: inner) }
    return array.allSatisfy { $0.object != nil }
      ? "[\(inner)\(elements.joined(separator: ",\(inner)"))\(start)]"
      : "[\(elements.joined(separator: ", "))]"
  }

  /// A list of strings; nil if it is empty.
  static func list(_ texts: [String]) -> SyncJSON? {
    texts.isEmpty ? nil : .array(texts.map(SyncJSON.string))
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
        let other = home.home(of: name, among: modules)
        if let model = other.model(name) { found.append((model, other)) }
      }
    }
    return found
  }

  private func model(_ model: Model, in schema: Schema) -> SyncJSON {
    func name(_ position: Int) -> SyncJSON { .string(model.properties[position].name) }
    let parts = model.identityParts.map { part in
      let property = model.properties[part.position]
      return "\(property.name): \(identityType(of: property, in: schema))"
    }
    let indexes = model.indexes.compactMap { index in
      SnapshotEmitter.list(
        index.terms.map { ([model.properties[$0.property].name] + $0.path).joined(separator: ".") })
    }
    let mark = model.properties.contains(where: \.isUnique) ? model.softDelete : nil
    return .object([
      "name": .string(model.name), "identity": model.identityProperty.map { .string($0.name) },
      "identityParts": SnapshotEmitter.list(parts), "isSingleton": model.isSingleton ? true : nil,
      "parentScope": model.parentScope.map(name), "indexes": indexes.isEmpty ? nil : .array(indexes),
      "renamedFrom": SnapshotEmitter.list(model.renamedFrom.map(\.value)),
      "isOffline": model.isOffline ? true : nil,
      "deletionMarks": SnapshotEmitter.list(model.deletionMarks.map(\.text)),
      "words": SnapshotEmitter.list(words(of: model)), "softDelete": mark.map(name),
      "properties": .array(model.properties.filter(\.isKeyed).map { property($0, in: schema) }),
    ])
  }

  /// The stored type of a property that is part of a composite identity.
  private func identityType(of property: Property, in schema: Schema) -> String {
    guard let target = property.target else { return type(property, in: schema) }
    let home = schema.home(of: target, among: modules)
    guard let model = home.model(target), let identity = model.identityProperty else { return target }
    guard identity.isComposite else { return type(identity, in: home) }
    let parts = model.identityParts.map { identityType(of: model.properties[$0.position], in: home) }
    return "[\(parts.joined(separator: ", "))]"
  }

  private func property(_ property: Property, in schema: Schema) -> SyncJSON {
    let relationship = property.target == nil ? nil : property.relationship
    var (isUnique, isOptional) = (property.isUnique, property.isOptional && !property.isToMany)
    var column: String?
    var link: (table: String, end: String)?
    switch relationship?.storage {
    case .column(let isOneToOne)?: isUnique = isUnique || isOneToOne
    case .inverse(let name)?:
      // The end of a one-to-one without a column cannot require a row.
      isOptional = !property.isToMany
      column = name
    case .link(let table, let isSource)?: link = (table, isSource ? "source" : "target")
    case nil: break
    }
    let payload = payloadMembers(of: property)
    return .object([
      "name": .string(property.name),
      "type": .string(type(property, in: schema) + (isOptional ? "?" : "")),
      "model": relationship == nil ? nil : property.target.map(SyncJSON.string),
      "isUnique": isUnique ? true : nil, "inverseOf": column.map(SyncJSON.string),
      "links": link.map { .string($0.table) }, "end": link.map { .string($0.end) },
      "missing": (property.relationship?.missing).map { .string($0.rawValue) },
      "hasDefault": property.defaultValue == nil ? nil : true,
      "renamedFrom": SnapshotEmitter.list(property.renamedFrom.map(\.value)),
      "declared": declaredType(of: property).map(SyncJSON.string), "keys": payload.keys,
      "written": payload.written, "words": payload.words,
    ])
  }

  /// The stored type; an enum is stored as its raw value.
  private func type(_ property: Property, in schema: Schema) -> String {
    var structs: [String] = []
    return switch property.type {
    case .value(let type): value(type, in: schema, &structs)
    case .toOne(let name): name
    case .toMany(let name): "[\(name)]"
    case .union, .invalid: ""
    }
  }

  /// The shape of a value. A struct that was already written is referred to by its number.
  private func value(_ type: ValueType, in schema: Schema, _ structs: inout [String]) -> String {
    switch type {
    case .scalar(let scalar): return scalar.rawValue
    case .enumeration(let name):
      return schema.home(of: name, among: modules).enumeration(name)?.rawType.rawValue ?? "String"
    case .list(let element): return "[\(value(element, in: schema, &structs))]"
    case .map(let element): return "[String: \(value(element, in: schema, &structs))]"
    // The stored type does not depend on the cases.
    case .union: return "JSON"
    case .structure(let name):
      let home = schema.home(of: name, among: modules)
      guard let structure = home.structure(name) else { return "JSON" }
      let key = "\(home.target).\(name)"
      if let position = structs.firstIndex(of: key) { return "^\(position)" }
      structs.append(key)
      let properties = structure.properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      let members = properties.map { member in
        let type = member.valueType.map { value($0, in: home, &structs) } ?? "JSON"
        return "\(member.name): \(type)\(member.isOptional ? "?" : "")"
      }
      return "{\(members.joined(separator: ", "))}"
    }
  }
}

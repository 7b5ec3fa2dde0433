import SynclineNaming

/// Writes a schema as the JSON that stores remember theirs by, with the JSON keys of its properties besides.
struct SnapshotEmitter {
  let schema: Schema
  /// Which of a property's keys are written.
  let keys: KeyStyle

  func text() -> String {
    let models = (schema.models + schema.imported).sorted { $0.name < $1.name }.map(model)
    return """
      {
        "format": 1,
        "models": [
      \(models.joined(separator: ",\n"))
        ]
      }

      """
  }

  private func model(_ model: Model) -> String {
    func names(_ positions: [Int]) -> String { JSONText.list(positions.map { model.properties[$0].name }) }
    var members = ["\"name\": \(JSONText.string(model.name))"]
    if let identity = model.identityProperty {
      members.append("\"identity\": \(JSONText.string(identity.name))")
    }
    if let scope = model.parentScope {
      members.append("\"parentScope\": \(JSONText.string(model.properties[scope].name))")
    }
    let indexes = model.indexes.map { names($0.properties) }
    if !indexes.isEmpty { members.append("\"indexes\": [\(indexes.joined(separator: ", "))]") }
    if !model.renamedFrom.isEmpty {
      members.append("\"renamedFrom\": \(JSONText.list(model.renamedFrom.map(\.value)))")
    }
    let properties = model.properties.filter(\.isKeyed).map { "        { \(property($0)) }" }
    members.append("\"properties\": [\n\(properties.joined(separator: ",\n"))\n      ]")
    return "    {\n      \(members.joined(separator: ",\n      "))\n    }"
  }

  private func property(_ property: Property) -> String {
    var members = ["\"name\": \(JSONText.string(property.name))"]
    // The far end of a one-to-one has no column that could require a row.
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
    members.append("\"type\": \(JSONText.string(type(property) + (isOptional ? "?" : "")))")
    members += storage
    if property.defaultValue != nil { members.append("\"hasDefault\": true") }
    if !property.renamedFrom.isEmpty {
      members.append("\"renamedFrom\": \(JSONText.list(property.renamedFrom.map(\.value)))")
    }
    let names = keys == .snakeCase ? property.snakeKeys : property.camelKeys
    if !names.isEmpty { members.append("\"keys\": \(JSONText.list(names))") }
    return members.joined(separator: ", ")
  }

  /// What is stored: an enum as its raw value.
  private func type(_ property: Property) -> String {
    func raw(_ name: String) -> String { schema.enumeration(name)?.rawType.rawValue ?? "String" }
    return switch property.type {
    case .scalar(let scalar): scalar.rawValue
    case .list(let scalar): "[\(scalar.rawValue)]"
    case .enumeration(let name): raw(name)
    case .enumerationList(let name): "[\(raw(name))]"
    case .toOne(let name): name
    case .toMany(let name): "[\(name)]"
    case .invalid: ""
    }
  }
}

/// Texts as JSON writes them.
private enum JSONText {
  static func list(_ texts: [String]) -> String { "[\(texts.map(string).joined(separator: ", "))]" }

  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

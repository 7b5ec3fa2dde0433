/// The Swift names of a schema's types, written so that no declaration of the schema shadows them.
///
/// Properties, cases and models cannot shadow a name that is qualified by its module. A model or an enum of
/// the target itself is written only in type positions, where Swift does not look for properties or methods.
struct TypeNames {
  let schema: Schema

  /// Type names that protocols of models, structs and their columns use: inside these types, the name refers
  /// to the protocol's type.
  static let ofProtocols: Set<String> = [
    "CodingKeys", "DatabaseComponents", "Reference", "SyncParentReference", "Value",
  ]

  /// A model or an enum in a type position.
  func type(_ name: String) -> String {
    if let module = schema.importedModules[name], !schema.declares(name) {
      return "\(SwiftText.type(module)).\(name)"
    }
    guard TypeNames.ofProtocols.contains(name) else { return SwiftText.type(name) }
    return "\(SwiftText.type(schema.target)).\(name)"
  }

  /// A model or an enum as an expression.
  func metatype(_ name: String) -> String { "Syncline.SyncNamed<\(type(name))>.type" }

  /// The type of a property's value, without the optional mark.
  func value(_ property: Property) -> String {
    switch property.type {
    // The identity type is nested in the model.
    case _ where property.isComposite: "ID"
    case .value(let type): value(type)
    case .toOne(let name): "Syncline.Reference<\(type(name))>"
    case .toMany(let name): "[\(type(name))]"
    case .union, .invalid: "Swift.Never"
    }
  }

  private func value(_ type: ValueType) -> String {
    switch type {
    case .scalar(let scalar): scalar.swiftName
    case .enumeration(let name), .structure(let name), .union(let name): self.type(name)
    case .list(let element): "[\(value(element))]"
    case .map(let element): "[Swift.String: \(value(element))]"
    }
  }

  /// The type of a property's column, without the optional mark.
  func column(_ property: Property) -> String {
    if case .toOne(let name) = property.type { "\(type(name)).SyncID" } else { value(property) }
  }

  func full(_ property: Property) -> String { value(property) + (property.isOptional ? "?" : "") }

  /// The type, as an expression, that decodes a property's value from a payload.
  func readType(_ property: Property) -> String {
    transform(property).map { "Syncline.SyncTransformed<\($0)>.self" } ?? metatype(property)
  }

  /// The type that reads and writes a property's value; nil if that is the value's own type.
  func transform(_ property: Property) -> String? {
    if let order = property.relatedOrder {
      return "Syncline.\(property.keepsOthers ? "SyncKeptOrder" : "SyncOrder")<\(type(order))>"
    }
    if let part = property.unionPart, part.caseName == nil {
      return "Syncline.SyncUnrecognized<\(type(part.union))>"
    }
    return property.transform?.value
  }

  /// The type of a property's value, as an expression.
  func metatype(_ property: Property) -> String {
    guard let type = property.valueType, let name = type.declaredName else {
      return "\(value(property)).self"
    }
    if case .list(let element) = type { return "Swift.Array<\(value(element))>.self" }
    if case .map(let element) = type { return "Swift.Dictionary<Swift.String, \(value(element))>.self" }
    return metatype(name)
  }

  /// The other targets whose types a property's Swift code uses.
  func modules(of property: Property) -> [String] {
    let names = [property.target ?? property.valueType?.declaredName, property.unionPart?.union]
    return names.compactMap { $0 }.compactMap(module)
  }

  /// The module of a type of another target; nil for one of the target itself.
  func module(of name: String) -> String? {
    schema.declares(name) ? nil : schema.importedModules[name]
  }
}

extension ScalarType {
  var swiftName: String { self == .json ? "Syncline.SyncJSON" : "\(module).\(rawValue)" }
}

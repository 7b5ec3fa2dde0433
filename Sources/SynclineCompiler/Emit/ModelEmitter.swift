/// Writes a model: the type, and its conformance in one extension for each part.
struct ModelEmitter {
  let schema: Schema
  let model: Model
  /// The properties in the order of their keys.
  let keyed: [Property]
  /// Those of them that are relationships.
  let related: [Property]
  /// Those that an instance holds.
  let held: [Property]

  init(schema: Schema, model: Model) {
    self.schema = schema
    self.model = model
    keyed = model.keyed
    related = keyed.filter(\.isRelationship)
    held = model.properties.filter { $0.isStored || $0.isTransient }
  }

  var access: String { schema.access.rawValue }
  var name: String { SwiftText.name(model.name) }

  func emit(_ printer: inout CodePrinter) {
    StructEmitter(model: self).emit(&printer)
    printer.line()
    TableEmitter(model: self).emit(&printer)
    printer.line()
    SyncEmitter(model: self).emit(&printer)
    printer.line()
    StorageEmitter(model: self).emit(&printer)
    if model.properties.contains(where: { $0.relationship != nil }) {
      printer.line()
      AssociationEmitter(model: self).emit(&printer)
    }
  }

  func key(_ property: Property) -> String { "SyncKeys.\(SwiftText.name(property.name))" }

  /// A model's name, qualified where it is another target's.
  func typeName(_ model: String) -> String {
    guard !schema.declaresModel(model), let module = schema.importedModules[model] else {
      return SwiftText.name(model)
    }
    return "\(module).\(SwiftText.name(model))"
  }

  /// The type of a property's value, without the mark of an optional.
  func valueType(_ property: Property) -> String {
    switch property.type {
    case .scalar(let scalar): scalar.swiftName
    case .list(let scalar): "[\(scalar.swiftName)]"
    case .enumeration(let name): typeName(name)
    case .enumerationList(let name): "[\(typeName(name))]"
    case .toOne(let name): "Syncline.Reference<\(typeName(name))>"
    case .toMany(let name): "[\(typeName(name))]"
    case .invalid: "Never"
    }
  }

  func fullType(_ property: Property) -> String {
    valueType(property) + (property.isOptional ? "?" : "")
  }

  func defaultExpression(_ property: Property) -> String? {
    guard let value = property.defaultValue else { return property.isOptional ? "nil" : nil }
    return expression(value, property.type)
  }

  func expression(_ value: DefaultValue, _ type: Property.PropertyType) -> String {
    switch (value, type) {
    case (.list(let values), .list(let scalar)):
      "[" + values.map { expression($0, .scalar(scalar)) }.joined(separator: ", ") + "]"
    case (.list(let values), .enumerationList(let name)):
      "[" + values.map { expression($0, .enumeration(name)) }.joined(separator: ", ") + "]"
    // Where the property is optional, Swift would take these for the optional's own.
    case (.member(let member), .enumeration(let name)) where member == "none" || member == "some":
      "\(typeName(name)).\(member)"
    case (.member(let member), _): ".\(SwiftText.name(member))"
    case (.uuid(let bytes), _):
      "Foundation.UUID(uuid: (" + bytes.map { String($0) }.joined(separator: ", ") + "))"
    case (.number(let digits), .scalar(.decimal)): decimal(digits)
    case (.null, _): ".null"
    case (.text(let text), _): SwiftText.literal(text)
    case (.number(let digits), _): digits
    case (.bool(let value), _): value ? "true" : "false"
    case (.list, _): "[]"
    }
  }

  /// A decimal from its digits: a literal would go through a binary fraction.
  private func decimal(_ digits: String) -> String {
    let isNegative = digits.hasPrefix("-")
    let parts = digits.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    let significand = String((parts.first.map(String.init) ?? "0") + fraction)
    if fraction.isEmpty, significand.count < 18 { return "Foundation.Decimal(\(digits))" }
    // Parts of eighteen digits fit an integer.
    var rest = Substring(significand)
    var terms: [String] = []
    while !rest.isEmpty {
      let part = rest.suffix(18)
      rest = rest.dropLast(18)
      let value = String(Int64(part) ?? 0)
      terms.append(
        "Foundation.Decimal(sign: .\(isNegative ? "minus" : "plus"), exponent: \(terms.count * 18 - fraction.count), significand: \(value))"
      )
    }
    return terms.joined(separator: " + ")
  }
}

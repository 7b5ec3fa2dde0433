/// Writes a model in two parts: what a user of it reads, and what the runtime calls.
struct ModelEmitter {
  let model: Model
  let names: TypeNames
  /// `public `, `package ` or nothing.
  let access: String
  /// The properties in the order of their keys.
  let keyed: [Property]
  /// Those of them that have a column.
  let stored: [Property]
  /// Those of them that are relationships.
  let related: [Property]
  /// The properties that an instance holds.
  let held: [Property]

  init(_ model: Model, of schema: Schema) {
    self.model = model
    names = TypeNames(schema: schema)
    access = schema.access.prefix
    keyed = model.keyed
    stored = keyed.filter(\.isStored)
    related = keyed.filter(\.isRelationship)
    held = model.properties.filter { ($0.isStored || $0.isTransient) && !$0.isComposite }
  }

  /// The model where a type is expected; inside of it `Self` is shorter, and nothing hides it.
  var name: String { SwiftText.type(model.name) }

  /// The type, its columns, its associations and requests.
  func emitInterface(_ printer: inout CodePrinter) {
    StructEmitter(model: self).emit(&printer)
    printer.line()
    if model.identityProperty?.isComposite ?? false {
      CompositeEmitter(model: self).emit(&printer)
      printer.line()
    }
    InterfaceEmitter(model: self).emit(&printer)
  }

  /// What the runtime calls.
  func emitConformance(_ printer: inout CodePrinter) {
    TableEmitter(model: self).emit(&printer)
    printer.line()
    SyncEmitter(model: self).emit(&printer)
    printer.line()
    StorageEmitter(model: self).emit(&printer)
  }

  /// The key of a property.
  func key(_ property: Property) -> String { "SyncKeys.\(property.name)" }
}

extension Schema.Access {
  /// The access as it stands before a declaration: what Swift takes for granted is not written.
  var prefix: String { self == .internal ? "" : rawValue + " " }
}

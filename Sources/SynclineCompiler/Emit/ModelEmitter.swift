import SynclineNaming

/// Generates a model in two parts: its interface for users, and its conformance for the runtime.
struct ModelEmitter {
  let model: Model
  let names: TypeNames
  /// `public `, `package ` or nothing.
  let access: String
  /// The access modifier of declarations that only generated code and the runtime use.
  let runtimeAccess: String
  /// How the target's JSON keys are spelled if an attribute states none.
  let keyStyle: KeyStyle
  /// The properties in the order of their keys.
  let keyed: [Property]
  let stored: [Property]
  /// The relationships that payloads can have.
  let related: [Property]
  /// The stored properties of the Swift type.
  let held: [Property]

  init(_ model: Model, of schema: Schema) {
    self.model = model
    names = TypeNames(schema: schema)
    access = schema.access.prefix
    runtimeAccess = schema.access.runtimePrefix
    keyStyle = schema.keyStyle
    keyed = model.keyed
    stored = keyed.filter(\.isStored)
    related = keyed.filter { $0.isRelationship && !$0.isLocal }
    held = model.properties.filter { ($0.isStored || $0.isTransient) && !$0.isComposite }
  }

  /// The model's name in a type position. Inside the model, `Self` is shorter and cannot be shadowed.
  var name: String { SwiftText.type(model.name) }

  /// The type, its columns, its associations and requests.
  func emitInterface(_ printer: inout CodePrinter) {
    emitStruct(&printer)
    if model.identityProperty?.isComposite ?? false {
      printer.line()
      emitComposite(&printer)
    }
  }

  /// The conformance that the runtime uses.
  func emitConformance(_ printer: inout CodePrinter) {
    let scoped = model.parentScope == nil ? [] : ["Syncline.ParentScopedModel"]
    let singleton = model.isSingleton ? ["Syncline.SyncSingleton"] : []
    let conformances = ["Syncline.SyncGeneratedModel"] + scoped + singleton
    printer.block(.declaration("nonisolated extension \(name)", conformances: conformances)) { printer in
      emitTable(&printer)
      printer.line()
      emitSync(&printer)
      printer.line()
      emitStorage(&printer)
    }
  }

  /// The key of a property: its position in the table.
  func key(_ property: Property) -> String {
    // A property without a position would be a defect: code with its name does not compile.
    keyed.firstIndex { $0 === property }.map { String($0) } ?? property.name
  }
}

extension Schema.Access {
  /// The access modifier before a declaration; empty for Swift's default.
  var prefix: String { self == .internal ? "" : rawValue + " " }

  /// The same for a declaration that only generated code and the runtime use. Public ones are hidden from the code that imports
  /// the target.
  var runtimePrefix: String { self == .public ? "@_spi(\(FileHeader.spi)) public " : prefix }
}

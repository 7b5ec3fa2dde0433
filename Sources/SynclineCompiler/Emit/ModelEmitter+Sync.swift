/// Generates the sync conformance of a model: its identity, `make`, `apply`, `applyRelationships` and `export`.
extension ModelEmitter {
  func emitSync(_ printer: inout CodePrinter) {
    identity(&printer)
    propertyNames(&printer)
    printer.line()
    make(&printer)
    apply(&printer)
    if let place = keyed.first(where: \.isPosition) {
      printer.line()
      takePlace(place, &printer)
    }
    if !related.isEmpty {
      printer.line()
      applyRelationships(&printer)
    }
    printer.line()
    export(&printer)
  }

  private func identity(_ printer: inout CodePrinter) {
    guard let identity = model.identityProperty else { return }
    let type = names.value(identity)
    printer.line("\(access)typealias SyncID = \(type)")
    printer.getter("\(access)static var syncIdentity: Swift.KeyPath<Self, \(type)>", "\\.\(identity.name)")
    if !identity.explicitKeys.isEmpty {
      printer.getter(
        "\(access)static var syncIdentityRemoteKeys: [Swift.String]",
        SwiftText.literals(identity.explicitPaths(below: nil)))
    }
    if let scope = model.parentScope.map({ model.properties[$0] }) {
      printer.getter(
        "\(access)static var parentRelationship: Swift.KeyPath"
          + .list(opening: "<", ["Self", .text(names.full(scope))], closing: ">"),
        "\\.\(scope.name)")
    }
  }

  private func make(_ printer: inout CodePrinter) {
    printer.block("\(access)static func make(from payload: Syncline.SyncPayload) throws -> Self") { printer in
      let properties = held.filter { !$0.isTransient }
      // A constant that is not used is a warning.
      if properties.contains(where: { !$0.isLocal && !$0.isPosition }) {
        printer.line("let values = payload.read(by: Self.syncTable)")
      }
      let arguments = properties.map { "\(SwiftText.label($0.name)): " + read($0) }
      printer.code(.call("return Self", arguments))
    }
  }

  private func read(_ property: Property) -> Code {
    // Payloads do not contain the property.
    if property.isLocal { return property.initialValue ?? "nil" }
    let key: Code = "for: \(self.key(property))"
    if let target = property.target {
      let type: Code = "to: \(names.metatype(target))"
      return property.isOptional
        ? .call("values.reference", [type, key])
        : .call("try values.requiredReference", [type, key])
    }
    // The position is set later, when the row's place in the list is known.
    if property.isPosition { return property.payloadDefault ?? (property.isOptional ? "nil" : "0") }
    let type = names.readType(property)
    let (value, required) = property.isMerged ? ("merged", "requiredMerged") : ("value", "required")
    let read: Code =
      property.isOptional
      ? .call("values.\(value)", [key, "as: \(type)"] + property.defaultArgument)
      : .call("try values.\(required)", [.text(type), key] + property.defaultArgument)
    guard names.transform(property) != nil else { return read }
    if property.orderedList != nil { return read + "?.order" }
    return read + (property.isOptional ? "?.value" : ".value")
  }

  private func apply(_ printer: inout CodePrinter) {
    let scalars = keyed.filter {
      !$0.isRelationship && !$0.isPosition && !$0.isLocal && $0.name != model.identityProperty?.name
    }
    // The default implementation of the runtime does nothing.
    guard !scalars.isEmpty else { return }
    printer.line()
    printer.block("\(access)mutating func apply(_ payload: Syncline.SyncPayload) throws -> Swift.Bool") {
      printer in
      printer.line("let values = payload.read(by: Self.syncTable)")
      printer.line("var changed = false")
      for property in scalars {
        let arguments =
          ["&self.\(property.name)", "for: \(self.key(property))"] + names.transformArgument(property)
          + ["changed: &changed"]
        printer.code(.call(property.isMerged ? "try values.merge" : "try values.update", arguments))
      }
      printer.line("return changed")
    }
  }

  private func takePlace(_ property: Property, _ printer: inout CodePrinter) {
    printer.block("\(runtimeAccess)mutating func syncTakePlace(_ place: Swift.Int) -> Swift.Bool") {
      printer in
      printer.line("guard self.\(property.name) != place else { return false }")
      printer.line("self.\(property.name) = place")
      printer.line("return true")
    }
  }

  private func applyRelationships(_ printer: inout CodePrinter) {
    let parameters: [Code] = [
      "_ payload: Syncline.SyncPayload", "in context: Syncline.SyncContext",
      "operations: Syncline.SyncRelationshipOperations",
    ]
    printer.block(
      .call("\(access)mutating func applyRelationships", parameters) + " throws -> Swift.Bool"
    ) { printer in
      printer.line("let values = payload.read(by: Self.syncTable)")
      printer.line("var changed = false")
      // Required values are checked before anything is written.
      let isRequired = { (property: Property) in property.isStored && !property.isOptional }
      for property in related.filter(isRequired) + related.filter({ !isRequired($0) }) {
        let target: [Code] =
          property.isStored
          ? ["&self.\(property.name)", "for: \(self.key(property))"] : [.text(self.key(property))]
        printer.code(
          .call(
            "try context.update",
            target + ["from: values", "operations: operations", "changed: &changed"]))
      }
      printer.line("return changed")
    }
  }

  private func export(_ printer: inout CodePrinter) {
    guard let identity = model.identityProperty else { return }
    printer.block(
      "\(access)func export(in context: Syncline.SyncExportContext) throws -> Syncline.SyncJSON"
    ) { printer in
      // In the order of the schema.
      let exported = model.properties.filter {
        $0.isKeyed && ($0.export != .never || model.exportsType($0))
      }
      printer.line("\(exported.isEmpty ? "let" : "var") object = context.object(Self.syncTable)")
      for property in exported {
        let key: Code = "for: \(self.key(property))"
        if property.isRelationship, !property.isStored {
          printer.code(.call("try object.setRelated", ["of: self.\(identity.name)", key]))
        } else {
          let arguments = ["self.\(property.name)", key] + names.transformArgument(property)
          printer.code(.call("try object.set", arguments))
        }
      }
      printer.line("return object.json")
    }
  }

  /// The key paths of the properties. The runtime reads their names from the table. A union's value is not a property of the
  /// table, so then a function returns the names.
  private func propertyNames(_ printer: inout CodePrinter) {
    guard model.properties.contains(where: { $0.unionPart != nil && $0.unionPart?.caseName == nil })
    else {
      let opening = "\(runtimeAccess)static var syncPaths: [Swift.PartialKeyPath<Self>]"
      let paths = keyed.map { "\\.\($0.name)" }
      let line = "\(opening) { [\(paths.joined(separator: ", "))] }"
      if line.count + 2 <= CodePrinter.lineLength { return printer.line(line) }
      return printer.block(.text(opening)) { $0.filled("[", paths, "]") }
    }
    printer.block(
      .call(
        "\(runtimeAccess)static func syncPropertyName", ["_ keyPath: Swift.PartialKeyPath<Self>"])
        + " -> Swift.String?"
    ) { printer in
      printer.line("switch keyPath {")
      for property in model.properties where property.isKeyed {
        printer.choice("\\.\(property.name)", SwiftText.literal(property.name))
      }
      // The interface that exposes a union's cases as one value.
      for property in model.properties {
        guard let part = property.unionPart, part.caseName == nil else { continue }
        printer.choice("\\.\(part.property)", SwiftText.literal(part.property))
      }
      printer.line("default: nil")
      printer.line("}")
    }
  }
}

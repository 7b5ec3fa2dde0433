/// Writes `make`, `apply`, `applyRelationships` and `export`.
struct SyncEmitter {
  let model: ModelEmitter

  private var access: String { model.access }
  private var related: [Property] { model.related }

  func emit(_ printer: inout CodePrinter) {
    let conformance = model.model.parentScope == nil ? "" : ", Syncline.ParentScopedModel"
    printer.block("nonisolated extension \(model.name): Syncline.SyncGeneratedModel\(conformance) {") {
      printer in
      identity(&printer)
      printer.line()
      make(&printer)
      printer.line()
      apply(&printer)
      if !related.isEmpty {
        printer.line()
        applyRelationships(&printer)
      }
      printer.line()
      export(&printer)
      if !related.isEmpty {
        printer.line()
        relationshipNames(&printer)
      }
    }
  }

  private func identity(_ printer: inout CodePrinter) {
    guard let identity = model.model.identityProperty else { return }
    let type = model.valueType(identity)
    printer.line("\(access) typealias SyncID = \(type)")
    printer.line(
      "\(access) static var syncIdentity: Swift.KeyPath<\(model.name), \(type)> { \\.\(SwiftText.name(identity.name)) }"
    )
    if let key = identity.explicitKey {
      printer.line(
        "\(access) static var syncIdentityRemoteKeys: [String] { [\(SwiftText.literal(key.value))] }")
    }
    if let scope = model.model.parentScope.map({ model.model.properties[$0] }) {
      printer.line(
        "\(access) static var parentRelationship: Swift.KeyPath<\(model.name), \(model.fullType(scope))> { \\.\(SwiftText.name(scope.name)) }"
      )
    }
  }

  private func make(_ printer: inout CodePrinter) {
    printer.block("\(access) static func make(from payload: Syncline.SyncPayload) throws -> \(model.name) {")
    { printer in
      printer.line("let payload = payload.read(by: syncTable)")
      printer.call(
        "return \(model.name)(",
        model.held.filter { !$0.isTransient }.map { "\(SwiftText.label($0.name)): \(read($0))" })
    }
  }

  private func read(_ property: Property) -> String {
    let key = model.key(property)
    if let target = property.target {
      let type = "\(model.typeName(target)).self"
      return property.isOptional
        ? "payload.reference(to: \(type), for: \(key))"
        : "try payload.requiredReference(to: \(type), for: \(key))"
    }
    let type = "\(model.valueType(property)).self"
    let fallback = property.defaultValue.map { ", default: \(model.expression($0, property.type))" } ?? ""
    return property.isOptional
      ? "payload.value(for: \(key), as: \(type)\(fallback))"
      : "try payload.required(\(type), for: \(key)\(fallback))"
  }

  private func apply(_ printer: inout CodePrinter) {
    let scalars = model.keyed.filter { !$0.isRelationship && $0.name != model.model.identityProperty?.name }
    printer.block("\(access) mutating func apply(_ payload: Syncline.SyncPayload) throws -> Bool {") {
      printer in
      guard !scalars.isEmpty else {
        printer.line("false")
        return
      }
      printer.line("let payload = payload.read(by: Self.syncTable)")
      printer.line("var changed = false")
      for property in scalars {
        printer.line(
          "try payload.update(&self.\(SwiftText.name(property.name)), for: \(model.key(property)), changed: &changed)"
        )
      }
      printer.line("return changed")
    }
  }

  private func applyRelationships(_ printer: inout CodePrinter) {
    printer.call(
      "\(access) mutating func applyRelationships(", closing: ") throws -> Bool {",
      [
        "_ payload: Syncline.SyncPayload", "in context: Syncline.SyncContext",
        "operations: Syncline.SyncRelationshipOperations",
      ])
    printer.indented { printer in
      printer.line("let payload = payload.read(by: Self.syncTable)")
      printer.line("var changed = false")
      // What is required is refused before anything is written.
      for property in related.sorted(by: { !$0.isOptional && $1.isOptional && $0.isStored }) {
        let target = property.isStored ? "&self.\(SwiftText.name(property.name)), for: " : ""
        printer.line(
          "try context.update(\(target)\(model.key(property)), from: payload, operations: operations, changed: &changed)"
        )
      }
      printer.line("return changed")
    }
    printer.line("}")
  }

  private func export(_ printer: inout CodePrinter) {
    guard let identity = model.model.identityProperty else { return }
    printer.block(
      "\(access) func export(in context: Syncline.SyncExportContext) throws -> Syncline.SyncJSON {"
    ) { printer in
      // In the order of the schema.
      let exported = model.model.properties.filter { $0.isKeyed && $0.export != .never }
      printer.line("\(exported.isEmpty ? "let" : "var") object = context.object(Self.syncTable)")
      for property in exported {
        if !property.isRelationship {
          printer.line("object.set(self.\(SwiftText.name(property.name)), for: \(model.key(property)))")
        } else if property.isStored {
          printer.line("try object.set(self.\(SwiftText.name(property.name)), for: \(model.key(property)))")
        } else {
          printer.line(
            "try object.setRelated(of: self.\(SwiftText.name(identity.name)), for: \(model.key(property)))")
        }
      }
      printer.line("return object.json")
    }
  }

  private func relationshipNames(_ printer: inout CodePrinter) {
    printer.block(
      "\(access) static func syncRelationshipName(_ keyPath: Swift.PartialKeyPath<\(model.name)>) -> String? {"
    ) { printer in
      printer.block("switch keyPath {") { printer in
        for property in related {
          printer.line(
            "case \\\(model.name).\(SwiftText.name(property.name)): \(SwiftText.literal(property.name))")
        }
        printer.line("default: nil")
      }
    }
  }
}

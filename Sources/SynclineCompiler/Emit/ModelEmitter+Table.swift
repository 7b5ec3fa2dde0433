import SynclineNaming

/// Generates the table: the description that the runtime uses.
extension ModelEmitter {
  func emitTable(_ printer: inout CodePrinter) {
    guard let identity = model.identityProperty else { return }
    func key(_ position: Int) -> Code { .text(self.key(model.properties[position])) }
    func term(_ term: Model.Index.Term) -> Code {
      .call("Syncline.SyncKey", [key(term.property)]) + .call(".member", [SwiftText.literals(term.path)])
    }
    var arguments: [Code] = [
      .literal(model.name), "identity: \(self.key(identity))", .text(names.metatype(identity)),
    ]
    if !model.identityParts.isEmpty {
      arguments.append("identityParts: " + .array(model.identityParts.map { key($0.position) }))
    }
    if let scope = model.parentScope { arguments.append("parentScope: " + key(scope)) }
    if let stamp = model.updatedAt { arguments.append("updatedAt: " + key(stamp)) }
    if let mark = model.softDelete { arguments.append("softDelete: " + key(mark)) }
    let isPlain = { (index: Model.Index) in index.terms.allSatisfy(\.path.isEmpty) }
    let plain = model.indexes.filter(isPlain)
    if !plain.isEmpty {
      arguments.append("indexes: " + .array(plain.map { .array($0.terms.map { key($0.property) }) }))
    }
    let others = model.indexes.filter { !isPlain($0) }
    if !others.isEmpty {
      arguments.append("valueIndexes: " + .array(others.map { .array($0.terms.map(term)) }))
    }
    // Keys are numbered with the columns first; exports use the schema's order.
    let declared = model.properties.filter(\.isKeyed)
    if declared.map(\.name) != keyed.map(\.name) {
      arguments.append("exportOrder: " + .array(declared.map { .text(self.key($0)) }))
    }
    if !model.renamedFrom.isEmpty {
      arguments.append("renamedFrom: " + SwiftText.literals(model.renamedFrom.map(\.value)))
    }
    if let name = model.typeName { arguments.append("typeName: " + .literal(name.value)) }
    if let path = model.below { arguments.append("below: " + .literal(path.value)) }
    if model.isOffline { arguments.append("isOffline: true") }
    if model.isIdentityMadeByServer { arguments.append("isIdentityMadeByServer: true") }
    if !model.deletionMarks.isEmpty {
      arguments.append("deletionMarks: " + .array(model.deletionMarks.map(mark)))
    }
    if model.isOneOrMany { arguments.append("isOneOrMany: true") }
    if keyStyle != .snakeCase { arguments.append("keyStyle: .\(keyStyle.rawValue)") }
    arguments.append("properties: " + .array(keyed.map(description)))
    printer.code("\(runtimeAccess)static let syncTable = " + .call("Syncline.SyncTable", arguments))
  }

  private func mark(_ mark: Model.DeletionMark) -> Code {
    var arguments: [Code] = [
      "snake: " + SwiftText.literals(mark.keys(in: .snakeCase)),
      "camel: " + SwiftText.literals(mark.keys(in: .camelCase)),
    ]
    if let value = mark.value {
      let expression = DefaultExpression(type: .value(.scalar(.json)), isOptional: false)
      arguments.append("is: " + expression.code(value.value))
    }
    return .call("Syncline.SyncDeletionMark", arguments)
  }

  private func isIdentity(_ property: Property) -> Bool { property === model.identityProperty }

  private func description(of property: Property) -> Code {
    var code = property.isRelationship ? relationship(property) : scalar(property)
    if let keys = property.keysToState(in: keyStyle, isIdentity: isIdentity(property)) {
      code = code + .call(".withKeys", [SwiftText.literals(keys)])
    }
    switch property.writtenExport {
    case .never where property.isLocal: code = code + ".local()"
    case .never: code = code + ".notExported()"
    case .identities: code = code + ".exportingIdentities()"
    case .objects: break
    }
    if !property.keyPatterns.isEmpty {
      code = code + .call(".keyPattern", [SwiftText.literals(property.keyPatterns.map(\.value))])
    }
    return property.modified(code)
  }

  private func scalar(_ property: Property) -> Code {
    var code = Code.call(
      ".scalar", names.valueArguments(property, isIdentity: isIdentity(property)))
    if property.isMerged { code = code + ".merged()" }
    if property.isUnique { code = code + ".unique()" }
    if property.isPosition { code = code + ".takingPlace()" }
    if let list = property.orderedList { code = code + ".ordering(\(SwiftText.literal(list)))" }
    if let format = property.dateFormat {
      code = code + .call(".dateFormat", [.literal(format.value)])
    }
    return code
  }

  private func relationship(_ property: Property) -> Code {
    guard let relationship = property.relationship, let target = property.target else { return "" }
    var arguments: [Code] = [.literal(property.name), .text(names.metatype(target))]
    switch relationship.storage {
    case .column: if !property.isOptional { arguments.append("isOptional: false") }
    case .inverse(let column): arguments.append("by: \(SwiftText.literal(column))")
    case .link(let table, let isSource):
      arguments.append(
        "through: " + .call(".\(isSource ? "source" : "target")", ["of: \(SwiftText.literal(table))"]))
    }
    var code = Code.call(
      property.isToMany ? ".toMany" : ".toOne", arguments + property.keyArguments(isIdentity: false))
    if case .column(isUnique: true) = relationship.storage { code = code + ".unique()" }
    if relationship.hasExplicitInverse { code = code + ".withExplicitInverse()" }
    if relationship.isOfLists { code = code + ".ofLists()" }
    if let rule = relationship.deleteRule { code = code + ".onDelete(.\(rule.rawValue))" }
    if let rule = relationship.missing { code = code + ".whenMissing(.\(rule.rawValue))" }
    if property.createsUnknown { code = code + ".creatingUnknown()" }
    if let name = property.lookup { code = code + ".lookedUp(by: \(SwiftText.literal(name)))" }
    if let part = property.unionPart, let caseName = part.caseName {
      let arguments: [Code] = [
        .literal(caseName), "of: \(names.metatype(part.union))",
        "in: \(SwiftText.literal(part.property))",
      ]
      code = code + .call(".oneOf", arguments)
    }
    return code
  }
}

import SynclineNaming

/// Generates the table: the description that the runtime uses.
struct TableEmitter {
  let model: ModelEmitter

  func emit(_ printer: inout CodePrinter) {
    let schema = model.model
    guard let identity = schema.identityProperty else { return }
    func key(_ position: Int) -> Code { .text(model.key(schema.properties[position])) }
    func term(_ term: Model.Index.Term) -> Code {
      .call("Syncline.SyncKey", [key(term.property)]) + .call(".member", [SwiftText.literals(term.path)])
    }
    var arguments: [Code] = [
      .literal(schema.name), "identity: \(model.key(identity))",
      .text(model.names.metatype(identity)),
    ]
    if !schema.identityParts.isEmpty {
      arguments.append("identityParts: " + .array(schema.identityParts.map { key($0.position) }))
    }
    if let scope = schema.parentScope { arguments.append("parentScope: " + key(scope)) }
    if let stamp = schema.updatedAt { arguments.append("updatedAt: " + key(stamp)) }
    if let mark = schema.softDelete { arguments.append("softDelete: " + key(mark)) }
    let isPlain = { (index: Model.Index) in index.terms.allSatisfy(\.path.isEmpty) }
    let plain = schema.indexes.filter(isPlain)
    if !plain.isEmpty {
      arguments.append("indexes: " + .array(plain.map { .array($0.terms.map { key($0.property) }) }))
    }
    let others = schema.indexes.filter { !isPlain($0) }
    if !others.isEmpty {
      arguments.append("valueIndexes: " + .array(others.map { .array($0.terms.map(term)) }))
    }
    // Keys are numbered with the columns first; exports use the schema's order.
    let declared = schema.properties.filter(\.isKeyed)
    if declared.map(\.name) != model.keyed.map(\.name) {
      arguments.append("exportOrder: " + .array(declared.map { .text(model.key($0)) }))
    }
    if !schema.renamedFrom.isEmpty {
      arguments.append("renamedFrom: " + SwiftText.literals(schema.renamedFrom.map(\.value)))
    }
    if let name = schema.typeName { arguments.append("typeName: " + .literal(name.value)) }
    if let path = schema.below { arguments.append("below: " + .literal(path.value)) }
    if schema.isOffline { arguments.append("isOffline: true") }
    if schema.isIdentityMadeByServer { arguments.append("isIdentityMadeByServer: true") }
    if !schema.deletionMarks.isEmpty {
      arguments.append("deletionMarks: " + .array(schema.deletionMarks.map(mark)))
    }
    if schema.isOneOrMany { arguments.append("isOneOrMany: true") }
    if model.keyStyle != .snakeCase { arguments.append("keyStyle: .\(model.keyStyle.rawValue)") }
    arguments.append("properties: " + .array(model.keyed.map(description)))
    printer.code("\(model.runtimeAccess)static let syncTable = " + .call("Syncline.SyncTable", arguments))
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

  private func isIdentity(_ property: Property) -> Bool { property === model.model.identityProperty }

  private func description(of property: Property) -> Code {
    var code = property.isRelationship ? relationship(property) : scalar(property)
    if let keys = property.keysToState(in: model.keyStyle, isIdentity: isIdentity(property)) {
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
    if !property.nulls.isEmpty { code = code + NullWord.modifier(property.nulls) }
    if let depth = property.oneOrManyDepth { code = code + ".takingOneOrMany(lists: \(String(depth)))" }
    if !property.renamedFrom.isEmpty {
      code = code + .call(".renamed", ["from: " + SwiftText.literals(property.renamedFrom.map(\.value))])
    }
    return code
  }

  private func scalar(_ property: Property) -> Code {
    var arguments: [Code] = [
      .literal(property.name), .text(model.names.readType(property)),
    ]
    if property.isOptional { arguments.append("isOptional: true") }
    if let value = property.payloadDefault { arguments.append("default: " + value) }
    var code = Code.call(".scalar", arguments + property.keyArguments(isIdentity: isIdentity(property)))
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
    var arguments: [Code] = [.literal(property.name), .text(model.names.metatype(target))]
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
        .literal(caseName), "of: \(model.names.metatype(part.union))",
        "in: \(SwiftText.literal(part.property))",
      ]
      code = code + .call(".oneOf", arguments)
    }
    return code
  }
}

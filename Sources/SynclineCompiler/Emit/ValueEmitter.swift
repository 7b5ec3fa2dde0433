/// Generates a struct of the schema: its members, their SQL paths, and the code that reads and writes them.
struct ValueEmitter {
  let structure: Model
  let names: TypeNames
  let access: String
  /// The access modifier of declarations that only generated code and the runtime use.
  private let runtimeAccess: String
  /// The members that contain the struct again without a list or a map in between. Swift stores them
  /// indirectly.
  private let indirect: Set<String>

  init(_ structure: Model, of schema: Schema, _ cycles: StructCycles) {
    self.structure = structure
    names = TypeNames(schema: schema)
    access = schema.access.prefix
    runtimeAccess = schema.access.runtimePrefix
    indirect = cycles.indirectMembers(of: structure.name)
  }

  private var name: String { SwiftText.type(structure.name) }

  // MARK: Interface for users

  func emitInterface(_ printer: inout CodePrinter) {
    printer.documentation(structure.documentation)
    printer.block("\(access)nonisolated struct \(name): Syncline.SyncStruct") { printer in
      for member in structure.properties {
        printer.documentation(member.documentation)
        let declaration: Code = .pair(
          "\(access)var \(SwiftText.declared(member.name)):", .text(names.full(member)))
        if indirect.contains(member.name) {
          emitIndirect(member, declaration, &printer)
        } else {
          printer.code(declaration)
        }
      }
      if !indirect.isEmpty {
        printer.line()
        codingKeys(&printer)
      }
      printer.line()
      initializer(&printer)
    }
    printer.line()
    printer.block("nonisolated extension Syncline.ValueColumn<\(names.type(structure.name))>") { printer in
      for member in structure.properties {
        printer.getter(
          "\(access)var \(SwiftText.declared(member.name)): Syncline.ValueColumn<\(names.value(member))>",
          .call("self.syncMember", [.literal(member.name)]))
      }
    }
  }

  /// A member that is stored indirectly, and the property that accesses it.
  private func emitIndirect(_ member: Property, _ declaration: Code, _ printer: inout CodePrinter) {
    let storage = storage(of: member)
    printer.block(declaration) { printer in
      printer.line("get { self.\(storage).value }")
      printer.line("set { self.\(storage).value = newValue }")
    }
    printer.line("private var \(storage): Syncline.SyncIndirect<\(names.full(member))>")
  }

  private func storage(of member: Property) -> String {
    indirect.contains(member.name) ? "sync_\(member.name)" : member.name
  }

  /// The coding keys: the members' own names, even if they are stored indirectly.
  private func codingKeys(_ printer: inout CodePrinter) {
    printer.block("private enum CodingKeys: Swift.String, Swift.CodingKey") { printer in
      for member in structure.properties {
        let storage = storage(of: member)
        let name = storage == member.name ? "" : " = \(SwiftText.literal(member.name))"
        printer.line("case \(SwiftText.declared(storage))\(name)")
      }
    }
  }

  /// The assignment to a member.
  private func assign(_ value: Code, to member: Property, _ printer: inout CodePrinter) {
    guard indirect.contains(member.name) else {
      return printer.code(.pair("self.\(member.name) =", value))
    }
    printer.code("self.\(storage(of: member)) = " + .call("Syncline.SyncIndirect", [value]))
  }

  private func initializer(_ printer: inout CodePrinter) {
    let parameters: [Code] = structure.properties.map { member in
      let parameter: Code = "\(SwiftText.parameter(member.name)): \(names.full(member))"
      return member.initialValue.map { .pair(parameter.flat + " =", $0) } ?? parameter
    }
    printer.block(.call("\(access)init", parameters)) { printer in
      for member in structure.properties {
        assign(.text(SwiftText.value(member.name)), to: member, &printer)
      }
    }
  }

  // MARK: Conformance for the runtime

  func emitConformance(_ printer: inout CodePrinter) {
    printer.block("nonisolated extension \(name)") { printer in
      printer.code(
        "\(runtimeAccess)static let syncMembers = "
          + .call(
            "Syncline.SyncMembers",
            [.literal(structure.name), .array(structure.properties.map(description))]))
      printer.line()
      printer.block("\(runtimeAccess)init(syncMembers members: inout Syncline.SyncMemberReader) throws") {
        printer in
        for (index, member) in structure.properties.enumerated() { read(member, at: index, &printer) }
      }
      printer.line()
      printer.block("\(runtimeAccess)func syncWrite(to members: inout Syncline.SyncMemberWriter)") {
        printer in
        for (index, member) in structure.properties.enumerated() {
          let transform: [Code] = member.transform.map { ["by: \($0.value).self"] } ?? []
          printer.code(.call("members.write", ["self.\(member.name)", .text(String(index))] + transform))
        }
      }
    }
  }

  private func read(_ member: Property, at index: Int, _ printer: inout CodePrinter) {
    let fallback: [Code] = member.payloadDefault.map { ["default: " + $0] } ?? []
    let arguments = [.text(names.readType(member)), .text(String(index))] + fallback
    var value = Code.call(member.isOptional ? "members.value" : "try members.required", arguments)
    if member.transform != nil { value = value + (member.isOptional ? "?.value" : ".value") }
    assign(value, to: member, &printer)
  }

  private func description(_ member: Property) -> Code {
    var arguments: [Code] = [.literal(member.name), .text(names.readType(member))]
    if member.isOptional { arguments.append("isOptional: true") }
    if let value = member.payloadDefault { arguments.append("default: " + value) }
    var code = Code.call(".member", arguments + member.keyArguments(isIdentity: false))
    if member.isMerged { code = code + ".merged()" }
    if member.export == .never { code = code + ".notExported()" }
    if let format = member.dateFormat {
      code = code + .call(".dateFormat", [.literal(format.value)])
    }
    if !member.nulls.isEmpty { code = code + NullWord.modifier(member.nulls) }
    if let depth = member.oneOrManyDepth { code = code + ".takingOneOrMany(lists: \(String(depth)))" }
    if !member.renamedFrom.isEmpty {
      code = code + .call(".renamed", ["from: " + SwiftText.literals(member.renamedFrom.map(\.value))])
    }
    return code
  }
}

extension NullWord {
  /// The call that lists the values that mean null for a property or a member.
  static func modifier(_ words: [NullWord]) -> Code {
    .call(".null", [.array(words.map { .text($0.text) })])
  }
}

extension Property {
  /// The default for a payload reader, whose parameter is optional for every property.
  var payloadDefault: Code? {
    guard let defaultValue else { return nil }
    let code = DefaultExpression(type: type, isOptional: transform == nil).code(defaultValue)
    return transform == nil ? code : .call("Syncline.SyncTransformed", [code])
  }

  /// The initial value, if the initializer argument is optional.
  var initialValue: Code? {
    if let value = defaultValue { return DefaultExpression(type: type, isOptional: isOptional).code(value) }
    if identityMaker != nil { return ".syncLocalIdentity()" }
    return isOptional ? "nil" : nil
  }
}

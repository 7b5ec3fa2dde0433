/// Generates a struct of the schema: its members, their SQL paths, and the code that reads and writes them.
struct ValueEmitter {
  let structure: Model
  let names: TypeNames
  /// The members that contain the struct again without a list or a map in between. Swift stores them indirectly.
  let indirect: Set<String>

  private var name: String { SwiftText.type(structure.name) }
  private var access: String { names.schema.access.prefix }
  private var runtimeAccess: String { names.schema.access.runtimePrefix }

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
    names.columns(of: structure.name, structure.properties.map { ($0.name, names.value($0)) }, &printer)
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
    printer.block(.call("\(access)init", structure.properties.map(names.parameter))) { printer in
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
          printer.code(
            .call(
              "members.write",
              ["self.\(member.name)", .text(String(index))] + names.transformArgument(member)))
        }
      }
    }
  }

  private func read(_ member: Property, at index: Int, _ printer: inout CodePrinter) {
    let arguments = [.text(names.readType(member)), .text(String(index))] + member.defaultArgument
    var value = Code.call(member.isOptional ? "members.value" : "try members.required", arguments)
    if member.transform != nil { value = value + (member.isOptional ? "?.value" : ".value") }
    assign(value, to: member, &printer)
  }

  private func description(_ member: Property) -> Code {
    var code = Code.call(".member", names.valueArguments(member, isIdentity: false))
    if member.isMerged { code = code + ".merged()" }
    if member.export == .never { code = code + ".notExported()" }
    if let format = member.dateFormat {
      code = code + .call(".dateFormat", [.literal(format.value)])
    }
    return member.modified(code)
  }
}

extension TypeNames {
  /// The parameter of a memberwise initializer.
  func parameter(_ property: Property) -> Code {
    let parameter: Code = "\(SwiftText.parameter(property.name)): \(full(property))"
    return property.initialValue.map { .pair(parameter.flat + " =", $0) } ?? parameter
  }

  /// Prints the columns of the members of a struct, or of the cases of a union.
  func columns(of type: String, _ members: [(name: String, type: String)], _ printer: inout CodePrinter) {
    printer.block("nonisolated extension Syncline.ValueColumn<\(self.type(type))>") { printer in
      for (name, type) in members {
        printer.getter(
          "\(schema.access.prefix)var \(SwiftText.declared(name)): Syncline.ValueColumn<\(type)>",
          .call("self.syncMember", [.literal(name)]))
      }
    }
  }

  /// The argument for the type that reads and writes a property's value; none if that is the value's own type.
  func transformArgument(_ property: Property) -> [Code] {
    transform(property).map { ["by: \($0).self"] } ?? []
  }

  /// The arguments that describe a scalar or a member of a struct.
  func valueArguments(_ property: Property, isIdentity: Bool) -> [Code] {
    var arguments: [Code] = [.literal(property.name), .text(readType(property))]
    if property.isOptional { arguments.append("isOptional: true") }
    return arguments + property.defaultArgument + property.keyArguments(isIdentity: isIdentity)
  }
}

extension Property {
  /// A description with the calls for `@Null`, `@OneOrMany` and `@RenamedFrom`.
  func modified(_ description: Code) -> Code {
    var code = description
    if !nulls.isEmpty { code = code + .call(".null", [.array(nulls.map { .text($0.text) })]) }
    if let depth = oneOrManyDepth { code = code + ".takingOneOrMany(lists: \(String(depth)))" }
    if !renamedFrom.isEmpty {
      code = code + .call(".renamed", ["from: " + SwiftText.literals(renamedFrom.map(\.value))])
    }
    return code
  }

  var defaultArgument: [Code] { payloadDefault.map { ["default: " + $0] } ?? [] }

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

@_spi(Generated) import Syncline
import SynclineCompiler

/// Declares the structs and unions of a schema. Unions of models must be declared before the tables, which need their cases.
struct ValueDeclarer {
  let schema: Schema
  let types: InterpretedTypes

  func declare() {
    for structure in schema.structs { declare(structure) }
    for union in schema.unions {
      guard let number = types.number(union.name, in: schema) else { continue }
      if union.isOfValues {
        Declarations.declare(
          UnionDeclaration(
            name: union.name, cases: cases(of: union) { types.value(.structure($0), in: schema) }),
          as: number)
      } else {
        Declarations.declare(
          UnionDeclaration(name: union.name, cases: cases(of: union) { types.model($0, in: schema) }),
          as: number)
      }
    }
  }

  private func cases<Element>(
    of union: Union, _ type: (String) -> Element?
  ) -> SyncUnionCases<Element> {
    SyncUnionCases(
      union.name, on: union.key.value,
      union.cases.compactMap { entry in type(entry.type).map { .init(entry.name, $0, type: entry.tag) } })
  }

  private func declare(_ structure: Model) {
    guard let number = types.number(structure.name, in: schema) else { return }
    var members: [SyncMember] = []
    var cells: [MemberCell] = []
    for property in structure.properties {
      guard let type = types.read(property, in: schema) else { continue }
      func add<Value: SyncScalar>(_ type: Value.Type) {
        let fallback = types.defaultValue(of: property, as: type, in: schema)
        let (index, isOptional) = (members.count, property.isOptional)
        cells.append(
          MemberCell(
            read: {
              isOptional
                ? $0.value(Value.self, index, default: fallback)
                : try $0.required(Value.self, index, default: fallback)
            }, write: { $1.write($0 as? Value, index) }))
        var member = SyncMember.member(
          property.name, type, isOptional: property.isOptional, default: fallback,
          snake: property.snakeKeys, camel: property.camelKeys)
        if let keys = property.statedKeys { member = member.withKeys(keys) }
        if property.isMerged { member = member.merged() }
        if property.export == .never { member = member.notExported() }
        if let format = property.dateFormat { member = member.dateFormat(format.value) }
        if let depth = property.oneOrManyDepth { member = member.takingOneOrMany(lists: depth) }
        members.append(
          member.null(property.nulls.map(\.json)).renamed(from: property.renamedFrom.map(\.value)))
      }
      add(type)
    }
    Declarations.declare(
      StructDeclaration(name: structure.name, members: SyncMembers(structure.name, members), cells: cells),
      as: number)
  }
}

extension InterpretedTypes {
  /// The type that a property's values are read as; JSON if the property has a `@Transform`.
  func read(_ property: Property, in schema: Schema) -> (any SyncScalar.Type)? {
    guard property.transform == nil else { return SyncJSON.self }
    return property.valueType.flatMap { value($0, in: schema) }
  }

  func defaultValue<Value: SyncScalar>(
    of property: Property, as type: Value.Type, in schema: Schema
  ) -> Value? {
    guard let fallback = property.defaultValue, let declared = property.valueType else { return nil }
    if case .null = fallback { return SyncJSON.null as? Value }
    return Value(syncJSON: fallback.json(declared) { enumeration($0, in: schema) })
  }
}

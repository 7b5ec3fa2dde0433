import Foundation
import Syncline
import SynclineSchema

extension SampleStore {
  /// The differences between the sample and the rows of today's models, a sentence for each.
  ///
  /// - Parameter ignored: the properties that the user's own steps change, such as `Person.name`.
  func differences(
    from container: SyncContainer, of models: any SyncSchema.Type,
    ignoring ignored: Set<String>
  ) throws -> [String] {
    let today = container.schema
    let match = SchemaMatch(from: schema, to: today)
    let relations = SchemaRelation.byEnd(schema.relations)
    return try models.models.flatMap { type -> [String] in
      let name = type.syncTable.name
      guard let model = today.model(name), let former = match.models[name].flatMap(schema.model) else {
        return []
      }
      let found = try rows(of: type, in: container, model)
      return numbers(of: former).flatMap { number -> [String] in
        let identity = json(former, former.identity, number).loose
        guard let row = found[identity] else { return ["\(name) \(identity) is gone"] }
        return model.properties.compactMap { property in
          guard !ignored.contains("\(name).\(property.name)"), let end = match.former(property.name, of: name)
          else { return nil }
          let expected =
            relations[end].map { related(by: $0, from: end, number, property) }
            ?? json(former, end.property, number)
          // Evolution may have set a default.
          if expected.isNull, !property.isOptional { return nil }
          let value = row[property.name] ?? .null
          return value.loose == expected.loose
            ? nil : "\(name) \(identity): \(property.name) is \(value), and was \(expected)"
        }
      }
    }
  }

  private func rows<Model: SyncUpdatableModel>(
    of type: Model.Type, in container: SyncContainer, _ model: SyncSchemaSnapshot.Model
  ) throws -> [String: SyncJSON] {
    Dictionary(
      try container.rows(of: type).map { ($0[model.identity]?.loose ?? "", $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The identities that a relationship refers to.
  private func related(
    by relation: SchemaRelation, from end: SchemaRelation.End, _ number: Int,
    _ property: SyncSchemaSnapshot.Property
  ) -> SyncJSON {
    let isNear = relation.near == end
    let target = isNear ? relation.farModel : relation.near.model
    let others = pairs(of: relation).filter { (isNear ? $0.near : $0.far) == number }.map {
      isNear ? $0.far : $0.near
    }
    let identities = others.compactMap { other in schema.model(target).map { json($0, $0.identity, other) } }
    return property.isToMany ? .array(identities) : identities.first ?? .null
  }

  /// A value as `rows(of:)` returns it.
  private func json(_ model: SyncSchemaSnapshot.Model, _ name: String, _ number: Int) -> SyncJSON {
    guard let property = model.property(name), !isEmpty(property, number) else { return .null }
    guard case .value(let type) = property.kind else {
      return property.target.flatMap(schema.model).map { json($0, $0.identity, number) } ?? .null
    }
    if name == model.identity, model.isComposite {
      return .string(composite(number, of: model).description)
    }
    return SampleStore.json(of: type, number)
  }

  /// A composed value. A recursive struct is left empty.
  private static func json(of part: ValueShape.Part, in shape: ValueShape, _ number: Int, depth: Int)
    -> SyncJSON
  {
    switch part {
    case .scalar(let scalar): return json(of: SyncStoredType(scalar), number)
    case .list(let element): return depth > 3 ? [] : [json(of: element, in: shape, number, depth: depth + 1)]
    case .map(let value):
      return depth > 3 ? [:] : ["\(number)": json(of: value, in: shape, number, depth: depth + 1)]
    case .structure(let index):
      var object = SyncJSONObject()
      for member in shape.structs[index] where depth <= 3 || !member.isOptional {
        object[member.name] = json(of: member.part, in: shape, number, depth: depth + 1)
      }
      return .object(object)
    }
  }

  static func json(of type: SyncStoredType, _ number: Int) -> SyncJSON {
    if let shape = type.shape.flatMap(ValueShape.init) {
      return json(of: shape.root, in: shape, number, depth: 0)
    }
    if type.isList { return .array([json(of: SyncStoredType(type.scalar), number)]) }
    let value = value(of: type, number)
    return switch type.scalar {
    case .bool: .bool(number % 2 == 0)
    case .date: .string("\(String.fromDatabaseValue(value)?.prefix(10) ?? "")T00:00:00.000Z")
    case .uuid: .string(UUID.fromDatabaseValue(value)?.uuidString ?? "")
    case .data: .string(Data.fromDatabaseValue(value)?.base64EncodedString() ?? "")
    case .string, .url: .string("\(number)")
    default: .number(SyncNumber(number))
    }
  }
}

extension SyncJSON {
  /// The value as a string that is equal for equivalent values of other types: `7`, `7.0` and `"7"`.
  fileprivate var loose: String {
    description.replacing("\"", with: "").replacing(/\.0\b/, with: "")
  }
}

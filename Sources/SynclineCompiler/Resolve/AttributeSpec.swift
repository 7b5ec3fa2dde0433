/// The form of an attribute, and where it is allowed.
package struct AttributeSpec: Sendable {
  package enum Target: Sendable {
    case property, member, scalar, date, relationship, model, structure
  }

  package enum ArgumentType: Sendable {
    case text
    /// The name of a Swift type.
    case typeName
    case keyPath
    /// A key path, or nil.
    case keyPathOrNil
    case member([String])
    /// A string, a number or a boolean.
    case value
    /// A value that means null.
    case nullWord
  }

  package struct Argument: Sendable {
    package let label: String?
    package let type: ArgumentType
    package var isRequired = false
    /// Whether further arguments of the same kind may follow.
    package var repeats = false

    fileprivate static let text = Argument(label: nil, type: .text, isRequired: true)
    fileprivate static let texts = Argument(label: nil, type: .text, isRequired: true, repeats: true)
    fileprivate static let keyPath = Argument(label: nil, type: .keyPath, isRequired: true)
    fileprivate static let keyPaths = Argument(label: nil, type: .keyPath, repeats: true)
  }

  package let targets: [Target]
  package var arguments: [Argument] = []
  package let example: String

  package static func of(_ kind: AttributeKind) -> AttributeSpec {
    switch kind {
    case .primaryKey:
      AttributeSpec(
        targets: [.scalar, .model],
        arguments: [
          Argument(label: "remote", type: .text),
          Argument(label: "madeBy", type: .member(Property.IdentityMaker.allCases.map(\.rawValue))),
          .keyPaths,
        ],
        example:
          "@PrimaryKey, @PrimaryKey(remote: \"ext_id\") or @PrimaryKey(madeBy: .server) on a property, @PrimaryKey(\\.user, \\.group) on a model"
      )
    case .remoteKey:
      AttributeSpec(targets: [.property, .member], arguments: [.texts], example: "@RemoteKey(\"state.id\")")
    case .below:
      AttributeSpec(targets: [.model], arguments: [.text], example: "@Below(\"attributes\")")
    case .singleton: AttributeSpec(targets: [.model], example: "@Singleton")
    case .keyPattern:
      AttributeSpec(
        targets: [.scalar, .relationship], arguments: [.texts], example: "@KeyPattern(\"Organization/{}\")")
    case .transform:
      AttributeSpec(
        targets: [.scalar, .member],
        arguments: [Argument(label: nil, type: .typeName, isRequired: true)],
        example: "@Transform(FalseOrDate)")
    case .dateFormat:
      AttributeSpec(targets: [.date], arguments: [.text], example: "@DateFormat(\"yyyy-MM-dd\")")
    case .null:
      AttributeSpec(
        targets: [.property, .member, .model, .structure],
        arguments: [Argument(label: nil, type: .nullWord, repeats: true)], example: "@Null(\"\", 0)")
    case .notExport: AttributeSpec(targets: [.property, .member], example: "@NotExport")
    case .export:
      AttributeSpec(
        targets: [.relationship],
        arguments: [Argument(label: nil, type: .member(["objects", "identities"]), isRequired: true)],
        example: "@Export(.identities)")
    case .relationship:
      AttributeSpec(
        targets: [.relationship],
        arguments: [
          Argument(label: "inverse", type: .keyPathOrNil),
          Argument(label: "deleteRule", type: .member(Relationship.DeleteRule.allCases.map(\.rawValue))),
          Argument(label: "missing", type: .member(Relationship.MissingRule.allCases.map(\.rawValue))),
          Argument(label: "unknown", type: .member(Relationship.UnknownRule.allCases.map(\.rawValue))),
          Argument(label: "by", type: .keyPath),
        ],
        example: "@Relationship(inverse: \\Tag.tasks, deleteRule: .cascade)")
    case .transient: AttributeSpec(targets: [.scalar], example: "@Transient")
    case .local:
      AttributeSpec(targets: [.scalar, .relationship], example: "@Local isPinned: Bool = false")
    case .index:
      AttributeSpec(
        targets: [.property, .model], arguments: [.keyPaths],
        example: "@Index on a property, @Index(\\.name, \\.createdAt) on a model")
    case .unique: AttributeSpec(targets: [.scalar], example: "@Unique code: String")
    case .parentScoped:
      AttributeSpec(targets: [.model], arguments: [.keyPath], example: "@ParentScoped(\\.project)")
    case .updatedAt:
      AttributeSpec(targets: [.model], arguments: [.keyPath], example: "@UpdatedAt(\\.updatedAt)")
    case .softDelete:
      AttributeSpec(targets: [.model], arguments: [.keyPath], example: "@SoftDelete(\\.deletedAt)")
    case .deleted:
      AttributeSpec(
        targets: [.model],
        arguments: [
          .text, Argument(label: "is", type: .value),
        ],
        example: "@Deleted(\"@removed\") or @Deleted(\"status\", is: \"cancelled\")")
    case .ordered: AttributeSpec(targets: [.relationship], example: "@Ordered tags: [Tag]")
    case .merged: AttributeSpec(targets: [.property, .member], example: "@Merged address: Address?")
    case .position: AttributeSpec(targets: [.scalar], example: "@Position rank: Int")
    case .oneOrMany:
      AttributeSpec(targets: [.property, .member, .model, .structure], example: "@OneOrMany tags: [Tag]")
    case .offline: AttributeSpec(targets: [.model], example: "@Offline")
    case .renamedFrom:
      AttributeSpec(
        targets: [.property, .member, .model], arguments: [.texts], example: "@RenamedFrom(\"oldName\")")
    case .typeName:
      AttributeSpec(targets: [.model], arguments: [.text], example: "@TypeName(\"articles\")")
    }
  }
}

extension AttributeSpec {
  /// Where attributes of a property are allowed, by its type, and how messages name the property.
  static func targets(on type: Property.PropertyType) -> (targets: Set<Target>, subject: String) {
    switch type {
    case .toOne, .toMany, .union: ([.property, .relationship], "a relationship")
    case .value(.scalar(.date)): ([.property, .scalar, .date], "a date")
    case .invalid: ([.property, .scalar, .date, .relationship], "a property")
    case .value(.scalar), .value(.enumeration): ([.property, .scalar], "a scalar")
    case .value(.list), .value(.map), .value(.structure), .value(.union): ([.property, .scalar], "a value")
    }
  }

  /// Where attributes of a struct's member are allowed, by its type, and how messages name the member.
  static func targets(onMember type: Property.PropertyType) -> (targets: Set<Target>, subject: String) {
    switch type {
    case .value(.scalar(.date)): ([.member, .date], "a date of a struct")
    case .invalid: ([.property, .member, .scalar, .date, .relationship], "a member of a struct")
    default: ([.member], "a member of a struct")
    }
  }
}

/// The attributes of the language.
enum AttributeKind: String, Sendable, CaseIterable {
  case primaryKey = "PrimaryKey"
  case remoteKey = "RemoteKey"
  case dateFormat = "DateFormat"
  case notExport = "NotExport"
  case export = "Export"
  case relationship = "Relationship"
  case transient = "Transient"
  case index = "Index"
  case parentScoped = "ParentScoped"
  case updatedAt = "UpdatedAt"
  case softDelete = "SoftDelete"
  case offline = "Offline"
  case renamedFrom = "RenamedFrom"
}

/// What an attribute looks like and where it may stand.
struct AttributeSpec: Sendable {
  enum Place: Sendable {
    case property, scalar, date, relationship, model
  }

  enum ArgumentType: Sendable {
    case text
    case keyPath
    /// A key path, or nil.
    case keyPathOrNil
    case member([String])
  }

  struct Argument: Sendable {
    let label: String?
    let type: ArgumentType
    var isRequired = false
    /// Whether more of the same may follow.
    var repeats = false
  }

  let places: [Place]
  let arguments: [Argument]
  let example: String

  static func of(_ kind: AttributeKind) -> AttributeSpec {
    switch kind {
    case .primaryKey:
      AttributeSpec(
        places: [.scalar], arguments: [Argument(label: "remote", type: .text)],
        example: "@PrimaryKey or @PrimaryKey(remote: \"ext_id\")")
    case .remoteKey:
      AttributeSpec(
        places: [.property], arguments: [Argument(label: nil, type: .text, isRequired: true)],
        example: "@RemoteKey(\"state.id\")")
    case .dateFormat:
      AttributeSpec(
        places: [.date], arguments: [Argument(label: nil, type: .text, isRequired: true)],
        example: "@DateFormat(\"yyyy-MM-dd\")")
    case .notExport: AttributeSpec(places: [.property], arguments: [], example: "@NotExport")
    case .export:
      AttributeSpec(
        places: [.relationship],
        arguments: [Argument(label: nil, type: .member(["objects", "identities"]), isRequired: true)],
        example: "@Export(.identities)")
    case .relationship:
      AttributeSpec(
        places: [.relationship],
        arguments: [
          Argument(label: "inverse", type: .keyPathOrNil),
          Argument(label: "deleteRule", type: .member(Relationship.DeleteRule.allCases.map(\.rawValue))),
          Argument(label: "missing", type: .member(Relationship.MissingRule.allCases.map(\.rawValue))),
        ],
        example: "@Relationship(inverse: \\Tag.tasks, deleteRule: .cascade)")
    case .transient: AttributeSpec(places: [.scalar], arguments: [], example: "@Transient")
    case .index:
      AttributeSpec(
        places: [.property, .model], arguments: [Argument(label: nil, type: .keyPath, repeats: true)],
        example: "@Index on a property, @Index(\\.name, \\.createdAt) on a model")
    case .parentScoped:
      AttributeSpec(
        places: [.model], arguments: [Argument(label: nil, type: .keyPath, isRequired: true)],
        example: "@ParentScoped(\\.project)")
    case .updatedAt:
      AttributeSpec(
        places: [.model], arguments: [Argument(label: nil, type: .keyPath, isRequired: true)],
        example: "@UpdatedAt(\\.updatedAt)")
    case .softDelete:
      AttributeSpec(
        places: [.model], arguments: [Argument(label: nil, type: .keyPath, isRequired: true)],
        example: "@SoftDelete(\\.deletedAt)")
    case .offline: AttributeSpec(places: [.model], arguments: [], example: "@Offline")
    case .renamedFrom:
      AttributeSpec(
        places: [.property, .model], arguments: [Argument(label: nil, type: .text, isRequired: true)],
        example: "@RenamedFrom(\"oldName\")")
    }
  }
}

/// An attribute whose name is known to be right.
struct Attribute: Sendable {
  let kind: AttributeKind
  /// None where they were refused.
  let arguments: [ArgumentSyntax]
  let range: SourceRange
  /// Whether its arguments are right.
  let isRight: Bool

  private func argument(_ label: String?) -> LiteralSyntax? {
    arguments.first { $0.label?.text == label }?.value
  }

  func text(_ label: String?) -> String? {
    if case .text(let text) = argument(label)?.value { text } else { nil }
  }

  func member(_ label: String?) -> String? {
    if case .member(let name) = argument(label)?.value { name } else { nil }
  }

  /// The range of an argument, else of the attribute.
  func range(of label: String?) -> SourceRange {
    argument(label)?.range ?? range
  }

  func keyPath(_ label: String?) -> (root: NameSyntax?, property: NameSyntax)? {
    if case .keyPath(let root, let property) = argument(label)?.value { (root, property) } else { nil }
  }

  func isNil(_ label: String?) -> Bool {
    if case .null = argument(label)?.value { true } else { false }
  }

  /// All key paths without a label.
  var keyPaths: [(root: NameSyntax?, property: NameSyntax)] {
    arguments.compactMap { argument in
      guard argument.label == nil, case .keyPath(let root, let property) = argument.value.value else {
        return nil
      }
      return (root, property)
    }
  }
}

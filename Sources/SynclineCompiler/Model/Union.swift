/// A union of a schema: models or structs, distinguished by a key of their JSON objects.
package struct Union: Sendable {
  package struct Case: Sendable {
    package let name: String
    package let documentation: [String]
    /// The model or the struct.
    package let type: String
    /// The key's value.
    package let tag: String
    package let range: SourceRange
  }

  package let name: String
  package let documentation: [String]
  /// The key, or a path of keys.
  package let key: Located<String>
  package let cases: [Case]
  /// Whether its cases are structs. It is then stored as a value.
  package let isOfValues: Bool
  /// Whether all of its cases could be read.
  package let isWhole: Bool
  package let range: SourceRange
}

/// The role of a property that the compiler adds for a union: one for each model, and one for the type.
package struct UnionPart: Sendable {
  /// The property of the schema.
  package let property: String
  package let union: String
  /// The case; nil for the property that stores an unknown type of a to-one.
  package let caseName: String?

  /// The name of the property that stores a type unknown to the schema.
  package static func unrecognizedName(of property: String) -> String { property + "Unrecognized" }

  /// The name of the property that stores the rows of a case.
  package static func name(of property: String, _ caseName: String) -> String {
    property + caseName.prefix(1).uppercased() + caseName.dropFirst()
  }
}

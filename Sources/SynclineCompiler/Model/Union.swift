/// A union of a schema: models, or structs, told apart by a key of their objects.
package struct Union: Sendable {
  package struct Case: Sendable {
    package let name: String
    package let documentation: [String]
    /// The model or the struct.
    package let type: String
    /// What the key has.
    package let tag: String
    package let range: SourceRange
  }

  package let name: String
  package let documentation: [String]
  /// The key, or a path of keys.
  package let key: Located<String>
  package let cases: [Case]
  /// Whether it is of structs: a value.
  package let isOfValues: Bool
  /// Whether what all of its cases are is known.
  package let isWhole: Bool
  package let range: SourceRange
}

/// What a property is for that stands for one of a union: the compiler adds one for each model, and one for the type.
package struct UnionPart: Sendable {
  /// The property of the schema.
  package let property: String
  package let union: String
  /// The case; nil for the property that holds the type of a to-one where the schema does not know it.
  package let caseName: String?

  /// The name of the property that holds a type which the schema does not know.
  package static func unrecognizedName(of property: String) -> String { property + "Unrecognized" }

  /// The name of the property that holds the rows of a case.
  package static func name(of property: String, _ caseName: String) -> String {
    property + caseName.prefix(1).uppercased() + caseName.dropFirst()
  }
}

/// A union of a schema: models, or structs, told apart by a key of their objects.
struct Union: Sendable {
  struct Case: Sendable {
    let name: String
    let documentation: [String]
    /// The model or the struct.
    let type: String
    /// What the key has.
    let tag: String
    let range: SourceRange
  }

  let name: String
  let documentation: [String]
  /// The key, or a path of keys.
  let key: Located<String>
  let cases: [Case]
  /// Whether it is of structs: a value.
  let isOfValues: Bool
  /// Whether what all of its cases are is known.
  let isWhole: Bool
  let range: SourceRange
}

/// What a property is for that stands for one of a union: the compiler adds one for each model, and one for the type.
struct UnionPart: Sendable {
  /// The property of the schema.
  let property: String
  let union: String
  /// The case; nil for the property that holds the type of a to-one where the schema does not know it.
  let caseName: String?

  /// The name of the property that holds a type which the schema does not know.
  static func unrecognizedName(of property: String) -> String { property + "Unrecognized" }

  /// The name of the property that holds the rows of a case.
  static func name(of property: String, _ caseName: String) -> String {
    property + caseName.prefix(1).uppercased() + caseName.dropFirst()
  }
}

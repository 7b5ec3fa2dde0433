extension SchemaWord {
  /// The effects of an attribute, an argument or a setting on each area. An attribute that this version does not know counts as
  /// one that affects reading.
  static func meanings(of head: String) -> [Meaning] {
    // A property that is not written has no key there, which is reported instead.
    if head == "@NotExport" { return [] }
    if head.hasPrefix("@Transient ") {
      let property = "property “\(head.dropFirst("@Transient ".count))” in memory"
      return [Meaning(.code, "it has no \(property)") { "it has the \(property), \($0)" }]
    }
    if head.hasPrefix("import ") {
      let name = head.dropFirst("import ".count)
      return [Meaning(.code, "it does not import \(name)") { _ in "it imports \(name)" }]
    }
    let known = clauses.filter { $0.head == head }
    if known.isEmpty {
      return [Meaning(.reading, "it is read without \(head)") { "it is read with \(head)(\($0))" }]
    }
    return known.map { clause in
      Meaning(clause.area, clause.without) { clause.with.replacing("$", with: shown($0, of: head)) }
    }
  }

  /// The value of a word in a clause.
  private static func shown(_ value: String, of head: String) -> String {
    switch (head, value) {
    // A key path without its backslash: `\.updatedAt`, `\Country.code`.
    case ("by", _), ("@UpdatedAt", _), ("@SoftDelete", _): String(value.drop { $0 == "\\" || $0 == "." })
    case ("deleteRule", ".cascade"): "deleting the row deletes the related rows"
    case ("deleteRule", ".deny"): "the row cannot be deleted while it has related rows"
    case ("deleteRule", _): "deleting the row unlinks the related rows"
    default: value
    }
  }

  /// The effects of each known word: a clause about a schema without it, and one about a schema with it, where `$` is its value.
  private static let clauses: [(head: String, area: SchemaEffect.Area, without: String, with: String)] = [
    // Values
    ("@Null", .reading, "only null is read as null", "these values are read as null: $"),
    ("null", .reading, "only null is read as null", "these values are read as null: $"),
    (
      "@OneOrMany", .reading, "a single value and a list of one value are not read alike",
      "a single value and a list of one value are read alike"
    ),
    (
      "@Merged", .reading, "an object replaces the whole value",
      "an object replaces only the members that it has"
    ),
    ("@Ordered", .reading, "the order of the list is not kept", "the order of the list is kept"),
    (
      "@Position", .reading, "its value is not the position of the row in its list",
      "its value is the position of the row in its list"
    ),
    (
      "@Unique", .reading, "rows of a payload may have the same value",
      "no two rows of a payload may have the same value"
    ),
    (
      defaultHead, .store, "a stored row without a value gets no default",
      "a stored row without a value gets $"
    ),
    (defaultHead, .reading, "a new row without a value gets no default", "a new row without a value gets $"),
    // The format of values and keys
    (
      "@DateFormat", .reading, "dates are read in the standard forms only",
      "dates are read in the form $, too"
    ),
    ("@DateFormat", .bodies, "dates are written in the standard form", "dates are written in the form $"),
    ("@Transform", .reading, "no Swift type of yours reads the values", "the type $ reads the values"),
    ("@Transform", .bodies, "no Swift type of yours writes the values", "the type $ writes the values"),
    ("@KeyPattern", .reading, "keys are read without a pattern", "keys are read in the form $"),
    ("@KeyPattern", .bodies, "keys are written without a pattern", "keys are written in the form $"),
    ("@Export", .bodies, "objects are written", "keys of rows are written instead of objects"),
    ("keyStyle", .reading, "keys are read in snakeCase", "keys are read in $"),
    ("keyStyle", .bodies, "keys are written in snakeCase", "keys are written in $"),
    // Related rows and their keys
    (
      "deleteRule", .store, "deleting the row unlinks the related rows, or deletes those that require it",
      "$"
    ),
    (
      "unknown", .reading, "a key whose row is not stored becomes a pending link",
      "a key whose row is not stored creates the row"
    ),
    ("by", .reading, "a key is read as an identity", "a key is read as a value of $"),
    ("by", .bodies, "the written key is an identity", "the written key is a value of $"),
    (
      "madeBy", .bodies, "the app creates the identities of new rows",
      "the server creates the identities of new rows"
    ),
    // The rows of a model
    (
      "@UpdatedAt", .reading, "a row replaces the stored row, even if it is older",
      "a row is ignored if its “$” is not newer than that of the stored row"
    ),
    ("@SoftDelete", .store, "rows are deleted", "deleted rows are kept, with the time in “$”"),
    (
      "@SoftDelete", .reading, "rows that are missing from a list are deleted",
      "rows that are missing from a list are kept, with the time in “$”"
    ),
    (
      "@TypeName", .reading, "its type in JSON:API documents is the name of the model",
      "its type in JSON:API documents is $"
    ),
    // Enums, unions and the whole schema
    ("raw", .reading, "its values are read as String", "its values are read as $"),
    ("raw", .bodies, "its values are written as String", "its values are written as $"),
    ("on", .reading, "the type of an object is read from “type”", "the type of an object is read from $"),
    ("on", .bodies, "the type of an object is written to “type”", "the type of an object is written to $"),
    ("values", .reading, "it consists of models", "it consists of structs"),
    ("access", .code, "generated types are internal", "generated types are $"),
    ("imports", .code, "imports are implicit", "the access level of imports is $"),
  ]
}

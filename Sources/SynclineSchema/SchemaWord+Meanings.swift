extension SchemaWord {
  /// The effects of an attribute, an argument or a setting on each area. An attribute that this version does not know counts as
  /// one that affects reading.
  static func meanings(of head: String) -> [Meaning] {
    reading(head) ?? formats(head) ?? relationships(head) ?? models(head) ?? declarations(head)
      ?? [Meaning(.reading, "it is read without \(head)") { "it is read with \(head)(\($0))" }]
  }

  /// Attributes about reading values.
  private static func reading(_ head: String) -> [Meaning]? {
    switch head {
    case "@Null", "null":
      [Meaning(.reading, "only null is read as null") { "these values are read as null: \($0)" }]
    case "@OneOrMany":
      [
        Meaning(.reading, "a single value and a list of one value are not read alike") { _ in
          "a single value and a list of one value are read alike"
        }
      ]
    case "@Merged":
      [
        Meaning(.reading, "an object replaces the whole value") { _ in
          "an object replaces only the members that it has"
        }
      ]
    case "@Ordered":
      [Meaning(.reading, "the order of the list is not kept") { _ in "the order of the list is kept" }]
    case "@Position":
      [
        Meaning(.reading, "its value is not the position of the row in its list") { _ in
          "its value is the position of the row in its list"
        }
      ]
    case "@Unique":
      [
        Meaning(.reading, "rows of a payload may have the same value") { _ in
          "no two rows of a payload may have the same value"
        }
      ]
    case defaultHead:
      [
        Meaning(.store, "a stored row without a value gets no default") {
          "a stored row without a value gets \($0)"
        },
        Meaning(.reading, "a new row without a value gets no default") {
          "a new row without a value gets \($0)"
        },
      ]
    default: nil
    }
  }

  /// Attributes about the format of values and keys.
  private static func formats(_ head: String) -> [Meaning]? {
    switch head {
    case "@DateFormat":
      [
        Meaning(.reading, "dates are read in the standard forms only") {
          "dates are read in the form \($0), too"
        },
        Meaning(.bodies, "dates are written in the standard form") {
          "dates are written in the form \($0)"
        },
      ]
    case "@Transform":
      [
        Meaning(.reading, "no Swift type of yours reads the values") { "the type \($0) reads the values" },
        Meaning(.bodies, "no Swift type of yours writes the values") { "the type \($0) writes the values" },
      ]
    case "@KeyPattern":
      [
        Meaning(.reading, "keys are read without a pattern") { "keys are read in the form \($0)" },
        Meaning(.bodies, "keys are written without a pattern") { "keys are written in the form \($0)" },
      ]
    case "@Export":
      [Meaning(.bodies, "objects are written") { _ in "keys of rows are written instead of objects" }]
    // A property that is not written has no key there, which is reported instead.
    case "@NotExport": []
    case "keyStyle":
      [
        Meaning(.reading, "keys are read in snakeCase") { "keys are read in \($0)" },
        Meaning(.bodies, "keys are written in snakeCase") { "keys are written in \($0)" },
      ]
    default: nil
    }
  }

  /// Attributes about related rows and their keys.
  private static func relationships(_ head: String) -> [Meaning]? {
    switch head {
    case "deleteRule":
      [
        Meaning(.store, "deleting the row unlinks the related rows, or deletes those that require it") {
          switch $0 {
          case ".cascade": "deleting the row deletes the related rows"
          case ".deny": "the row cannot be deleted while it has related rows"
          default: "deleting the row unlinks the related rows"
          }
        }
      ]
    case "unknown":
      [
        Meaning(.reading, "a key whose row is not stored becomes a pending link") { _ in
          "a key whose row is not stored creates the row"
        }
      ]
    case "by":
      [
        Meaning(.reading, "a key is read as an identity") { "a key is read as a value of \(name($0))" },
        Meaning(.bodies, "the written key is an identity") { "the written key is a value of \(name($0))" },
      ]
    case "madeBy":
      [
        Meaning(.bodies, "the app creates the identities of new rows") { _ in
          "the server creates the identities of new rows"
        }
      ]
    default: nil
    }
  }

  /// Attributes about the rows of a model.
  private static func models(_ head: String) -> [Meaning]? {
    if head.hasPrefix("@Transient ") {
      let property = head.dropFirst("@Transient ".count)
      return [
        Meaning(.code, "it has no property “\(property)” in memory") {
          "it has the property “\(property)” in memory, \($0)"
        }
      ]
    }
    switch head {
    case "@UpdatedAt":
      return [
        Meaning(.reading, "a row replaces the stored row, even if it is older") {
          "a row is ignored if its “\(name($0))” is not newer than that of the stored row"
        }
      ]
    case "@SoftDelete":
      return [
        Meaning(.store, "rows are deleted") { "deleted rows are kept, with the time in “\(name($0))”" },
        Meaning(.reading, "rows that are missing from a list are deleted") {
          "rows that are missing from a list are kept, with the time in “\(name($0))”"
        },
      ]
    case "@TypeName":
      return [
        Meaning(.reading, "its type in JSON:API documents is the name of the model") {
          "its type in JSON:API documents is \($0)"
        }
      ]
    default: return nil
    }
  }

  /// Attributes and settings of enums, unions and the whole schema.
  private static func declarations(_ head: String) -> [Meaning]? {
    if head.hasPrefix("import ") {
      let name = head.dropFirst("import ".count)
      return [Meaning(.code, "it does not import \(name)") { _ in "it imports \(name)" }]
    }
    switch head {
    case "raw":
      return [
        Meaning(.reading, "its values are read as String") { "its values are read as \($0)" },
        Meaning(.bodies, "its values are written as String") { "its values are written as \($0)" },
      ]
    case "on":
      return [
        Meaning(.reading, "the type of an object is read from “type”") {
          "the type of an object is read from \($0)"
        },
        Meaning(.bodies, "the type of an object is written to “type”") {
          "the type of an object is written to \($0)"
        },
      ]
    case "values":
      return [Meaning(.reading, "it consists of models") { _ in "it consists of structs" }]
    case "access":
      return [Meaning(.code, "generated types are internal") { "generated types are \($0)" }]
    case "imports":
      return [Meaning(.code, "imports are implicit") { "the access level of imports is \($0)" }]
    default: return nil
    }
  }

  /// A key path without its backslash: `\.updatedAt`, `\Country.code`.
  private static func name(_ path: String) -> String {
    String(path.drop { $0 == "\\" || $0 == "." })
  }
}

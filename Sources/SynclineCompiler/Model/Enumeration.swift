/// An enum of a schema.
struct Enumeration: Sendable {
  struct Case: Sendable {
    let name: String
    let documentation: [String]
    let rawValue: DefaultValue
    let range: SourceRange
  }

  enum RawType: String, Sendable, CaseIterable {
    case string = "String"
    case int = "Int"
  }

  let name: String
  /// The target that declares it, if it is imported.
  let module: String?
  let documentation: [String]
  let rawType: RawType
  let cases: [Case]
  let range: SourceRange
  /// Whether some of it could not be read: nothing is said of what it seems to lack.
  let isIncomplete: Bool
}

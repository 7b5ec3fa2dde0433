/// An enum of a schema.
package struct Enumeration: Sendable {
  package struct Case: Sendable {
    package let name: String
    package let documentation: [String]
    package let rawValue: DefaultValue
    package let range: SourceRange
  }

  package enum RawType: String, Sendable, CaseIterable {
    case string = "String"
    case int = "Int"
  }

  package let name: String
  package let documentation: [String]
  package let rawType: RawType
  package let cases: [Case]
  package let range: SourceRange
}

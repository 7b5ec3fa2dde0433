/// Declarations: their positions and names.
extension Explanation {
  static let names = [
    Explanation(
      .duplicateDeclaration, "duplicate declaration",
      "The models, structs, unions and enums of a target, and those that it imports, share one namespace, because each becomes a Swift type. Table names are case-insensitive, so two names must differ in more than case.",
      wrong: """
        model Task {
          id: Int
        }

        enum Task: String {
          case open
        }
        """,
      replacing: "enum Task: String {", with: "enum TaskState: String {"),
    Explanation(
      .duplicateProperty, "duplicate property",
      "Column names are case-insensitive, so names of properties must differ in more than case. The compiler generates some properties: `subjectPost` for a case of a union, `tagsOrder` for an ordered list, `syncID` for a composite primary key.",
      wrong: """
        model Task {
          id: Int
          title: String
          Title: String
        }
        """,
      replacing: "Title: String", with: "subtitle: String"),
    Explanation(
      .unknownType, "unknown type",
      "A type is a scalar (`String`, `Int`, `Double`, `Bool`, `Date`, `UUID`, `URL`, `Decimal`, `Data`, `JSON`, integers of all widths), or a declaration of the target or of an imported one. If the name may be misspelled, the message suggests a similar one.",
      wrong: """
        model Task {
          id: Int
          title: Sring
        }
        """,
      replacing: "title: Sring", with: "title: String"),
    Explanation(
      .duplicateCase, "duplicate case",
      "The cases of an enum or a union must have different names.",
      wrong: """
        model Task {
          id: Int
          state: State
        }

        enum State: String {
          case open, closed, open
        }
        """,
      replacing: "case open, closed, open", with: "case open, closed"),
    Explanation(
      .duplicateRawValue, "duplicate raw value",
      "Each raw value may belong to one case only. The default raw value of a `String` case is its name, and that of an `Int` case is the previous value plus one.",
      wrong: """
        model Task {
          id: Int
          state: State
        }

        enum State: String {
          case open = "x"
          case closed = "x"
        }
        """,
      replacing: "case closed = \"x\"", with: "case closed = \"y\""),
    Explanation(
      .unusableName, "reserved name",
      "Some names have another meaning in Swift, in SQLite or in generated code: `self`, `Columns`, `rowid`, `sqlite_…`, `json_each`. Choose another name. For a property, `@RemoteKey` sets the key of the payload.",
      wrong: """
        model Task {
          id: Int
          rowid: Int
        }
        """,
      replacing: "rowid: Int", with: "@RemoteKey(\"rowid\") rowNumber: Int"),
    Explanation(
      .unknownAttribute, "unknown attribute",
      "The message suggests an attribute with a similar name. For attributes of SwiftData and other libraries it names the equivalent.",
      wrong: """
        model Task {
          id: Int
          @RemoteName("state.id") state: String
        }
        """,
      replacing: "@RemoteName(\"state.id\") state: String", with: "@RemoteKey(\"state.id\") state: String"),
    Explanation(
      .invalidArgument, "invalid attribute argument",
      "Each attribute has its own arguments. The message shows how the attribute is written.",
      wrong: """
        model Task {
          id: Int
          @RemoteKey(title) name: String
        }
        """,
      replacing: "@RemoteKey(title) name: String", with: "@RemoteKey(\"title\") name: String"),
    Explanation(
      .misplacedAttribute, "misplaced attribute",
      "Each attribute is allowed only on certain declarations, such as models, relationships, dates or any value.",
      wrong: """
        model Task {
          id: Int
          @Export(.identities) title: String
        }
        """,
      right: """
        model Task {
          id: Int
          title: String
          @Export(.identities) project: Project?
        }

        model Project {
          id: Int
        }
        """),
    Explanation(
      .duplicateAttribute, "repeated attribute",
      "Write an attribute once, with all its arguments. Only `@Index` and `@Deleted` may be repeated on a model.",
      wrong: """
        model Task {
          id: Int
          @RemoteKey("name") @RemoteKey("label") title: String
        }
        """,
      replacing: "@RemoteKey(\"name\") @RemoteKey(\"label\") title: String",
      with: "@RemoteKey(\"name\", \"label\") title: String"),
    Explanation(
      .unknownKeyPath, "unknown key path",
      "A key path names a property of the model that has the attribute; in an index, it may also name a member of a struct.",
      wrong: """
        @UpdatedAt(\\.changed)
        model Task {
          id: Int
          changedAt: Date
        }
        """,
      replacing: "@UpdatedAt(\\.changed)", with: "@UpdatedAt(\\.changedAt)"),
  ]
}

/// Declarations: their positions and names.
extension Explanation {
  static let names = [
    Explanation(
      .duplicateDeclaration, "duplicate declaration",
      "Models, structs, unions and enums of a target, and those that it imports, share one namespace, since each becomes a type in Swift. Table names are case-insensitive, so names must differ in more than case.",
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
      "Column names are case-insensitive, so names of properties must differ in more than case. The compiler adds some: `subjectPost` for a case of a union, `tagsOrder` for an ordered list, `syncID` where several properties identify a row.",
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
      "A type is a scalar (`String`, `Int`, `Double`, `Bool`, `Date`, `UUID`, `URL`, `Decimal`, `Data`, `JSON`, the integers of all widths), or something that the target declares or imports. Most are misspelt, and the nearest name is suggested.",
      wrong: """
        model Task {
          id: Int
          title: Sring
        }
        """,
      replacing: "title: Sring", with: "title: String"),
    Explanation(
      .duplicateCase, "duplicate case",
      "Each case of an enum, or of a union, has a name of its own.",
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
      "Each raw value belongs to one case. Without an explicit value, a `String` case has its own name, and an `Int` case the previous value plus one.",
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
      "Some names mean something else in Swift or SQLite, or in what the compiler writes: `self`, `Columns`, `rowid`, `sqlite_…`, `json_each`. Give it another one; `@RemoteKey` keeps the key of the payload.",
      wrong: """
        model Task {
          id: Int
          rowid: Int
        }
        """,
      replacing: "rowid: Int", with: "@RemoteKey(\"rowid\") rowNumber: Int"),
    Explanation(
      .unknownAttribute, "unknown attribute",
      "The message suggests the nearest one; for attributes of SwiftData and other libraries it says what to write instead.",
      wrong: """
        model Task {
          id: Int
          @RemoteName("state.id") state: String
        }
        """,
      replacing: "@RemoteName(\"state.id\") state: String", with: "@RemoteKey(\"state.id\") state: String"),
    Explanation(
      .invalidArgument, "invalid attribute argument",
      "Each attribute has its own arguments, and the message shows how it is written.",
      wrong: """
        model Task {
          id: Int
          @RemoteKey(title) name: String
        }
        """,
      replacing: "@RemoteKey(title) name: String", with: "@RemoteKey(\"title\") name: String"),
    Explanation(
      .misplacedAttribute, "misplaced attribute",
      "Each attribute applies to certain declarations: to models, to relationships, to dates, or to any value.",
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

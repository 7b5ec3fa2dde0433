/// Types, identities and defaults.
extension Explanation {
  static let types = [
    Explanation(
      .invalidType, "invalid property type",
      "A to-many relationship is a list and never optional: without rows it is empty. Structs cannot refer to models. Other lists and maps hold only values.",
      wrong: """
        model Project {
          id: Int
          tasks: [Task]?
        }

        model Task {
          id: Int
          project: Project?
        }
        """,
      replacing: "tasks: [Task]?", with: "tasks: [Task]"),
    Explanation(
      .emptyEnum, "enum without cases",
      "A value of it could not be read. The cases that the server will add are read as `.unrecognized`.",
      wrong: """
        model Task {
          id: Int
          state: State
        }

        enum State: String {
        }
        """,
      right: """
        model Task {
          id: Int
          state: State
        }

        enum State: String {
          case open
        }
        """),
    Explanation(
      .invalidRawValue, "raw value of the wrong type",
      "An enum is of texts or of integers, `String` or `Int`, and so is each of its values.",
      wrong: """
        model Task {
          id: Int
          state: State
        }

        enum State: String {
          case open = 1
        }
        """,
      replacing: "enum State: String {", with: "enum State: Int {"),
    Explanation(
      .scalarName, "model shadows a scalar type",
      "This is a warning. The name now refers to the model. If you mean the model, add `@Relationship(inverse:)`; to use the scalar, write `Foundation.Data`.",
      wrong: """
        model Note {
          id: Int
          file: Data?
        }

        model Data {
          id: Int
        }
        """,
      replacing: "file: Data?", with: "file: Foundation.Data?"),
    Explanation(
      .endlessStruct, "recursive struct",
      "A struct cannot contain itself, directly or through another struct. Make one of these members optional, a list or a map.",
      wrong: """
        model Page {
          id: Int
          comment: Comment?
        }

        struct Comment {
          text: String
          reply: Comment
        }
        """,
      replacing: "reply: Comment", with: "reply: Comment?"),
    Explanation(
      .noIdentity, "missing primary key",
      "A sync has to know which row an object is. A property called `id` or `remoteID` says it, or one with `@PrimaryKey`, or several: `@PrimaryKey(\\.user, \\.group)` on the model.",
      wrong: """
        model Task {
          key: String
        }
        """,
      replacing: "key: String", with: "@PrimaryKey key: String"),
    Explanation(
      .twoIdentities, "several primary keys",
      "One property has `@PrimaryKey`. Where several identify a row together, the model has it, and names them.",
      wrong: """
        model Seat {
          @PrimaryKey row: Int
          @PrimaryKey number: Int
        }
        """,
      right: """
        @PrimaryKey(\\.row, \\.number)
        model Seat {
          row: Int
          number: Int
        }
        """),
    Explanation(
      .invalidIdentity, "invalid primary key",
      "An identity is a `String`, an integer or a `UUID`, is stored, comes with each payload, and is never missing. Of several properties, each may be a date, an enum or a to-one relationship as well.",
      wrong: """
        model Task {
          id: Int?
        }
        """,
      replacing: "id: Int?", with: "id: Int"),
    Explanation(
      .invalidOwner, "invalid owner",
      "`@PrimaryKey` with a single property names the owner of a row: a to-one relationship that is required. An owner has one such row, so in its model the relationship is a to-one, too. A single value identifies rows with `@PrimaryKey` before the property.",
      wrong: """
        @PrimaryKey(\\.user)
        model Settings {
          user: User?
          theme: String?
        }

        model User {
          id: Int
          settings: Settings?
        }
        """,
      replacing: "user: User?", with: "user: User"),
    Explanation(
      .invalidSingleton, "invalid use of a `@Singleton`",
      "A `@Singleton` model has one row. Nothing identifies it, so `@PrimaryKey` and `@ParentScoped` have no effect, and a list of it has no meaning.",
      wrong: """
        @Singleton
        model Config {
          @PrimaryKey name: String
        }
        """,
      replacing: "@PrimaryKey name: String", with: "name: String"),
    Explanation(
      .invalidDefault, "default of the wrong type",
      "A default is what a new row gets where its payload has no value: a literal of the property's type, a case as `.open`, or `nil`.",
      wrong: """
        model Task {
          id: Int
          position: Int = "first"
        }
        """,
      replacing: "position: Int = \"first\"", with: "position: Int = 1"),
    Explanation(
      .defaultOnRelationship, "default on a relationship",
      "In a new row, a relationship that the payload does not set is nil or empty, so it needs no default.",
      wrong: """
        model Task {
          id: Int
          project: Project? = nil
        }

        model Project {
          id: Int
        }
        """,
      replacing: "project: Project? = nil", with: "project: Project?"),
  ]
}

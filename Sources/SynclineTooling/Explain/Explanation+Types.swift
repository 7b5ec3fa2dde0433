/// Types, identities and defaults.
extension Explanation {
  static let types = [
    Explanation(
      .invalidType, "invalid property type",
      "A to-many relationship is a list and never optional: if there are no rows, it is empty. Structs cannot refer to models. Other lists and maps can contain only values.",
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
      "An enum needs at least one case. Values that the server adds later are read as `.unrecognized`.",
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
      "The raw type of an enum is `String` or `Int`, and all of its raw values must have that type.",
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
      "This is a warning. The name now refers to the model. To use the model, add `@Relationship(inverse:)`; to use the scalar, write `Foundation.Data`.",
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
      .recursiveStruct, "recursive struct",
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
      "A sync needs to know which row an object describes. Name a property `id` or `remoteID`, mark one with `@PrimaryKey`, or list several properties on the model: `@PrimaryKey(\\.user, \\.group)`.",
      wrong: """
        model Task {
          key: String
        }
        """,
      replacing: "key: String", with: "@PrimaryKey key: String"),
    Explanation(
      .twoIdentities, "several primary keys",
      "Only one property of a model can have `@PrimaryKey`. If several properties identify a row together, list them in a `@PrimaryKey` on the model.",
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
      "An identity is a `String`, an integer or a `UUID`. It is stored, not optional, and part of each payload. If several properties identify a row together, each may also be a date, an enum or a to-one relationship.",
      wrong: """
        model Task {
          id: Int?
        }
        """,
      replacing: "id: Int?", with: "id: Int"),
    Explanation(
      .invalidOwner, "invalid owner",
      "`@PrimaryKey` with a single property on the model names the owner of a row: a required to-one relationship. An owner has at most one such row, so in its model the relationship is to-one, too. If a single value identifies the rows, write `@PrimaryKey` before that property.",
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
      "A `@Singleton` model has at most one row, whose objects have no identity. So `@PrimaryKey` and `@ParentScoped` have no effect, and lists of the model are not allowed.",
      wrong: """
        @Singleton
        model Config {
          @PrimaryKey name: String
        }
        """,
      replacing: "@PrimaryKey name: String", with: "name: String"),
    Explanation(
      .invalidDefault, "default of the wrong type",
      "A default is the value of a new row whose payload lacks the key. It must be a literal of the property's type, a case such as `.open`, or `nil`.",
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

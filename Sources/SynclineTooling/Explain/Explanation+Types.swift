extension Explanation {
  static let types = pages(
    #"""
    ## SL021 invalid property type
    A to-many relationship is a list and never optional: if there are no rows, it is empty. Structs cannot refer to models. Other lists and maps can contain only values.
      model Project {
        id: Int
    -   tasks: [Task]?
    +   tasks: [Task]
      }

      model Task {
        id: Int
        project: Project?
      }

    ## SL022 enum without cases
    An enum needs at least one case. Values that the server adds later are read as `.unrecognized`.
      model Task {
        id: Int
        state: State
      }

      enum State: String {
    +   case open
      }

    ## SL023 raw value of the wrong type
    The raw type of an enum is `String` or `Int`, and all of its raw values must have that type.
      model Task {
        id: Int
        state: State
      }

    - enum State: String {
    + enum State: Int {
        case open = 1
      }

    ## SL024 model shadows a scalar type
    This is a warning. The name now refers to the model. To use the model, add `@Relationship(inverse:)`; to use the scalar, write `Foundation.Data`.
      model Note {
        id: Int
    -   file: Data?
    +   file: Foundation.Data?
      }

      model Data {
        id: Int
      }

    ## SL025 recursive struct
    A struct cannot contain itself, directly or through another struct. Make one of these members optional, a list or a map.
      model Page {
        id: Int
        comment: Comment?
      }

      struct Comment {
        text: String
    -   reply: Comment
    +   reply: Comment?
      }

    ## SL030 missing primary key
    A sync needs to know which row an object describes. Name a property `id` or `remoteID`, mark one with `@PrimaryKey`, or list several properties on the model: `@PrimaryKey(\.user, \.group)`.
      model Task {
    -   key: String
    +   @PrimaryKey key: String
      }

    ## SL031 several primary keys
    Only one property of a model can have `@PrimaryKey`. If several properties identify a row together, list them in a `@PrimaryKey` on the model.
    + @PrimaryKey(\.row, \.number)
      model Seat {
    -   @PrimaryKey row: Int
    -   @PrimaryKey number: Int
    +   row: Int
    +   number: Int
      }

    ## SL032 invalid primary key
    An identity is a `String`, an integer or a `UUID`. It is stored, not optional, and part of each payload. If several properties identify a row together, each may also be a date, an enum or a to-one relationship.
      model Task {
    -   id: Int?
    +   id: Int
      }

    ## SL105 invalid owner
    `@PrimaryKey` with a single property on the model names the owner of a row: a required to-one relationship. An owner has at most one such row, so in its model the relationship is to-one, too. If a single value identifies the rows, write `@PrimaryKey` before that property.
      @PrimaryKey(\.user)
      model Settings {
    -   user: User?
    +   user: User
        theme: String?
      }

      model User {
        id: Int
        settings: Settings?
      }

    ## SL106 invalid use of a `@Singleton`
    A `@Singleton` model has at most one row, whose objects have no identity. So `@PrimaryKey` and `@ParentScoped` have no effect, and lists of the model are not allowed.
      @Singleton
      model Config {
    -   @PrimaryKey name: String
    +   name: String
      }

    ## SL050 default of the wrong type
    A default is the value of a new row whose payload lacks the key. It must be a literal of the property's type, a case such as `.open`, or `nil`.
      model Task {
        id: Int
    -   position: Int = "first"
    +   position: Int = 1
      }

    ## SL051 default on a relationship
    In a new row, a relationship that the payload does not set is nil or empty, so it needs no default.
      model Task {
        id: Int
    -   project: Project? = nil
    +   project: Project?
      }

      model Project {
        id: Int
      }
    """#)
}

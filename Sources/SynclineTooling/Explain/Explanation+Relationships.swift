extension Explanation {
  static let relationships = pages(
    #"""
    ## SL040 ambiguous many-to-many
    Two to-many relationships between the same models may be two ends of one relationship, or two separate relationships. Name the inverse on one of them, or write `inverse: nil` on both.
      model Task {
        id: Int
    -   tags: [Tag]
    +   @Relationship(inverse: \Tag.tasks) tags: [Tag]
      }

      model Tag {
        id: Int
        tasks: [Task]
      }

    ## SL041 ambiguous inverse
    If several to-one relationships refer to the model, only one of them is the inverse of the list: name it. The others may have lists of their own. If a model has a list of itself and a to-one relationship to itself, they may be two ends of one relationship (children and parent) or not (friends and spouse): name the inverse, or write `inverse: nil` on the list.
      model User {
        id: Int
    -   tasks: [Task]
    +   @Relationship(inverse: \Task.assignee) tasks: [Task]
      }

      model Task {
        id: Int
        author: User?
        assignee: User?
      }

    ## SL042 invalid inverse
    The inverse must be a relationship of the other model that refers to this model, and that is not the inverse of another relationship.
      model Task {
        id: Int
    -   @Relationship(inverse: \Project.name) project: Project?
    +   @Relationship(inverse: \Project.tasks) project: Project?
      }

      model Project {
        id: Int
        name: String
    +   tasks: [Task]
      }

    ## SL043 invalid delete rule
    A required relationship cannot be set to nil: the rows that have it are deleted with their target (`.cascade`), or prevent its deletion (`.deny`). For many-to-many relationships only `.nullify` is allowed, which removes the links.
      model Project {
        id: Int
    -   @Relationship(deleteRule: .nullify) tasks: [Task]
    +   @Relationship(deleteRule: .cascade) tasks: [Task]
      }

      model Task {
        id: Int
        project: Project
      }

    ## SL044 reference to a parent-scoped model
    The identity of a `@ParentScoped` model is unique only within its parent, so a foreign key column could not identify a row. To refer to such rows, use a composite primary key of the parent and the number.
    - @ParentScoped(\.board)
    + @PrimaryKey(\.board, \.id)
      model Lane {
        id: Int
        board: Board
      }

      model Board {
        id: Int
        lanes: [Lane]
      }

      model Card {
        id: Int
        lane: Lane?
      }

    ## SL045 one-to-one required at both ends
    A one-to-one relationship stores its foreign key at one end. The other end is found by a query, has no row until the foreign key is written, and must be optional.
      model Person {
        id: Int
    -   passport: Passport
    +   passport: Passport?
      }

      model Passport {
        id: Int
        person: Person
      }

    ## SL046 invalid `missing:` rule
    `missing:` sets what happens to rows that are no longer in their parent's list. For a many-to-many relationship only `.keep` is allowed, because the row may be in another list. `.softDelete` needs a model with `@SoftDelete`.
      model Project {
        id: Int
        @Relationship(missing: .softDelete) tasks: [Task]
      }

    + @SoftDelete(\.deletedAt)
      model Task {
        id: Int
        project: Project?
    +   deletedAt: Date?
      }

    ## SL098 invalid `unknown: .create`
    With `@Relationship(unknown: .create)` a foreign key whose row is not stored inserts that row. So the model must require only its identity: other properties must be optional or have a default, the primary key cannot be composite, and the model cannot be `@ParentScoped`.
      model Article {
        id: Int
        @Relationship(inverse: nil, unknown: .create) tags: [Tag]
      }

      model Tag {
        @PrimaryKey name: String
    -   color: String
    +   color: String?
      }

    ## SL104 invalid `by:`
    With `@Relationship(by:)` a foreign key is not the identity of a row, but the value of another property. That property must be `@Unique`, and a string, an integer or a UUID. Lists with `@Ordered`, unions, and relationships that are part of a primary key must use identities.
      model Country {
        id: Int
    -   code: String
    +   @Unique code: String
      }

      model City {
        id: Int
        @Relationship(by: \Country.code) country: Country?
      }
    """#)
}

/// Relationships.
extension Explanation {
  static let relationships = [
    Explanation(
      .manyToManyWithoutAnchor, "ambiguous many-to-many",
      "Two to-many relationships between the same models may be two ends of one relationship, or two separate relationships. Name the inverse on one of them, or write `inverse: nil` on both.",
      wrong: """
        model Task {
          id: Int
          tags: [Tag]
        }

        model Tag {
          id: Int
          tasks: [Task]
        }
        """,
      replacing: "tags: [Tag]", with: "@Relationship(inverse: \\Tag.tasks) tags: [Tag]"),
    Explanation(
      .ambiguousInverse, "ambiguous inverse",
      "If several to-one relationships refer to the model, only one of them is the inverse of the list: name it. The others may have lists of their own. If a model has a list of itself and a to-one relationship to itself, they may be two ends of one relationship (children and parent) or not (friends and spouse): name the inverse, or write `inverse: nil` on the list.",
      wrong: """
        model User {
          id: Int
          tasks: [Task]
        }

        model Task {
          id: Int
          author: User?
          assignee: User?
        }
        """,
      replacing: "tasks: [Task]", with: "@Relationship(inverse: \\Task.assignee) tasks: [Task]"),
    Explanation(
      .inverseMismatch, "invalid inverse",
      "The inverse must be a relationship of the other model that refers to this model, and that is not the inverse of another relationship.",
      wrong: """
        model Task {
          id: Int
          @Relationship(inverse: \\Project.name) project: Project?
        }

        model Project {
          id: Int
          name: String
        }
        """,
      right: """
        model Task {
          id: Int
          @Relationship(inverse: \\Project.tasks) project: Project?
        }

        model Project {
          id: Int
          name: String
          tasks: [Task]
        }
        """),
    Explanation(
      .invalidDeleteRule, "invalid delete rule",
      "A required relationship cannot be set to nil: the rows that have it are deleted with their target (`.cascade`), or prevent its deletion (`.deny`). For many-to-many relationships only `.nullify` is allowed, which removes the links.",
      wrong: """
        model Project {
          id: Int
          @Relationship(deleteRule: .nullify) tasks: [Task]
        }

        model Task {
          id: Int
          project: Project
        }
        """,
      replacing: "@Relationship(deleteRule: .nullify) tasks: [Task]",
      with: "@Relationship(deleteRule: .cascade) tasks: [Task]"),
    Explanation(
      .linkToParentScoped, "reference to a parent-scoped model",
      "The identity of a `@ParentScoped` model is unique only within its parent, so a foreign key column could not identify a row. To refer to such rows, use a composite primary key of the parent and the number.",
      wrong: """
        @ParentScoped(\\.board)
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
        """,
      replacing: "@ParentScoped(\\.board)", with: "@PrimaryKey(\\.board, \\.id)"),
    Explanation(
      .requiredBothWays, "one-to-one required at both ends",
      "A one-to-one relationship stores its foreign key at one end. The other end is found by a query, has no row until the foreign key is written, and must be optional.",
      wrong: """
        model Person {
          id: Int
          passport: Passport
        }

        model Passport {
          id: Int
          person: Person
        }
        """,
      replacing: "passport: Passport", with: "passport: Passport?"),
    Explanation(
      .invalidMissingRule, "invalid `missing:` rule",
      "`missing:` sets what happens to rows that are no longer in their parent's list. For a many-to-many relationship only `.keep` is allowed, because the row may be in another list. `.softDelete` needs a model with `@SoftDelete`.",
      wrong: """
        model Project {
          id: Int
          @Relationship(missing: .softDelete) tasks: [Task]
        }

        model Task {
          id: Int
          project: Project?
        }
        """,
      right: """
        model Project {
          id: Int
          @Relationship(missing: .softDelete) tasks: [Task]
        }

        @SoftDelete(\\.deletedAt)
        model Task {
          id: Int
          project: Project?
          deletedAt: Date?
        }
        """),
    Explanation(
      .invalidUnknownRule, "invalid `unknown: .create`",
      "With `@Relationship(unknown: .create)` a foreign key whose row is not stored inserts that row. So the model must require only its identity: other properties must be optional or have a default, the primary key cannot be composite, and the model cannot be `@ParentScoped`.",
      wrong: """
        model Article {
          id: Int
          @Relationship(inverse: nil, unknown: .create) tags: [Tag]
        }

        model Tag {
          @PrimaryKey name: String
          color: String
        }
        """,
      replacing: "color: String", with: "color: String?"),
    Explanation(
      .invalidLookup, "invalid `by:`",
      "With `@Relationship(by:)` a foreign key is not the identity of a row, but the value of another property. That property must be `@Unique`, and a string, an integer or a UUID. Lists with `@Ordered`, unions, and relationships that are part of a primary key must use identities.",
      wrong: """
        model Country {
          id: Int
          code: String
        }

        model City {
          id: Int
          @Relationship(by: \\Country.code) country: Country?
        }
        """,
      replacing: "code: String", with: "@Unique code: String"),
  ]
}

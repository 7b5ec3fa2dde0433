/// Relationships.
extension Explanation {
  static let relationships = [
    Explanation(
      .manyToManyWithoutAnchor, "ambiguous many-to-many",
      "Two to-manys that point at each other may be the two ends of one relationship, or have nothing to do with each other. Name the inverse on one of them, or write `inverse: nil` on both.",
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
      "If several to-one relationships refer back to the model, only one is the inverse of the list: name it. The others have lists of their own, or none. A list and a to-one of a model to itself may be its children and its parent, or its friends and its spouse: name the inverse, or write `inverse: nil` on the list.",
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
      "The inverse is a relationship of the other model that leads back to this one, and belongs to no other.",
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
      "A required relationship cannot be set to nil: the rows that have it are deleted with their target (`.cascade`), or prevent its deletion (`.deny`). Many-to-many links are only removed, `.nullify`.",
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
      "The identity of a `@ParentScoped` model is unique within its parent alone, so no column could say which row is meant. To refer to such rows, name the parent and the number together.",
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
      "A one-to-one relationship stores its foreign key at one end. The other end is looked up, may be missing during a sync, and must be optional.",
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
      "`missing:` decides what happens to rows that are no longer in their parent's list. A row of a many-to-many relationship may be in another list, so there it can only be `.keep`; `.softDelete` needs a model with `@SoftDelete`.",
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
      "With `@Relationship(unknown: .create)` a key whose row is not stored makes it. So the identity must be all that a new row requires: other properties are optional or have a default, and neither several properties nor a parent identify the row.",
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
      "With `@Relationship(by:)` a key is not the identity of a row, but the value of another property. So that property must be `@Unique`, and a string, an integer or a UUID. Lists with `@Ordered`, unions, and relationships that identify their own row need identities as keys.",
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

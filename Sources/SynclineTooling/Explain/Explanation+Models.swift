/// Attributes of models.
extension Explanation {
  static let models = [
    Explanation(
      .invalidModelAttribute, "attribute refers to a property of the wrong type",
      "`@ParentScoped` names a to-one relationship, `@UpdatedAt` a date, `@SoftDelete` an optional date, and so on. Each names a property of its own.",
      wrong: """
        @UpdatedAt(\\.version)
        model Task {
          id: Int
          version: Int
        }
        """,
      right: """
        @UpdatedAt(\\.changedAt)
        model Task {
          id: Int
          version: Int
          changedAt: Date
        }
        """),
    Explanation(
      .invalidDateFormat, "a date format that cannot be read or written",
      "A format uses the letters of Unicode date patterns that do not depend on the reader's time zone or language: `yyyy-MM-dd HH:mm:ss`, `EEE MMM dd HH:mm:ss Z yyyy`; literal text is in single quotes.",
      wrong: """
        model Task {
          id: Int
          @DateFormat("dd of MMMM") day: Date
        }
        """,
      replacing: "@DateFormat(\"dd of MMMM\") day: Date",
      with: "@DateFormat(\"dd' of 'MMMM yyyy\") day: Date"),
    Explanation(
      .invalidRename, "invalid `@RenamedFrom`",
      "`@RenamedFrom` takes a name that the model or property had in an earlier version of the schema. It must not be the name of a current model, or of a current property of the same model.",
      wrong: """
        model Task {
          id: Int
          name: String
          @RenamedFrom("name") title: String
        }
        """,
      replacing: "name: String\n  @RenamedFrom(\"name\") title: String",
      with: "@RenamedFrom(\"name\") title: String"),
    Explanation(
      .contradiction, "conflicting attributes",
      "A `@Transient` property has no key and no index; a property with `@NotExport` cannot have `@Export`; a composite primary key makes `@ParentScoped` redundant.",
      wrong: """
        model Task {
          id: Int
          @Transient @RemoteKey("a") isOpen: Bool = false
        }
        """,
      replacing: "@Transient @RemoteKey(\"a\") isOpen: Bool = false",
      with: "@Transient isOpen: Bool = false"),
    Explanation(
      .repeatedIndex, "duplicate index",
      "Each write updates every index, so a second one only costs time. Identities and the columns of relationships have one already.",
      wrong: """
        @Index(\\.title)
        model Task {
          id: Int
          @Index title: String
        }
        """,
      replacing: "@Index(\\.title)\nmodel Task {", with: "model Task {"),
    Explanation(
      .tooManyColumns, "too many columns",
      "A table has 1999 columns at most, and reading a row is slow long before that: the warning starts at 300. Move groups of columns to models of their own, or to a `struct`.",
      wrong: Example(
        [
          (
            "Schema.syncline",
            "model Wide {\n  id: Int\n" + (1...300).map { "  v\($0): Int?\n" }.joined() + "}"
          )
        ],
        excerpt: "model Wide {\n  id: Int\n  v1: Int?\n  // and so on, up to\n  v300: Int?\n}"),
      right: """
        model Wide {
          id: Int
          values: [String: Int]
        }
        """),
    Explanation(
      .cannotBeOffline, "`@Offline` model with unpushable edits",
      "Edits of models with `@Offline` are pushed row by row, owners first. So what a row requires must be `@Offline`, too, rows must not require each other, and the model whose list a many-to-many relationship is stored for must be `@Offline`.",
      wrong: """
        @Offline
        model Task {
          id: Int
          project: Project
        }

        model Project {
          id: Int
          tasks: [Task]
        }
        """,
      replacing: "model Project {", with: "@Offline\nmodel Project {"),
    Explanation(
      .invalidIdentityMaker, "invalid `madeBy: .server`",
      "With `@PrimaryKey(madeBy: .server)` a new row has an identity of its own until the server has answered its push with another. So the model must be `@Offline`, and the identity a single property, an `Int`, a `String` or a `UUID`.",
      wrong: """
        model Task {
          @PrimaryKey(madeBy: .server) id: Int
        }
        """,
      replacing: "model Task {", with: "@Offline\nmodel Task {"),
    Explanation(
      .nullOfBool, "a `Bool` with `true` or `false` as null",
      "`true` and `false` are the values of a `Bool`. With `@Null(false)` a `Bool` could never be read as false. On a model or a target the word is fine: it leaves out the properties of type `Bool`.",
      wrong: """
        model Partner {
          id: Int
          @Null(false) isCompany: Bool?
        }
        """,
      right: """
        @Null(false)
        model Partner {
          id: Int
          email: String?
          isCompany: Bool?
        }
        """),
    Explanation(
      .invalidNullWord, "invalid null value",
      "`@Null`, and `null` of a target's settings, list values of JSON: strings, numbers, booleans and the empty list `[]`. Null itself needs no word, and no value is listed twice.",
      wrong: """
        model Partner {
          id: Int
          @Null("", nil) email: String?
        }
        """,
      replacing: "@Null(\"\", nil) email: String?", with: "@Null(\"\") email: String?"),
    Explanation(
      .invalidDeletion, "invalid `@Deleted`",
      "A row whose JSON has the key of `@Deleted` is deleted, or one with the value of `is:`. So the key is a path to one value, `is:` a string, a number or a boolean, and each mark adds something to the others.",
      wrong: """
        @Deleted("status", is: cancelled)
        model Event {
          id: Int
        }
        """,
      replacing: "@Deleted(\"status\", is: cancelled)", with: "@Deleted(\"status\", is: \"cancelled\")"),
    Explanation(
      .invalidLocal, "invalid `@Local`",
      "A `@Local` property is on this device only: no payload has it. So it must be optional or have a default for new rows, and it can be neither the identity, nor the date of `@UpdatedAt`, nor a list, nor the other end of a relationship that is read.",
      wrong: """
        model Task {
          id: Int
          @Local isPinned: Bool
        }
        """,
      replacing: "@Local isPinned: Bool", with: "@Local isPinned: Bool = false"),
    Explanation(
      .invalidMerge, "`@Merged` on a value without members",
      "With `@Merged` an object replaces only the members of the stored value that it has. Only structs, unions of structs and maps have members. Lists and other values are always replaced whole.",
      wrong: """
        model Computer {
          id: Int
          @Merged speeds: [Double]
        }
        """,
      replacing: "@Merged speeds: [Double]", with: "@Merged speeds: [String: Double]"),
    Explanation(
      .invalidUnique, "invalid `@Unique`",
      "No two rows have the same value of a `@Unique` property. Any property with a single value can be `@Unique`: a scalar other than `JSON`, or an enum. Not the identity, which is always unique, not the date of `@SoftDelete`, since deleted rows do not count, and not a `@Position`.",
      wrong: """
        model Country {
          @Unique id: Int
          code: String
        }
        """,
      replacing: "@Unique id: Int\n  code: String", with: "id: Int\n  @Unique code: String"),
  ]
}

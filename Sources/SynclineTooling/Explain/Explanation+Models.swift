/// What attributes say of models.
extension Explanation {
  static let models = [
    Explanation(
      .invalidModelAttribute, "an attribute that names a property of another kind",
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
      "A format has the letters of Unicode's date patterns that name a moment without a place or a language of the reader's: `yyyy-MM-dd HH:mm:ss`, `EEE MMM dd HH:mm:ss Z yyyy`; text stands in single quotes.",
      wrong: """
        model Task {
          id: Int
          @DateFormat("dd of MMMM") day: Date
        }
        """,
      right: """
        model Task {
          id: Int
          @DateFormat("dd' of 'MMMM yyyy") day: Date
        }
        """),
    Explanation(
      .invalidRename, "an earlier name that cannot be one",
      "`@RenamedFrom` names what a model or a property was called in an earlier version, and nothing is called now.",
      wrong: """
        model Task {
          id: Int
          name: String
          @RenamedFrom("name") title: String
        }
        """,
      right: """
        model Task {
          id: Int
          @RenamedFrom("name") title: String
        }
        """),
    Explanation(
      .contradiction, "two things that exclude each other",
      "What is `@Transient` has no key and no index; what is not exported has no form of export; several properties that identify a row say already within what it is unique.",
      wrong: """
        model Task {
          id: Int
          @Transient @RemoteKey("a") isOpen: Bool = false
        }
        """,
      right: """
        model Task {
          id: Int
          @Transient isOpen: Bool = false
        }
        """),
    Explanation(
      .repeatedIndex, "an index twice",
      "An index is kept up with each row that is written: once is enough. Identities and the columns of relationships have one already.",
      wrong: """
        @Index(\\.title)
        model Task {
          id: Int
          @Index title: String
        }
        """,
      right: """
        model Task {
          id: Int
          @Index title: String
        }
        """),
    Explanation(
      .tooManyColumns, "more columns than a table can have",
      "SQLite's tables have 2000 columns at most, and long before that each row that is read takes more time than it should: a warning from 300 on. Keep what is shown together in models of their own, or in a `struct`.",
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
  ]
}

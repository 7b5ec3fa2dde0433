/// Targets and their files.
extension Explanation {
  static let targets = [
    Explanation(
      .unknownImport, "unknown import",
      "`import` names a target with schema files, among those that this one depends on in `Package.swift`. On the command line `--import Base=Schemas/Base` says where they are.",
      wrong: Example(
        """
        import Bse

        model Task {
          id: Int
          owner: User?
        }
        """, importing: "Base",
        """
        schema { access: public }

        model User {
          id: Int
        }
        """),
      right: Example(
        """
        import Base

        model Task {
          id: Int
          owner: User?
        }
        """, importing: "Base",
        """
        schema { access: public }

        model User {
          id: Int
        }
        """)),
    Explanation(
      .invalidSettings, "invalid setting",
      "A target has one `schema { … }`, in any of its files. `access` is the access level of the generated types: `public`, `package` or `internal`. `imports: explicit` makes generated code state the access level of its imports, for a target whose own files state it (`internal import Base`). `keyStyle` is how its API spells keys: `snakeCase`, `camelCase`, `pascalCase` or `kebabCase`. `null: [\"\", 0]` lists values that are read as null.",
      wrong: """
        schema { access: open }

        model Task {
          id: Int
        }
        """,
      replacing: "schema { access: open }", with: "schema { access: public }"),
    Explanation(
      .collidingFiles, "colliding file names",
      "The generated file is named after the path of the schema file: `Models/Task.syncline` becomes `Models_Task.syncline.swift`. The index file is named after the target, `AppSchema.syncline.swift`.",
      wrong: Example([
        ("Models/Task.syncline", "model Task {\n  id: Int\n}"),
        ("Models_Task.syncline", "model Other {\n  id: Int\n}"),
      ]),
      right: Example([
        ("Models/Task.syncline", "model Task {\n  id: Int\n}"),
        ("Models_Other.syncline", "model Other {\n  id: Int\n}"),
      ])),
    Explanation(
      .invalidImport, "unusable import",
      "Generated Swift names the types of another target, so they must be seen: `public`, or `package` in one package. A type with the name of its target shadows the module, and hides all its other types.",
      wrong: Example(
        """
        import Base

        model Task {
          id: Int
          owner: User?
        }
        """, importing: "Base",
        """
        model User {
          id: Int
        }
        """),
      right: Example(
        """
        import Base

        model Task {
          id: Int
          owner: User?
        }
        """, importing: "Base",
        """
        schema { access: public }

        model User {
          id: Int
        }
        """)),
  ]
}

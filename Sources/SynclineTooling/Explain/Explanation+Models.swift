extension Explanation {
  static let models =
    pages(
      #"""
      ## SL080 attribute refers to a property of the wrong type
      `@ParentScoped` names a to-one relationship, `@UpdatedAt` a date, `@SoftDelete` an optional date, and so on. Two of these attributes cannot name the same property.
      - @UpdatedAt(\.version)
      + @UpdatedAt(\.changedAt)
        model Task {
          id: Int
          version: Int
      +   changedAt: Date
        }

      ## SL081 a date format that cannot be read or written
      A format consists of letters of Unicode date patterns that do not depend on the time zone or language of the reader: `yyyy-MM-dd HH:mm:ss`, `EEE MMM dd HH:mm:ss Z yyyy`. It must contain the day, `d`. A number whose count of digits varies, such as `M` or `d`, cannot be directly followed by another number: write `MM`, or a separator. Literal text is in single quotes.
        model Task {
          id: Int
      -   @DateFormat("dd of MMMM") day: Date
      +   @DateFormat("dd' of 'MMMM yyyy") day: Date
        }

      ## SL082 invalid `@RenamedFrom`
      `@RenamedFrom` takes a name that the model or property had in an earlier version of the schema. It must not be the name of a current model, or of a current property of the same model.
        model Task {
          id: Int
      -   name: String
          @RenamedFrom("name") title: String
        }

      ## SL083 conflicting attributes
      One attribute excludes the other, or makes it redundant. For example, a `@Transient` property has no key and no index, a property with `@NotExport` cannot have `@Export`, and a composite primary key makes `@ParentScoped` redundant.
        model Task {
          id: Int
      -   @Transient @RemoteKey("a") isOpen: Bool = false
      +   @Transient isOpen: Bool = false
        }

      ## SL084 duplicate index
      Each write updates every index, so a duplicate index only costs time. Identities and the columns of to-one relationships always have an index.
      - @Index(\.title)
        model Task {
          id: Int
          @Index title: String
        }

      ## SL086 `@Offline` model whose edits cannot be pushed
      Edits of models with `@Offline` are pushed row by row, and a row is pushed after the rows that it refers to. So the models that it requires must be `@Offline` too, and models must not require each other in a cycle.
        @Offline
        model Task {
          id: Int
          project: Project
        }

      + @Offline
        model Project {
          id: Int
          tasks: [Task]
        }

      ## SL087 invalid `madeBy: .server`
      With `@PrimaryKey(madeBy: .server)` a new row has a temporary identity until the server returns the final one. So the model must be `@Offline`, and the identity a single property of the type `Int`, `String` or `UUID`.
      + @Offline
        model Task {
          @PrimaryKey(madeBy: .server) id: Int
        }

      ## SL088 a `Bool` with `true` or `false` as null
      `true` and `false` are the values of a `Bool`. With `@Null(false)` a `Bool` could never be read as false. On a model or a target the value is allowed: it does not apply to properties of the type `Bool`.
      + @Null(false)
        model Partner {
          id: Int
      -   @Null(false) isCompany: Bool?
      +   email: String?
      +   isCompany: Bool?
        }

      ## SL089 invalid null value
      `@Null`, and the setting `null` of a target, list JSON values: strings, numbers, booleans and the empty list `[]`. Null is always read as null and cannot be listed, and no value can be listed twice. It is a warning if the default of a property is read as null: a default that is exported would be read back as nil, or as the zero value of a required property.
        model Partner {
          id: Int
      -   @Null("", nil) email: String?
      +   @Null("") email: String?
        }

      ## SL094 invalid `@Deleted`
      A payload deletes a row if its object has the key of `@Deleted`, or the value that `is:` sets. So the key must be a path to one value, and `is:` a string, a number or a boolean. Two `@Deleted` attributes must not match the same values.
      - @Deleted("status", is: cancelled)
      + @Deleted("status", is: "cancelled")
        model Event {
          id: Int
        }

      ## SL095 invalid `@Local`
      A `@Local` property is stored on this device only and is not part of payloads. So it must be optional or have a default for new rows. It cannot be the identity, the date of `@UpdatedAt`, a list, or the inverse of a relationship that is read from payloads.
        model Task {
          id: Int
      -   @Local isPinned: Bool
      +   @Local isPinned: Bool = false
        }

      ## SL096 `@Merged` on a value without members
      With `@Merged` an object replaces only the members of the stored value that it contains. Only structs, unions of structs and maps have members. Lists and other values are always replaced as a whole.
        model Computer {
          id: Int
      -   @Merged speeds: [Double]
      +   @Merged speeds: [String: Double]
        }

      ## SL103 invalid `@Unique`
      Two rows cannot have the same value of a `@Unique` property. The attribute is allowed on properties with a single value: scalars other than `JSON`, and enums. It is not allowed on the identity, which is always unique, on the date of `@SoftDelete`, because deleted rows are not compared, or on a `@Position`.
        model Country {
      -   @Unique id: Int
      -   code: String
      +   id: Int
      +   @Unique code: String
        }
      """#) + [
      Explanation(
        .tooManyColumns, "too many columns",
        "A table can have at most 1999 columns. Reading a row becomes slow with far fewer: the warning starts at 300. Move groups of columns to models of their own, or to a `struct`.",
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
          """)
    ]
}

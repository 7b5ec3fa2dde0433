/// JSON keys, and names that Swift uses.
extension Explanation {
  static let keys = [
    Explanation(
      .twoRemoteKeys, "two JSON keys for the identity",
      "`@PrimaryKey(remote:)` is the key of the identity. Several keys stand in one `@RemoteKey`.",
      wrong: """
        model Task {
          @PrimaryKey(remote: "ext_id") @RemoteKey("number") key: Int
        }
        """,
      replacing: "@PrimaryKey(remote: \"ext_id\") @RemoteKey(\"number\") key: Int",
      with: "@PrimaryKey @RemoteKey(\"ext_id\", \"number\") key: Int"),
    Explanation(
      .sameKey, "duplicate JSON key",
      "A value of a payload would be read twice, and written twice by an export. A scalar may read the same foreign key as a relationship.",
      wrong: """
        model Task {
          id: Int
          name: String
          @RemoteKey("name") title: String
        }
        """,
      replacing: "@RemoteKey(\"name\") title: String",
      with: "@RemoteKey(\"title\", \"heading\") title: String"),
    Explanation(
      .overlappingKeys, "overlapping JSON paths",
      "One property reads an object as a whole, and another reads a part of it: an export could not write both.",
      wrong: """
        model Task {
          id: Int
          state: JSON
          @RemoteKey("state.id") stateID: Int
        }
        """,
      replacing: "state: JSON", with: "@RemoteKey(\"state.name\") stateName: String"),
    Explanation(
      .invalidObjectItself, "invalid path `.`",
      "`@RemoteKey(\".\")` reads the row of a to-one relationship from the object in which the relationship itself is. Only a to-one to one model can be read so, and a chain of such paths must not return to its start.",
      wrong: """
        model Assignment {
          id: Int
          @RemoteKey(".") title: String
        }
        """,
      right: """
        model Assignment {
          id: Int
          @RemoteKey(".") role: Role?
        }

        model Role {
          @PrimaryKey(remote: "role_id") id: Int
        }
        """),
    Explanation(
      .invalidKey, "invalid path",
      "A path has names between its dots; `[]` steps into each element of a list, `[0]` to one, `{}` into each member of an object. A path to many values needs a property that is a list.",
      wrong: """
        model Task {
          id: Int
          @RemoteKey("state..id") stateID: Int
        }
        """,
      replacing: "@RemoteKey(\"state..id\") stateID: Int", with: "@RemoteKey(\"state.id\") stateID: Int"),
    Explanation(
      .invalidBelow, "invalid `@Below` path",
      "All properties but the identity are read in that object, so the path has names alone: `attributes`, `data.attributes`. A path that begins with a dot is for a property: it leads past the object, from the row's own.",
      wrong: """
        @Below("attributes[0]")
        model Article {
          id: Int
          title: String
        }
        """,
      replacing: "@Below(\"attributes[0]\")", with: "@Below(\"attributes\")"),
    Explanation(
      .noPlaceInRow, "missing array index in a row that is an array",
      "A path that begins with `[0]` says that rows are lists. Then nothing is read by a name, so all properties need a place. Only the link to the row that has the list needs none.",
      wrong: """
        model Candle {
          @PrimaryKey(remote: "[0]") openTime: Int64
          open: Decimal
        }
        """,
      replacing: "open: Decimal", with: "@RemoteKey(\"[1]\") open: Decimal"),
    Explanation(
      .mixedSteps, "path read as object and as array",
      "A value in JSON is an object or a list, so paths cannot lead into it as both: `data.size` and `data[0]`. `attributes[code:value].color` reads a list of pairs as an object. An export writes one list for all properties that name it, so all must know the pairs by the same two keys. The same applies to a row that is read from the object of another, by the path `.`.",
      wrong: """
        model Product {
          id: Int
          @RemoteKey("attributes[code:value].color") color: String?
          @RemoteKey("attributes[name:value].size") size: Int?
        }
        """,
      replacing: "@RemoteKey(\"attributes[name:value].size\") size: Int?",
      with: "@RemoteKey(\"attributes[code:value].size\") size: Int?"),
    Explanation(
      .invalidKeyPattern, "key pattern without `{}`",
      "`{}` stands for the key in the text around it. Patterns are allowed only on identities and relationships.",
      wrong: """
        model Patient {
          id: String
          @KeyPattern("Organization/") organization: Organization?
        }

        model Organization {
          id: String
        }
        """,
      replacing: "@KeyPattern(\"Organization/\") organization: Organization?",
      with: "@KeyPattern(\"Organization/{}\") organization: Organization?"),
    Explanation(
      .foreignPath, "path in the notation of another language",
      "It is a warning: the key is valid, but no object is likely to have it. A path has dots between its names, without `$` at the start; `[]` steps into each element of a list, and `{}` into each member of an object. A part in quotes is one key, whatever signs it has: `#\"\"km/h\"\"#`.",
      wrong: """
        model Task {
          id: Int
          @RemoteKey("$.state.id") stateID: Int?
          @RemoteKey("labels.*.name") labels: [String]
        }
        """,
      replacing: "@RemoteKey(\"$.state.id\") stateID: Int?\n  @RemoteKey(\"labels.*.name\") labels: [String]",
      with: "@RemoteKey(\"state.id\") stateID: Int?\n  @RemoteKey(\"labels[].name\") labels: [String]"),
    Explanation(
      .hashValueName, "a property called `hashValue`",
      "It is what Swift calls the hash of a value. `@RemoteKey` keeps the key of the payload.",
      wrong: """
        model File {
          id: Int
          hashValue: String
        }
        """,
      replacing: "hashValue: String", with: "@RemoteKey(\"hash_value\") hashValueRaw: String"),
    Explanation(
      .descriptionName, "a property called `description`",
      "It is a warning: Swift prints a value by its `description`, and would print this text for the whole row.",
      wrong: """
        model Task {
          id: Int
          description: String
        }
        """,
      replacing: "description: String", with: "@RemoteKey(\"description\") descriptionText: String"),
    Explanation(
      .uselessOneOrMany, "redundant `@OneOrMany`",
      "`@OneOrMany` is for lists, and for single values that a server writes as lists of one. A map is one object, JSON is kept as it is, and a property of a model or struct that has the attribute need not repeat it.",
      wrong: """
        model Task {
          id: Int
          @OneOrMany prices: [String: Int]
        }
        """,
      replacing: "@OneOrMany prices: [String: Int]", with: "@OneOrMany prices: [Int]"),
  ]
}

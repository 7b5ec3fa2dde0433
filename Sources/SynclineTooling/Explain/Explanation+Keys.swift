extension Explanation {
  static let keys = pages(
    #"""
    ## SL060 two JSON keys for the identity
    `@PrimaryKey(remote:)` sets the JSON key of the identity. To read it from several keys, list them in one `@RemoteKey`.
      model Task {
    -   @PrimaryKey(remote: "ext_id") @RemoteKey("number") key: Int
    +   @PrimaryKey @RemoteKey("ext_id", "number") key: Int
      }

    ## SL061 duplicate JSON key
    Two properties that read the same key would write it twice in an export. A scalar may read the same foreign key as a relationship.
      model Task {
        id: Int
        name: String
    -   @RemoteKey("name") title: String
    +   @RemoteKey("title", "heading") title: String
      }

    ## SL062 overlapping JSON paths
    One property reads an object as a whole, and another property reads a part of it. An export could not write both.
      model Task {
        id: Int
    -   state: JSON
    +   @RemoteKey("state.name") stateName: String
        @RemoteKey("state.id") stateID: Int
      }

    ## SL097 invalid path `.`
    `@RemoteKey(".")` reads the row of a to-one relationship from the object that contains the relationship. It is allowed only for a to-one relationship to a single model, and a chain of such relationships must not form a cycle.
      model Assignment {
        id: Int
    -   @RemoteKey(".") title: String
    +   @RemoteKey(".") role: Role?
      }
    + 
    + model Role {
    +   @PrimaryKey(remote: "role_id") id: Int
    + }

    ## SL063 invalid path
    The names in a path are separated by dots. `[]` selects each element of a list, `[0]` one element, and `{}` each member of an object. A path that selects many values needs a property that is a list.
      model Task {
        id: Int
    -   @RemoteKey("state..id") stateID: Int
    +   @RemoteKey("state.id") stateID: Int
      }

    ## SL100 invalid `@Below` path
    All properties but the identity are read from that object, so the path can contain only names: `attributes`, `data.attributes`. A path that begins with a dot is allowed only on a property: it starts at the row's own object.
    - @Below("attributes[0]")
    + @Below("attributes")
      model Article {
        id: Int
        title: String
      }

    ## SL101 missing array index in a row that is an array
    If a path begins with an index such as `[0]`, the rows of the model are lists. Lists have no keys, so the paths of all properties must begin with an index. Only a to-one relationship to the row that contains the list needs none.
      model Candle {
        @PrimaryKey(remote: "[0]") openTime: Int64
    -   open: Decimal
    +   @RemoteKey("[1]") open: Decimal
      }

    ## SL102 path read as object and as array
    A JSON value is an object or a list, so two paths cannot read it as both: `data.size` and `data[0]`. `attributes[code:value].color` reads a list of pairs as an object. An export writes one list for all properties that are read from it, so all must use the same two keys for the pairs. The same applies to rows that are read from one object by the path `.`.
      model Product {
        id: Int
        @RemoteKey("attributes[code:value].color") color: String?
    -   @RemoteKey("attributes[name:value].size") size: Int?
    +   @RemoteKey("attributes[code:value].size") size: Int?
      }

    ## SL064 key pattern without `{}`
    `{}` marks the position of the key in the string. Patterns are allowed only on identities and relationships.
      model Patient {
        id: String
    -   @KeyPattern("Organization/") organization: Organization?
    +   @KeyPattern("Organization/{}") organization: Organization?
      }

      model Organization {
        id: String
      }

    ## SL065 path in the notation of another language
    This is a warning: the key is valid, but objects are unlikely to have it. The names in a path are separated by dots, without a leading `$`. `[]` selects each element of a list, and `{}` each member of an object. A part in quotes is one key, and may contain any characters: `#""km/h""#`.
      model Task {
        id: Int
    -   @RemoteKey("$.state.id") stateID: Int?
    -   @RemoteKey("labels.*.name") labels: [String]
    +   @RemoteKey("state.id") stateID: Int?
    +   @RemoteKey("labels[].name") labels: [String]
      }

    ## SL070 a property called `hashValue`
    In Swift, `hashValue` is the hash of a value. Rename the property, and keep the key of the payload with `@RemoteKey`.
      model File {
        id: Int
    -   hashValue: String
    +   @RemoteKey("hash_value") hashValueRaw: String
      }

    ## SL071 a property called `description`
    This is a warning: Swift prints a value by its `description`, and would print this string instead of the whole row.
      model Task {
        id: Int
    -   description: String
    +   @RemoteKey("description") descriptionText: String
      }

    ## SL099 redundant `@OneOrMany`
    `@OneOrMany` is for lists, and for single values that a server writes as lists of one. It has no effect on maps and on `JSON`, nor on a property whose model or struct has the attribute.
      model Task {
        id: Int
    -   @OneOrMany prices: [String: Int]
    +   @OneOrMany prices: [Int]
      }
    """#)
}

extension Explanation {
  static let names = pages(
    #"""
    ## SL010 duplicate declaration
    The models, structs, unions and enums of a target, and those that it imports, share one namespace, because each becomes a Swift type. Table names are case-insensitive, so two names must differ in more than case.
      model Task {
        id: Int
      }

    - enum Task: String {
    + enum TaskState: String {
        case open
      }

    ## SL011 duplicate property
    Column names are case-insensitive, so names of properties must differ in more than case. The compiler generates some properties: `subjectPost` for a case of a union, `tagsOrder` for an ordered list, `syncID` for a composite primary key.
      model Task {
        id: Int
        title: String
    -   Title: String
    +   subtitle: String
      }

    ## SL012 unknown type
    A type is a scalar (`String`, `Int`, `Double`, `Bool`, `Date`, `UUID`, `URL`, `Decimal`, `Data`, `JSON`, integers of all widths), or a declaration of the target or of an imported one. If the name may be misspelled, the message suggests a similar one.
      model Task {
        id: Int
    -   title: Sring
    +   title: String
      }

    ## SL013 duplicate case
    The cases of an enum or a union must have different names.
      model Task {
        id: Int
        state: State
      }

      enum State: String {
    -   case open, closed, open
    +   case open, closed
      }

    ## SL014 duplicate raw value
    Each raw value may belong to one case only. The default raw value of a `String` case is its name, and that of an `Int` case is the previous value plus one.
      model Task {
        id: Int
        state: State
      }

      enum State: String {
        case open = "x"
    -   case closed = "x"
    +   case closed = "y"
      }

    ## SL015 reserved name
    Some names have another meaning in Swift, in SQLite or in generated code: `self`, `Columns`, `rowid`, `sqlite_…`, `json_each`. Choose another name. For a property, `@RemoteKey` sets the key of the payload.
      model Task {
        id: Int
    -   rowid: Int
    +   @RemoteKey("rowid") rowNumber: Int
      }

    ## SL016 unknown attribute
    The message suggests an attribute with a similar name. For attributes of SwiftData and other libraries it names the equivalent.
      model Task {
        id: Int
    -   @RemoteName("state.id") state: String
    +   @RemoteKey("state.id") state: String
      }

    ## SL017 invalid attribute argument
    Each attribute has its own arguments. The message shows how the attribute is written.
      model Task {
        id: Int
    -   @RemoteKey(title) name: String
    +   @RemoteKey("title") name: String
      }

    ## SL018 misplaced attribute
    Each attribute is allowed only on certain declarations, such as models, relationships, dates or any value.
      model Task {
        id: Int
    -   @Export(.identities) title: String
    +   title: String
    +   @Export(.identities) project: Project?
      }
    + 
    + model Project {
    +   id: Int
    + }

    ## SL019 repeated attribute
    Write an attribute once, with all its arguments. Only `@Index` and `@Deleted` may be repeated on a model.
      model Task {
        id: Int
    -   @RemoteKey("name") @RemoteKey("label") title: String
    +   @RemoteKey("name", "label") title: String
      }

    ## SL020 unknown key path
    A key path names a property of the model that has the attribute; in an index, it may also name a member of a struct.
    - @UpdatedAt(\.changed)
    + @UpdatedAt(\.changedAt)
      model Task {
        id: Int
        changedAt: Date
      }
    """#)
}

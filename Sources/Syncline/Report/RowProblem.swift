/// What keeps a row, or a payload as a whole, from being read: what is wrong, and where.
///
/// It is worded where it becomes a ``SyncError``.
struct RowProblem: Equatable {
  enum Reason: Equatable {
    // Of a value.
    case missing
    case null(type: String)
    case unreadable(found: String, type: String)
    /// A required link has nothing that names its row.
    case noRowNamed
    /// It is null, and required.
    case requiredIsNull
    /// Its row is nowhere, and it is required.
    case noRow(model: String, identity: String)
    /// A row that another one requires.
    case requiredBy(row: String, target: String)
    /// A row requires the partner that another one takes.
    case cannotGiveUp(target: String, to: String)
    /// The row that was made has another identity than the payload's.
    case otherIdentity(than: String)
    /// It, or the row as a whole where no property is named, is longer than SQLite stores.
    case tooLong

    // Of a payload.
    case tooDeep(limit: Int)
    case notFinite
    case notJSON(type: String)
    case notAnObject
    case notAList(PayloadShape)

    // Of a stored row.
    /// Its column holds something else than its property takes; the type is nil where the property implies it.
    case columnHolds(found: String, noType: String?)
    /// What was read has no such column.
    case noColumn
    /// No request joined a row under the key.
    case notJoined(key: String)
    /// The model reads rows of GRDB only.
    case isReadFromRows
  }

  var model = ""
  /// The property, or the column of a stored row.
  var property = ""
  /// The JSON path of the value.
  var path = ""
  /// The index of the row in the payload.
  var row: Int?
  var identity: String?
  let reason: Reason
}

/// What was found instead of a list.
enum PayloadShape: Equatable {
  /// A value that is not an object.
  case value(String)
  /// An object: its keys, and the paths of the lists in it.
  case object(keys: [String], lists: [String])
}

/// Why a value of a relationship names no row.
enum MissingIdentity {
  /// A path to it leads through a value that is not an object.
  case noObjectOnPath
  /// A value that is not an object; the type of the identities where `readsKeysAsIdentities` would read it.
  case scalar(found: String, otherType: IdentityType?)
  /// The object has a key of the identity, and something else in it.
  case unreadable(key: String, found: String)
  /// The object has none of the keys.
  case absent(keys: [String])
  /// The object has none of the keys of a property that identifies a row with others.
  case absentPart(keys: [String])

  enum IdentityType {
    case text, integers
  }
}

/// What is wrong with a value that was not applied as it was.
enum Finding {
  case fraction
  case unreadable(found: String, type: String)
  /// A struct has no value for a required member.
  case missingMember(String)
  /// Values are nested in each other more deeply.
  case tooDeepValue(limit: Int)
  /// A map has two keys that Swift takes for one.
  case equalKeys(String)
  case missingIdentity(MissingIdentity, model: String)
  /// An object names no row, and none is linked that it could be.
  case noRowLinked(MissingIdentity, model: String)
  /// The object is another row than its key names.
  case otherRow(model: String)
  case noList(found: String)
  case noIdentity
  case noStamp
  case tooManyLevels(limit: Int)
  case emptyList
  case emptyPayload
  /// A list does not have a row any more whose column requires its owner.
  case missingRequired(model: String, identity: String, column: String)
  /// A row that stays denies the deletion.
  case denied(by: String)
  /// An object is of no case of a union: its type is unknown, or missing.
  case noCase(String?, of: String, key: String)
  /// The type that a resource names is none of the schema's.
  case noModelOfType(String)
}

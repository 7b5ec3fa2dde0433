/// Why a row, or a payload as a whole, cannot be read: the problem and its location.
///
/// It is worded when it becomes a ``SyncError``.
struct RowProblem: Equatable {
  enum Reason: Equatable {
    // Problems of a value.
    case missing
    case null(type: String)
    case unreadable(found: String, type: String)
    /// A required link has no key that identifies its row.
    case noRowNamed
    /// It is required, but null.
    case requiredIsNull
    /// It is required, but its row does not exist.
    case noRow(model: String, identity: String)
    /// Another row requires the target.
    case requiredBy(row: String, target: String)
    /// A row requires its partner, and another row takes it.
    case cannotUnlink(target: String, to: String)
    /// Another row has the value, which must be unique.
    case notUnique(value: String, other: String)
    /// The created row has another identity than the payload.
    case otherIdentity(than: String)
    /// The value is longer than SQLite stores; the row as a whole if there is no property.
    case tooLong

    // Problems of a payload.
    case tooDeep(limit: Int)
    case notFinite
    case notJSON(type: String)
    case notAnObject
    case notAList(PayloadShape)

    // Problems of a stored row.
    /// The value of the column does not fit its property; the type is nil if the property implies it.
    case columnHolds(found: String, noType: String?)
    /// The result has no such column.
    case noColumn
    /// The request joined no row under the key.
    case notJoined(key: String)
    /// The model can only be decoded from GRDB's rows.
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

/// Why a relationship's value does not identify a row.
enum MissingIdentity {
  /// Its path leads through a value that is not an object.
  case noObjectOnPath
  /// A value that is not an object; the identities' type, if `readsKeysAsIdentities` would accept the value.
  case scalar(found: String, otherType: IdentityType?)
  /// A key that cannot be a value of the property by which rows are looked up.
  case noValue(found: String, property: String)
  /// A resource of a document, whose type is that of another model or of none.
  case ofOtherModel(type: String)
  /// The object has a key of the identity, but its value cannot be read.
  case unreadable(key: String, found: String)
  /// A string without the form of the key patterns: the value itself, or that of a key of the object.
  case unmatched(found: String, key: String?, patterns: [String])
  /// The object has none of the keys.
  case absent(keys: [String])
  /// The object has none of the keys of a part of a composite identity.
  case absentPart(keys: [String])

  enum IdentityType {
    case text, integers
  }
}

/// What is wrong with a value that was not applied unchanged.
enum Finding {
  case fraction
  case unreadable(found: String, type: String)
  /// A struct has no value for a required member.
  case missingMember(String)
  /// Values are nested too deeply.
  case tooDeepValue(limit: Int)
  /// A map has two keys that Swift considers equal.
  case equalKeys(String)
  case missingIdentity(MissingIdentity, model: String)
  /// An object does not identify a row, and no row is linked that it could be.
  case noRowLinked(MissingIdentity, model: String)
  /// The object is another row than its key refers to.
  case otherRow(model: String)
  case noList(found: String)
  case noIdentity
  case noStamp
  case tooManyLevels(limit: Int)
  case emptyList
  case emptyPayload
  /// A list no longer contains a row whose column requires its owner.
  case missingRequired(model: String, identity: String, column: String)
  /// A row that stays prevents the deletion.
  case denied(by: String)
  /// An object matches no case of a union: its type is unknown or missing.
  case noCase(String?, of: String, key: String)
  /// The type of a resource matches no model of the schema.
  case noModelOfType(String)
}

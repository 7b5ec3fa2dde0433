/// Why a row, or a payload as a whole, cannot be read: the problem and its location.
///
/// It is worded in `Wording.swift` when it becomes a ``SyncError``.
struct RowProblem: Equatable {
  enum Reason: Equatable {
    // Problems of a value.
    case missing
    case null(type: String)
    case unreadable(found: String, type: String)
    case noRowNamed
    case requiredIsNull
    case noRow(model: String, identity: String)
    case requiredBy(row: String, target: String)
    case cannotUnlink(target: String, to: String)
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
    case noColumn
    case notJoined(key: String)
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
  case absent(keys: [String])
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
  case tooDeepValue(limit: Int)
  case equalKeys(String)
  case missingIdentity(MissingIdentity, model: String)
  /// An object does not identify a row, and no row is linked that it could be.
  case noRowLinked(MissingIdentity, model: String)
  case otherRow(model: String)
  case noList(found: String)
  case noIdentity
  case noStamp
  case tooManyLevels(limit: Int)
  case emptyList
  case emptyPayload
  case missingRequired(model: String, identity: String, column: String)
  case denied(by: String)
  case noCase(String?, of: String, key: String)
  case noModelOfType(String)
}

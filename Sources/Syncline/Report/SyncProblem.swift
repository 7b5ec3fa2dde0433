/// A value of a payload that was not applied as it was, and what was done instead.
public struct SyncProblem: Sendable, Hashable, Codable {
  /// What a sync did about a value.
  public enum Action: String, Sendable, Codable {
    /// The value could not be read, and the row keeps the one it has.
    case keptStoredValue
    /// The value could not be read, and a new row has the property's default; a required date is the first of 1970.
    case usedDefault
    /// The value could not be read, and a new row has none.
    case usedNil
    /// A number with a fraction was read as an integer.
    case truncatedFraction
    /// A row that cannot be kept was left out, as ``SyncConfiguration/InvalidRows/skip`` says; or an object in a list, which
    /// has no identity.
    case skippedRow
    /// What a to-one or a list says could not be read, and the links stay as they are.
    case keptLink
    /// Some elements of a list could not be read: the others were linked, and no member was removed.
    case ignoredElements
    /// A nested object was left out: it is not the row that its key names, or not a row, or nested too deeply.
    case ignoredObject
    /// A row was to be deleted, and another denies that.
    case keptRow
    /// An empty list was to delete rows, and the call forbids that.
    case deletedNothing
    /// A value is of a type that the schema does not know, and is kept as it came.
    case keptAsItCame
    /// The row has no readable `@UpdatedAt`, and was applied as if it were newer.
    case appliedWithoutStamp
  }

  /// The model of the row.
  public let model: String
  /// The index of the row in the payload, counted from 0; nil for an item.
  public let row: Int?
  /// The identity of the row, where it has one.
  public let identity: String?
  /// The JSON path of the value: `[3].user.name`.
  public let path: String
  /// What is wrong with the value.
  public let reason: String
  /// What was done about it.
  public let action: Action
}

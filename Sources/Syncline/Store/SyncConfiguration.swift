import SynclineNaming

/// How a container reads payloads and writes exports.
public struct SyncConfiguration: Sendable {
  /// What happens to a sync when a row of its payload cannot be kept.
  public enum InvalidRows: String, Sendable, Codable {
    /// The sync throws, and nothing is written.
    case fail
    /// The row is skipped and reported; the others go on.
    case skip
  }

  /// Which JSON values are keys of related rows.
  public enum ForeignKeys: String, Sendable, Codable {
    /// Those of the identity's own JSON type: a number names an integer identity, text a text identity.
    case strict
    /// All that are read as the identity where the row itself has them: `"user_id": "7"` names 7 where `"id": "7"` is 7.
    case likeIdentities
  }

  /// How JSON keys are spelled where a schema names none.
  public var keyStyle: KeyStyle
  /// How dates are exported where a schema names no format.
  public var dateFormat: SyncDateFormat
  /// What happens to a sync when a row of its payload cannot be kept.
  public var invalidRows: InvalidRows
  /// Whether text and numbers count as each other in keys of related rows, as they do in identities.
  public var foreignKeys: ForeignKeys

  /// A configuration; what is not named is as APIs mostly have it.
  public init(
    keyStyle: KeyStyle = .snakeCase, dateFormat: SyncDateFormat = .iso8601, invalidRows: InvalidRows = .fail,
    foreignKeys: ForeignKeys = .strict
  ) {
    self.keyStyle = keyStyle
    self.dateFormat = dateFormat
    self.invalidRows = invalidRows
    self.foreignKeys = foreignKeys
  }
}

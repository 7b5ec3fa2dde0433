import SynclineNaming

/// How JSON keys are spelled where a schema names none: `project_id` or `projectId`.
public typealias KeyStyle = SynclineNaming.KeyStyle

/// How a container reads payloads and writes exports.
public struct SyncConfiguration: Sendable {
  /// What happens to a sync when a row of its payload cannot be kept.
  public enum InvalidRows: String, Sendable, Codable {
    /// The sync throws, and nothing is written.
    case fail
    /// The row is skipped and reported; the others go on.
    case skip
  }

  /// How JSON keys are spelled where a schema names none.
  public var keyStyle: KeyStyle
  /// How dates are exported where a schema names no format.
  public var dateFormat: SyncDateFormat
  public var invalidRows: InvalidRows

  public init(
    keyStyle: KeyStyle = .snakeCase, dateFormat: SyncDateFormat = .iso8601, invalidRows: InvalidRows = .fail
  ) {
    self.keyStyle = keyStyle
    self.dateFormat = dateFormat
    self.invalidRows = invalidRows
  }
}

import SynclineNaming

/// A condition for deleted rows in payloads: a key, or a value of a key. Generated code has one for each
/// `@Deleted`.
@_spi(Generated)
public struct SyncDeletionMark: Sendable {
  private let snakeKeys: [String]
  private let camelKeys: [String]
  /// The value that marks a row as deleted; nil if every value does that is neither false nor empty.
  private let value: SyncJSON?

  /// Creates a mark.
  ///
  /// - Parameters:
  ///   - snakeKeys: the keys or paths that are tried in snake case.
  ///   - camelKeys: those that are tried in camel case.
  ///   - value: the value that marks a row; nil for any value that is not null, false or empty.
  public init(snake snakeKeys: [String], camel camelKeys: [String], is value: SyncJSON? = nil) {
    self.snakeKeys = snakeKeys
    self.camelKeys = camelKeys
    self.value = value
  }

  func keys(in style: KeyStyle) -> [String] {
    KeyCandidates.keys(of: "", .scalar, snake: snakeKeys, camel: camelKeys, in: style)
  }

  /// Whether a value, which is not null, marks its row.
  func marks(_ value: SyncValue) -> Bool {
    if let marking = self.value { return SyncJSON(value) == marking }
    if case .value(false) = Bool.syncRead(value, form: SyncForm()) { return false }
    return !value.isEmptyArray && !(value.isString && value.content.isEmpty)
  }

  /// The mark, for a fingerprint of how rows are read.
  func description(in style: KeyStyle) -> String {
    (keys(in: style) + [value.map { "= \($0)" } ?? ""]).joined(separator: " ")
  }
}

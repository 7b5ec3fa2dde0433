/// A default value that fits its type.
package indirect enum DefaultValue: Sendable, Hashable {
  case text(String)
  /// The number as written.
  case number(String)
  case bool(Bool)
  /// The sixteen bytes of a UUID.
  case uuid([UInt8])
  case member(String)
  case list([DefaultValue])
  case emptyMap
  case null
}

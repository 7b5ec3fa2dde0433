/// A default value that fits its type.
package indirect enum DefaultValue: Sendable, Hashable {
  case text(String)
  /// The number as written.
  case number(String)
  case bool(Bool)
  /// The sixteen bytes of a UUID.
  case uuid([UInt8])
  /// A case of an enum.
  case member(String)
  case list([DefaultValue])
  /// An empty map.
  case emptyMap
  /// JSON's null.
  case null
}

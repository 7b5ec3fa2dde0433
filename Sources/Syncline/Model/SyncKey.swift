/// The position of a property in its model's ``SyncTable``.
@_spi(Generated)
public struct SyncKey: Sendable, ExpressibleByIntegerLiteral {
  /// The index in the table's list of properties.
  public let position: Int

  /// Creates the key of the property at an index.
  @inlinable
  public init(_ position: Int) {
    self.position = position
  }

  /// Creates a key from the index that generated code writes.
  @inlinable
  public init(integerLiteral position: Int) {
    self.position = position
  }

  /// A value inside the property, for an index.
  public func member(_ names: [String]) -> SyncIndexTerm { SyncIndexTerm(position: position, path: names) }
}

/// A term of an index: a property, or a value inside it.
@_spi(Generated)
public struct SyncIndexTerm: Sendable {
  let position: Int
  /// The names of the members on the path to the value.
  let path: [String]
}

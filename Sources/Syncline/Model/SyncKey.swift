/// The position of a property in its model's ``SyncTable``.
public struct SyncKey: Sendable {
  /// The index in the table's list of properties.
  public let position: Int

  /// The key of the property at an index; generated code has one for each.
  @inlinable
  public init(_ position: Int) {
    self.position = position
  }

  /// A value inside of the property, for an index.
  public func member(_ names: [String]) -> SyncIndexTerm { SyncIndexTerm(position: position, path: names) }
}

/// What an index is of: a property, or a value inside of it.
public struct SyncIndexTerm: Sendable {
  let position: Int
  /// The members that lead to the value.
  let path: [String]
}

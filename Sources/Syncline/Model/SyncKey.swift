/// The position of a property in its model's ``SyncTable``.
public struct SyncKey: Sendable {
  /// The index in the table's list of properties.
  public let position: Int

  /// The key of the property at an index; generated code has one for each.
  @inlinable
  public init(_ position: Int) {
    self.position = position
  }
}

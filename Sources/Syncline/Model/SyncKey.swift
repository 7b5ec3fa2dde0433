/// The position of a property in its model's ``SyncTable``.
public struct SyncKey: Sendable {
  public let position: Int

  @inlinable
  public init(_ position: Int) {
    self.position = position
  }
}

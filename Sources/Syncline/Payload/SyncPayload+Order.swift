/// Reading the orders of lists.
@_spi(Generated)
extension SyncPayload {
  /// Updates the order of a list that only adds links. Null and an empty list change nothing.
  public func update<Model: SyncUpdatableModel>(
    _ order: inout [Model.SyncID]?, for key: SyncKey, by transform: SyncKeptOrder<Model>.Type,
    changed: inout Bool
  ) throws {
    var cursor = object.cursor(key)
    guard let listed = read(SyncTransformed<SyncKeptOrder<Model>>.self, &cursor, nil)?.value,
      !transform.isSame(order, listed)
    else { return }
    order = transform.adding(listed, to: order)
    changed = true
  }
}

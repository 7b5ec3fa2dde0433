/// Reading the orders of lists.
@_spi(Generated)
extension SyncPayload {
  /// The order of a new row's list that only adds links.
  public func value<Model: SyncUpdatableModel>(
    for key: SyncKey, as type: SyncTransformed<SyncKeptOrder<Model>>.Type
  ) -> SyncTransformed<SyncKeptOrder<Model>>? {
    order(for: key, addingTo: nil, SyncKeptOrder<Model>.self).map { SyncTransformed($0) }
  }

  /// Updates the order of a list that only adds links. Null and an empty list change nothing.
  public func update<Model: SyncUpdatableModel>(
    _ order: inout [Model.SyncID]?, for key: SyncKey, by transform: SyncKeptOrder<Model>.Type,
    changed: inout Bool
  ) throws {
    let new = self.order(for: key, addingTo: order, transform)
    guard let new, !new.hasIdentities(of: order ?? []) else { return }
    order = new
    changed = true
  }

  /// The order with the rows of the lists of all objects of the row, since the rows of all of them are linked.
  private func order<Model: SyncUpdatableModel>(
    for key: SyncKey, addingTo stored: [Model.SyncID]?, _ transform: SyncKeptOrder<Model>.Type
  ) -> [Model.SyncID]? {
    var order = stored
    for part in object.parts {
      var cursor = part.cursor(key)
      let listed = SyncPayload(part).read(SyncTransformed<SyncKeptOrder<Model>>.self, &cursor, nil)?.value
      if let listed, !transform.isSame(order, listed) { order = transform.adding(listed, to: order) }
    }
    return order
  }
}

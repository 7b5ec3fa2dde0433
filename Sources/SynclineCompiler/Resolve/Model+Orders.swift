extension Model {
  /// The model with one added property for each `@Ordered` list. The property stores the identities in the server's order.
  ///
  /// - Parameter models: all models, by name.
  func withOrders(among models: [String: Model]) -> Model {
    guard propertyAttributes.contains(.ordered) else { return self }
    let model = copy()
    for list in properties
    where list.isOrdered && list.unionPart == nil && !list.isIncomplete
      && !properties.contains(where: { $0.isNamed(list.orderName) })
    {
      guard case .toMany(let target) = list.type,
        !list.explicitKeys.contains(where: { $0.value.contains("{") }),
        let key = models[target]?.identityProperty, !key.isComposite,
        case .value(let identity) = key.type
      else { continue }
      let order = Property(
        name: list.orderName,
        documentation: [
          "The identities of the rows in `\(list.name)`, in the order of the server; nil if no payload has had the list yet."
        ], type: .value(.list(identity)), isOptional: true, range: list.range, declaration: list.declaration,
        typeRange: list.typeRange, typeText: list.typeText, isIncomplete: false, defaultRange: nil)
      order.orderedList = list.name
      order.remoteKeys = list.remoteKeys
      order.nulls = list.nulls
      order.isOneOrMany = list.isOneOrMany
      order.renamedFrom = list.renamedFrom.map { Located(value: $0.value + "Order", range: $0.range) }
      order.export = .never
      order.relatedOrder = target
      order.keepsOthers = list.relationshipClause?.missing?.value == .keep
      if !isBelowInvalid { order.resolveKeys(below: below?.value) }
      model.properties.append(order)
    }
    return model
  }
}

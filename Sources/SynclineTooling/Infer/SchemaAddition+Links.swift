import SynclineCompiler
import SynclineNaming

extension SchemaAddition {
  /// Turns keys such as `userId` into relationships to existing models of which the sample contains no rows.
  mutating func linkKeys() {
    let present = Set(known.values.map(\.name))
    let targets = schema.models.filter { !present.contains($0.name) }
    guard !targets.isEmpty else { return }
    for index in draft.declarations.indices where draft.isModel(index) {
      for place in draft.declarations[index].properties.indices {
        let property = draft.declarations[index].properties[place]
        guard !property.isIdentity, !property.isIdentityPart, let key = property.key, !key.contains("."),
          let (model, name) = target(of: property, key, targets),
          !draft.declarations[index].properties.contains(where: { $0.name == name })
        else { continue }
        link(place, in: index, to: model, named: name)
      }
    }
  }

  /// The model whose name and identity match a key.
  private func target(
    of property: SchemaDraft.Property, _ key: String, _ targets: [Model]
  ) -> (Model, String)? {
    var type = property.type
    var isList = false
    if case .list(let element) = type { (type, isList) = (element, true) }
    guard case .scalar(let scalar) = type else { return nil }
    for model in targets {
      guard let identity = model.identityProperty, let own = identity.valueType, case .scalar(let kind) = own,
        kind.rawValue == scalar || (kind.integerRange != nil && scalar == "Int"),
        let rowKey = RowKey(
          key, of: model.name, identity: identity.keys(in: schema.keyStyle).first ?? identity.name,
          isList: isList),
        !rowKey.isBare
      else { continue }
      return (model, rowKey.name)
    }
    return nil
  }

  private mutating func link(_ place: Int, in index: Int, to model: Model, named name: String) {
    // The declaration represents the existing model, and is not written.
    let target = known.first { $0.value.name == model.name }?.key ?? draft.declarations.endIndex
    if target == draft.declarations.endIndex {
      draft.declarations.append(
        SchemaDraft.Declaration(kind: .model, name: model.name, isLeftOut: true))
      known[target] = model
    }
    let old = draft.declarations[index].properties[place]
    var property = old
    property.name = name
    property.comments = ["The key is named like an identity of \(model.name)."] + old.comments
    property.type = .declared(target)
    if case .list = old.type { property.type = .list(.declared(target)) }
    let candidates = property.settleRelationship(style: style)
    property.isKeyExplicit = property.key.map { !candidates.contains($0) } ?? false
    draft.declarations[index].properties[place] = property
  }
}

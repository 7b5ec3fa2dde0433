extension SchemaInference {
  /// States the inverse of each relationship: the inverse that the sample shows, or nil.
  mutating func pair() {
    for list in lists {
      let (child, owner) = (models[list.kind], list.owner)
      let backs = draft.declarations[child].properties.indices.filter {
        draft.declarations[child].properties[$0].type == .declared(owner)
      }
      let others = lists.filter { models[$0.kind] == child && $0.owner == owner }
      if child == owner { pairTree(owner, list.property, backs) }
      if kinds.kinds[list.kind].identity.isOwned,
        draft.declarations[child].properties.first?.type == .declared(owner)
      {
        pairOwned(child, owner, list.property)
        continue
      }
      // The child has a key that refers to its owner.
      let hasKey = backs.count == 1 && backs.allSatisfy { isForeignKey($0, of: list.kind) }
      guard list.isOneToMany || hasKey, others.count == 1, backs.count < 2, child != owner,
        let place = draft.declarations[owner].properties.firstIndex(where: { $0.name == list.property })
      else { continue }
      if let back = backs.first {
        draft.declarations[owner].properties[place].inverse = .property(
          declaration: child, name: draft.declarations[child].properties[back].name)
        draft.declarations[child].properties[back].inverse = .property(
          declaration: owner, name: list.property)
      } else {
        let name = draft.freeName(DraftName.property(draft.declarations[owner].name), in: child)
        draft.declarations[owner].properties[place].inverse = .property(declaration: child, name: name)
        draft.declarations[child].properties.append(
          SchemaDraft.Property(
            name: name, type: .declared(owner), isOptional: true,
            comments: [
              "Each row was seen in one list only, so it belongs to one \(draft.declarations[owner].name)."
            ],
            inverse: .property(declaration: owner, name: list.property)))
      }
    }
    for index in draft.declarations.indices where draft.isModel(index) {
      for place in draft.declarations[index].properties.indices {
        let property = draft.declarations[index].properties[place]
        guard case .derived = property.inverse,
          draft.models(of: property.type).contains(where: { hasWayBack(from: $0, to: index, besides: place) })
        else { continue }
        draft.declarations[index].properties[place].inverse = .nothing
      }
    }
  }

  /// Pairs a list with the first part of the identity of its rows: the row that contains the list.
  private mutating func pairOwned(_ child: Int, _ owner: Int, _ list: String) {
    guard let place = draft.declarations[owner].properties.firstIndex(where: { $0.name == list }) else {
      return
    }
    draft.declarations[owner].properties[place].inverse = .property(
      declaration: child, name: draft.declarations[child].properties[0].name)
    draft.declarations[child].properties[0].inverse = .property(declaration: owner, name: list)
  }

  /// Pairs the children and the parent of rows that form a tree.
  private mutating func pairTree(_ model: Int, _ list: String, _ backs: [Int]) {
    let properties = draft.declarations[model].properties
    guard list == "children", backs.count == 1, let back = backs.first, properties[back].name == "parent",
      let place = properties.firstIndex(where: { $0.name == list })
    else { return }
    draft.declarations[model].properties[place].inverse = .property(declaration: model, name: "parent")
    draft.declarations[model].properties[back].inverse = .property(declaration: model, name: list)
  }

  /// Whether a relationship is read only from a key, not from a nested row.
  private func isForeignKey(_ place: Int, of kind: Int) -> Bool {
    let key = draft.declarations[models[kind]].properties[place].key
    return key.flatMap { kinds.kinds[kind].shape.members[$0] }?.isScalar ?? false
  }

  /// Whether a model has another relationship to the given model.
  private func hasWayBack(from model: Int, to index: Int, besides place: Int) -> Bool {
    let properties = draft.declarations[model].properties
    return properties.indices.contains { other in
      draft.models(of: properties[other].type).contains(index) && (model != index || other != place)
    }
  }
}

extension SchemaInference {
  /// States the inverse of each relationship: the inverse that the sample shows, or nil.
  mutating func pair() {
    for list in lists {
      let (child, owner) = (models[list.kind], list.owner)
      guard
        let place = draft.declarations[owner].properties.firstIndex(where: { $0.name == list.property })
      else { continue }
      let backs = draft.declarations[child].properties.indices.filter {
        draft.declarations[child].properties[$0].type == .declared(owner)
      }
      // The children and the parent of rows that form a tree.
      if child == owner, list.property == "children", backs.count == 1,
        draft.declarations[child].properties[backs[0]].name == "parent"
      {
        draft.pair(place, of: owner, with: backs[0], of: child)
      }
      // The first part of the identity is the row that contains the list.
      if kinds.kinds[list.kind].identity.isOwned,
        draft.declarations[child].properties.first?.type == .declared(owner)
      {
        draft.pair(place, of: owner, with: 0, of: child)
        continue
      }
      let others = lists.filter { models[$0.kind] == child && $0.owner == owner }
      // The child has a key that refers to its owner.
      let hasKey = backs.count == 1 && backs.allSatisfy { isForeignKey($0, of: list.kind) }
      guard list.isOneToMany || hasKey, others.count == 1, backs.count < 2, child != owner else { continue }
      let back = backs.first ?? draft.declarations[child].properties.count
      if backs.isEmpty {
        let name = draft.declarations[owner].name
        draft.declarations[child].properties.append(
          SchemaDraft.Property(
            name: draft.freeName(DraftName.property(name), in: child), type: .declared(owner),
            isOptional: true,
            comments: ["Each row was seen in one list only, so it belongs to one \(name)."]))
      }
      draft.pair(place, of: owner, with: back, of: child)
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

  /// Whether a relationship is read only from a key, not from a nested row.
  private func isForeignKey(_ place: Int, of kind: Int) -> Bool {
    let property = draft.declarations[models[kind]].properties[place]
    return source(of: property, in: kinds.kinds[kind].shape)?.value.isScalar ?? false
  }

  private func hasWayBack(from model: Int, to index: Int, besides place: Int) -> Bool {
    let properties = draft.declarations[model].properties
    return properties.indices.contains { other in
      draft.models(of: properties[other].type).contains(index) && (model != index || other != place)
    }
  }
}

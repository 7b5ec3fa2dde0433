import SynclineSchema

extension SyncSchemaSnapshot {
  /// Whether a current name is an earlier name of something else.
  var swapsNames: Bool {
    func swaps(_ names: [String], _ earlier: [String]) -> Bool {
      !earlier.isEmpty && !Set(names).isDisjoint(with: earlier)
    }
    return swaps(models.map(\.name), models.flatMap(\.renamedFrom))
      || models.contains { swaps($0.properties.map(\.name), $0.properties.flatMap(\.renamedFrom)) }
  }

  /// The schema with all earlier names that were applied to a store, so that none is applied twice.
  func counting(_ plan: EvolutionPlan) -> SyncSchemaSnapshot {
    func union(_ names: [String], _ earlier: [String], without name: String) -> [String] {
      var result: [String] = []
      for other in names + earlier where other != name && !result.contains(other) { result.append(other) }
      return result
    }
    return SyncSchemaSnapshot(
      models: models.map { model in
        var model = model
        let former = plan.former(of: model.name)
        model.renamedFrom = union(model.renamedFrom, former?.renamedFrom ?? [], without: model.name)
        for index in model.properties.indices {
          let name = model.properties[index].name
          let earlier = plan.match.properties[model.name]?[name].flatMap { former?.property($0) }?.renamedFrom
          model.properties[index].renamedFrom = union(
            model.properties[index].renamedFrom, earlier ?? [], without: name)
        }
        return model
      })
  }
}

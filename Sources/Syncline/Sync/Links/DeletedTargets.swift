/// Links that a payload states, and whose rows it deletes, since it does not name them. They wait, as they would if the
/// payload came again: the row is not there then.
final class DeletedTargets {
  private var targets: [LinkPlace: Set<SyncIdentity>] = [:]

  /// Notes that a link of a row of the payload was cut with the row it led to.
  func note(_ model: ModelSession, _ position: Int, _ owner: RowKey, _ target: SyncIdentity) {
    guard model.isNamed(owner) else { return }
    targets[LinkPlace(model: model.id, position: position, owner: owner), default: []].insert(target)
  }

  var isEmpty: Bool { targets.isEmpty }

  /// Remembers the links that an object of the payload states, and the objects nested in it.
  func remember(_ object: PayloadObject, in session: SyncSession) throws {
    try session.walk(object) { object, model in
      guard let identity = object.identity, model.table.parentScope == nil else { return }
      for position in model.table.properties.indices where model.table.properties[position].isRelationship {
        let place = LinkPlace(model: model.id, position: position, owner: RowKey(identity: identity))
        guard let deleted = targets[place], let related = model.table.properties[position].related else {
          continue
        }
        try remember(deleted, at: place, of: object, model, session.models(related), session)
      }
    }
  }

  private func remember(
    _ deleted: Set<SyncIdentity>, at place: LinkPlace, of object: PayloadObject, _ model: ModelSession,
    _ target: ModelSession, _ session: SyncSession
  ) throws {
    guard !model.deletedRows.contains(place.owner) else { return }
    let stated: [SyncIdentity]
    let (key, begin): (String, Int)
    if model.table.properties[place.position].isToMany {
      let reading = object.toMany(SyncKey(place.position), target: target.table)
      (stated, key, begin) = (reading.elements.compactMap(\.identity), reading.key, reading.begin)
    } else {
      let reading = object.toOne(SyncKey(place.position), target: target.table)
      (stated, key, begin) = (reading.identity.map { [$0] } ?? [], reading.key, reading.begin)
    }
    session.pending.decide(
      model, place.position, place.owner, waitsFor: stated.filter(deleted.contains), begin: begin,
      isComplete: false, ProblemPlace(object, key))
  }
}

/// Links that a payload states, and whose rows it deletes, since it does not name them. They wait, as they would if the
/// payload came again: the row is not there then.
final class DeletedTargets {
  private unowned(unsafe) let run: Run
  private let pending: PendingLinks
  private var targets: [LinkPlace: Set<SyncIdentity>] = [:]

  init(_ run: Run, _ pending: PendingLinks) {
    self.run = run
    self.pending = pending
  }

  var isEmpty: Bool { targets.isEmpty }

  /// Notes that a link of a row of the payload was cut with the row it led to.
  func note(_ target: SyncIdentity, at place: LinkPlace) {
    if run.mode.logsLinks { return }
    guard run.rows(place.end.owner).isNamed(place.owner) else { return }
    targets[place, default: []].insert(target)
  }

  /// Remembers the links that an object of the payload states, and the objects nested in it.
  func remember(_ object: PayloadObject) throws {
    try run.forEachObject(in: object) { object, model in
      guard let identity = object.identity, model.table.parentScope == nil else { return }
      for case let end? in model.entry.ends {
        let place = LinkPlace(end: end, owner: RowKey(identity: identity))
        if let deleted = targets[place] { remember(deleted, at: place, of: object) }
      }
    }
  }

  private func remember(_ deleted: Set<SyncIdentity>, at place: LinkPlace, of object: PayloadObject) {
    let end = place.end
    guard !run.rows(end.owner).journal.deleted.contains(place.owner) else { return }
    let stated: [SyncIdentity]
    let (key, begin): (String, Int)
    if end.isToMany {
      let reading = object.toMany(end.key, target: end.targetTable)
      (stated, key, begin) = (reading.elements.compactMap(\.identity), reading.key, reading.begin)
    } else {
      let reading = object.toOne(end.key, target: end.targetTable)
      (stated, key, begin) = (reading.identity.map { [$0] } ?? [], reading.key, reading.begin)
    }
    pending.decide(
      place, waitsFor: stated.filter(deleted.contains), begin: begin, isComplete: false,
      ProblemPlace(object, key))
  }
}

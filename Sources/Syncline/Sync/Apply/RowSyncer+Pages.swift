/// Noting the links of a page's rows.
extension RowSyncer {
  /// Notes the keys of rows that no page contained so far: if no later page contains them either, they may be deleted after the last
  /// page, and the links are pending then.
  func noteLinks(of object: PayloadObject, _ row: RowKey, _ mode: RowMode, isNew: Bool) {
    guard let unseen = run.mode.unseen, LinkMask.applies(mode.operations, isNew: isNew),
      LinkMask(mode.operations, isNew: isNew).canAdd
    else { return }
    for end in notedEnds where object.scope?.position != end.position {
      let place = LinkPlace(end: end, owner: row)
      for key in keys(in: object, at: end)
      where unseen.mayMiss(LinkedRow(end.target, RowKey(identity: key))) {
        unseen.contents.noteLink(place, to: key)
      }
    }
  }

  /// The foreign keys of a relationship in an object.
  private func keys(in object: PayloadObject, at end: LinkEnd) -> [SyncIdentity] {
    if end.isToMany {
      return object.toMany(end.key, target: end.targetTable).elements.compactMap {
        $0.nested == nil ? $0.identity : nil
      }
    }
    guard case .key(let target) = object.toOne(end.key, target: end.targetTable).decision else { return [] }
    return [target]
  }
}

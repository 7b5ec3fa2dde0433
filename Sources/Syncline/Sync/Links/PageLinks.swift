import SynclineNaming

/// Links of several pages, which are decided as if one payload had all pages. Links to rows that a later page, or the end of the
/// run, deletes are pending then.
extension PayloadLinks {
  /// The links to rows that are about to be deleted, as far as pages state them.
  func statedByPages(to gone: [LinkedRow]) throws -> [Link] {
    guard let contents = run.mode.unseen?.contents, !gone.isEmpty else { return [] }
    let deleted = Set(gone)
    var stated: [Link] = []
    for row in gone {
      for place in try places(linking: row) {
        guard contents.containsLink(place, to: row.key.identity),
          !deleted.contains(place.row),
          // A key that a page stated later, to a row that is not stored.
          try place.end.isToMany || run.storedLinks.targets(of: place).isEmpty
        else { continue }
        stated.append(Link(place: place, member: row.key.identity))
      }
    }
    return stated
  }

  /// The relationships of other rows, and of the row itself, that link a stored row.
  private func places(linking row: LinkedRow) throws -> [LinkPlace] {
    let model = run.rows(row.model)
    var places: [LinkPlace] = []
    for end in model.entry.references {
      let holders = try run.rows(end.owner).holderKeys(of: row.key.identity, at: end.position)
      places += holders.map { LinkPlace(end: end, owner: $0) }
    }
    for links in model.entry.links {
      guard let far = links.far, let table = far.linkTable?.reversed else { continue }
      let owners = try run.members(of: row.key.identity, in: table)
      places += owners.map { LinkPlace(end: far, owner: RowKey(identity: $0)) }
    }
    for case let end? in model.entry.ends where end.isColumn {
      if let far = end.inverse, let owner = try model.target(of: row.key, at: end.position) {
        places.append(LinkPlace(end: far, owner: RowKey(identity: owner)))
      }
    }
    return places
  }

  /// Removes a row that a page has from a list of another page that lacks it, unless the row requires the list's owner.
  func unlink(_ row: RowKey, from list: LinkPlace) throws {
    guard let column = list.end.memberColumn else { return try run.removeMember(row.identity, from: list) }
    if column.isOptional {
      _ = try run.rows(column.owner).link(row, at: column.position, to: nil)
    } else {
      missing.keep(row, of: list, reportedAt: PathParts(path: key(of: list.end), row: nil))
    }
  }

  func wait(_ links: [Link]) throws {
    for link in links {
      let end = link.place.end
      try run.storedLinks.replace(link.place, with: [link.member], keepsOthers: true)
      run.log.recordWaiting(
        run.waitingLink(link.place, link.member, PathParts(path: key(of: end), row: nil)))
    }
  }

  /// The key from which a relationship's foreign keys are usually read, since that of the page is not known any more.
  private func key(of end: LinkEnd) -> String {
    let keys = run.rows(end.owner).shape.keys.candidates[end.position].map(\.text)
    let name =
      end.isToMany
      ? KeyCandidates.toManyKey(end.name, style: run.style)
      : KeyCandidates.toOneKey(end.name, style: run.style)
    return keys.contains(name) ? name : keys.first ?? end.name
  }
}

extension Run {
  /// Whether a page of the run contains a row. Rows that came since the run began count as such if they cannot be distinguished.
  func isOnPage(_ row: LinkedRow) throws -> Bool {
    guard let unseen = mode.unseen else { return false }
    if unseen.contents.contains(row) { return true }
    guard unseen.model == row.model else { return false }
    if let isSeen = unseen.isSeen(row.key) { return isSeen }
    return switch unseen.others {
    case .new: true
    case .newOrOfOtherParents(let scope):
      try rows(row.model).target(of: row.key, at: scope.position) == scope.parent
    case .any: false
    }
  }
}

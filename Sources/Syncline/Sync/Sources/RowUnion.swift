/// A union of models in a container.
struct RowUnion: Sendable {
  let cases: SyncUnionCases<any SyncUpdatableModel.Type>
  let entries: [ModelCatalog.Entry]
  /// The call's own policy; nil for those of the models.
  private let policy: DeletionPolicy?

  /// - Throws: ``SyncError/schemaValidation(reason:)`` if one of the models is not the container's.
  init(
    _ cases: SyncUnionCases<any SyncUpdatableModel.Type>, in catalog: ModelCatalog, policy: DeletionPolicy?
  ) throws {
    self.cases = cases
    entries = try cases.cases.map { try catalog.entry(for: $0.element) }
    self.policy = policy
  }

  /// The rows of a payload, one slice per model. A model without rows in the payload has an empty slice.
  ///
  /// - Parameter whole: the payload as rows of the first model. It is returned as is if the payload as a whole is wrong.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if an element is not an object.
  func slices(of whole: PayloadSlice, in run: Run) throws -> [PayloadSlice] {
    let path = whole.path.text
    var parts = entries.map { _ in PayloadPart(of: path) }
    var count = 0
    var allHaveTypes = true
    let feed = try RowFeed(of: whole, run.style)
    let end = try feed.forEachElement { tape, index in
      let row = tape.value(at: 0)
      count += 1
      if count & 63 == 0 { try run.checkCancellation() }
      if index == nil, !whole.isItem { return .stop }
      let place = index.map(path.path(ofElement:)) ?? path
      guard row.isObject else {
        throw SyncError(.noObject(found: row.summary, path: place), model: cases.name)
      }
      var type: String?
      switch cases.match(row) {
      case .known(let position):
        parts[position].append(row, on: tape, from: path, at: index)
        return .done
      case .unrecognized(let name): type = name
      case .untyped: allHaveTypes = false
      }
      run.log.record(
        SyncProblem(
          model: cases.name, row: index, identity: nil, path: place, cases.finding(type), action: .skippedRow)
      )
      return .done
    }
    let isList = if case .item = end { false } else { true }
    // A problem with the payload as a whole is reported when the slice is read.
    guard whole.isItem != isList else { return [whole] }
    if whole.isItem {
      guard let position = parts.firstIndex(where: { !$0.isEmpty }) else { return [] }
      return [slice(of: whole, parts[position].asItem(), entries[position], deletes: false, isEmpty: false)]
    }
    // The positions in a later list of the body follow those of all rows of this list.
    for index in parts.indices { parts[index].listLength = count }
    let deletes = whole.policy != .none
    if !allHaveTypes, deletes {
      // The row without a type may be any of the stored rows.
      run.log.record(
        SyncProblem(
          model: cases.name, identity: nil, path: path, cases.finding(nil), action: .deletedNothing))
    }
    let isEmpty = parts.allSatisfy(\.isEmpty)
    return zip(parts, entries).map {
      slice(of: whole, $0, $1, deletes: allHaveTypes && deletes, isEmpty: isEmpty)
    }
  }

  private func slice(
    of whole: PayloadSlice, _ part: PayloadPart, _ entry: ModelCatalog.Entry, deletes: Bool, isEmpty: Bool
  ) -> PayloadSlice {
    let policy = policy ?? entry.table.missingPolicy
    var slice = whole.part(part, of: entry, policy: deletes ? policy : .none)
    slice.unionKey = cases.key
    slice.requiresRows = whole.requiresRows && isEmpty
    return slice
  }
}

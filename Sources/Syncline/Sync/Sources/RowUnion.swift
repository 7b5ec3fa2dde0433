/// A union of models, as a container has it.
struct RowUnion: Sendable {
  let cases: SyncUnionCases<any SyncUpdatableModel.Type>
  /// The models of the cases.
  let entries: [ModelCatalog.Entry]
  /// The policy that the call names; nil for those of the models.
  private let policy: DeletionPolicy?

  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a union of models that the container is not for.
  init(
    _ cases: SyncUnionCases<any SyncUpdatableModel.Type>, in catalog: ModelCatalog, policy: DeletionPolicy?
  ) throws {
    self.cases = cases
    entries = try cases.cases.map { try catalog.entry(for: $0.element) }
    self.policy = policy
  }

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` where a call does not fit one of the models.
  func check() throws {
    for entry in entries {
      if let scope = entry.table.parentScope {
        throw SyncError(
          .needsParent(relationship: entry.table.properties[scope].name), model: entry.table.name)
      }
      if policy == .softDeleteMissing, entry.table.softDelete == nil {
        throw SyncError(.cannotMark, model: entry.table.name)
      }
    }
  }

  /// The rows of a payload by their models, a list for each: what a model has no row in the payload of is missing.
  ///
  /// - Parameter whole: the payload as rows of the first model, of which it is told what is wrong with it as a whole.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for what is no object.
  func slices(of whole: PayloadSlice, in run: Run) throws -> [PayloadSlice] {
    let path = whole.path.text ?? ""
    var parts = entries.map { _ in PayloadPart(of: path) }
    var count = 0
    var isTold = true
    var isList = true
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
        parts[position].append(from: path, at: index) { row.append(to: &$0) }
        return .done
      case .unrecognized(let name): type = name
      case .untold: isTold = false
      }
      run.log.record(
        SyncProblem(
          model: cases.name, row: index, identity: nil, path: place, cases.finding(type), action: .skippedRow)
      )
      return .done
    }
    if case .item = end { isList = false }
    // What is wrong with the payload as a whole is said where it is read.
    guard whole.isItem != isList else { return [whole] }
    if whole.isItem {
      guard let position = parts.firstIndex(where: { !$0.isEmpty }) else { return [] }
      return [slice(of: whole, parts[position].asItem(), entries[position], deletes: false, isEmpty: false)]
    }
    let deletes = whole.policy != .none
    if !isTold, deletes {
      // Any of the stored rows may be the one that does not say what it is.
      run.log.record(
        SyncProblem(
          model: cases.name, identity: nil, path: path, cases.finding(nil), action: .deletedNothing))
    }
    let isEmpty = parts.allSatisfy(\.isEmpty)
    return zip(parts, entries).map {
      slice(of: whole, $0, $1, deletes: isTold && deletes, isEmpty: isEmpty)
    }
  }

  /// The rows of one case.
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

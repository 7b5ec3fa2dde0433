/// A union of models, as a container has it.
struct RowUnion: Sendable {
  let cases: SyncUnionCases<any SyncUpdatableModel.Type>
  /// The models of the cases.
  let entries: [ModelCatalog.Entry]

  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a union of models that the container is not for.
  init(_ cases: SyncUnionCases<any SyncUpdatableModel.Type>, in catalog: ModelCatalog) throws {
    self.cases = cases
    entries = try cases.cases.map { try catalog.entry(for: $0.element) }
  }
}

/// Payloads of a union: each row goes to its model.
extension SyncRequest {
  /// The rows of a payload by their models, one part for each: what a model has no row in the payload of is missing.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for what is no object.
  func parts(of union: RowUnion, in run: Run) throws -> [SyncRequest] {
    let path = path ?? ""
    var parts = union.entries.map { _ in PayloadPart(of: path) }
    var count = 0
    var isTold = true
    var isList = true
    try bytes.withUnsafeBytes { bytes in
      let feed = try RowFeed(bytes, of: self)
      let end = try feed.forEachElement { tape, index in
        let row = tape.value(at: 0)
        count += 1
        if count & 63 == 0 { try run.checkCancellation() }
        if index == nil, !isItem { return .stop }
        let place = index.map(path.path(ofElement:)) ?? path
        guard row.isObject else {
          throw SyncError(.noObject(found: row.summary, path: place), model: union.cases.name)
        }
        var type: String?
        switch union.cases.match(row) {
        case .known(let position):
          parts[position].append(from: path, at: index) { row.append(to: &$0) }
          return .done
        case .unrecognized(let name): type = name
        case .untold: isTold = false
        }
        run.log.record(
          SyncProblem(
            model: union.cases.name, row: index, identity: nil, path: place, union.cases.finding(type),
            action: .skippedRow))
        return .done
      }
      if case .item = end { isList = false }
    }
    // What is wrong with the payload as a whole is said where it is read.
    guard isItem != isList else { return [asRows()] }
    if isItem {
      guard let position = parts.firstIndex(where: { !$0.isEmpty }) else { return [] }
      return [forCase(parts[position].asItem(), of: union.entries[position], deletes: false, isEmpty: false)]
    }
    if !isTold, policy != .none {
      // Any of the stored rows may be the one that does not say what it is.
      run.log.record(
        SyncProblem(
          model: union.cases.name, identity: nil, path: path, union.cases.finding(nil),
          action: .deletedNothing))
    }
    let isEmpty = parts.allSatisfy(\.isEmpty)
    return zip(parts, union.entries).map {
      forCase($0, of: $1, deletes: isTold && policy != .none, isEmpty: isEmpty)
    }
  }
}

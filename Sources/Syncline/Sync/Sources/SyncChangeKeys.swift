/// The keys under which a server lists changes.
public struct SyncChangeKeys: Sendable, Hashable {
  /// The key or path of the new rows.
  public var created: String
  /// The key or path of the changed rows.
  public var updated: String
  /// The key or path of the deleted rows: their identities, or objects that have them.
  public var deleted: String

  /// Creates keys. The defaults are those of many servers.
  public init(created: String = "created", updated: String = "updated", deleted: String = "deleted") {
    self.created = created
    self.updated = updated
    self.deleted = deleted
  }

  var all: [String] { [created, updated, deleted] }
}

extension SyncChangeKeys {
  /// The slice of the changes in a payload.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a payload without any of the lists.
  func slice(of whole: PayloadSlice) throws -> PayloadSlice {
    let model = whole.entry.table.name
    let paths = all.map { whole.path.text.isEmpty ? $0 : "\(whole.path.text).\($0)" }
    let steps = try all.map { try PathStep.steps(ofCall: $0, model: model) }
    if let many = zip(paths, steps).first(where: { (whole.path.steps + $0.1).contains(where: \.isMany) }) {
      throw SyncError(.noPath(many.0, why: "the key of a list of changes must select one list"), model: model)
    }
    do {
      let (tape, path) = try whole.scan()
      defer { tape.close() }
      let root = tape.value(at: 0)
      let outer = if case .found(let value) = root.follow(path) { value } else { root }
      // In a body, a model without changes may be an empty object, which some servers write as an empty list.
      var isAny = whole.isInBody && (outer.isEmptyObject || outer.isEmptyArray)
      var lists: [(index: Int, list: SyncValue)] = []
      for (index, steps) in steps.enumerated() where outer.isObject {
        switch root.follow(path + steps) {
        case .found(let list):
          guard list.isArray || whole.entry.table.isOneOrMany else {
            throw SyncError(.noList(found: list.summary, path: paths[index]), model: model)
          }
          isAny = true
          lists.append((index, list))
        case .null: isAny = true
        case .absent: break
        case .unreadable:
          throw SyncError(
            .noList(found: RowProblem.noObjectOnPath, path: paths[index]), model: model)
        }
      }
      guard isAny else {
        throw SyncError(.noLists(keys: all, found: PayloadShape(outer)), model: model)
      }
      // If both lists of rows contain a row, the object that is later in the text overrides the other one.
      lists.sort { $0.list.node.offset < $1.list.node.offset }
      var (rows, gone) = (PayloadPart(length: 0), PayloadPart())
      for (index, list) in lists {
        for (place, element) in list.items.enumerated() {
          if index == 2 {
            gone.append(element, on: tape, from: paths[index], at: place)
          } else {
            rows.append(element, on: tape, from: paths[index], at: place)
          }
        }
      }
      var slice = whole.part(rows, of: whole.entry, policy: .none)
      let first = lists.first { $0.index != 2 }
      if whole.isInBody, let first { slice.start?.offset = first.list.node.offset }
      let begin = lists.first { $0.index == 2 }.map { tape.order.place(of: $0.list.node.offset) }
      slice.gone = RowsListedAsDeleted(
        list: PayloadText(of: gone), path: paths[2], begin: begin ?? 0, policy: whole.policy)
      return slice
    } catch let error as JSONError {
      throw SyncError.invalidPayload(model: model, reason: error.description)
    }
  }
}

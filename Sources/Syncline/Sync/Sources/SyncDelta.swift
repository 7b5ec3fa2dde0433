import GRDB

/// Under which keys a server says what has changed.
public struct SyncChangeKeys: Sendable, Hashable {
  /// The key, or the path, of the rows that are new.
  public var created: String
  /// The key of the rows that are others than before.
  public var updated: String
  /// The key of the rows that are gone: their identities, or objects that have them.
  public var deleted: String

  /// The keys that many servers use.
  public init(created: String = "created", updated: String = "updated", deleted: String = "deleted") {
    self.created = created
    self.updated = updated
    self.deleted = deleted
  }

  var all: [String] { [created, updated, deleted] }
}

/// The rows that a server says are gone.
struct SyncDelta: Sendable {
  /// The list of them, and its path.
  let gone: SyncPayloadBytes
  let path: String
  let policy: DeletionPolicy

  func place(_ index: Int) -> PayloadObject.Place { .row(index: index, prefix: path) }
}

extension SyncRequest {
  /// The call for what a payload says has changed.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a payload without any of the lists.
  func reading(_ keys: SyncChangeKeys) throws -> SyncRequest {
    let model = entry.table.name
    let paths = keys.all.map { (path.map { $0 + "." } ?? "") + $0 }
    let steps = try keys.all.map { try self.steps + PathStep.steps(ofCall: $0, model: model) }
    if let many = zip(paths, steps).first(where: { $0.1.contains(where: \.isMany) }) {
      throw SyncError(.noPath(many.0, why: "lists of changes are named one by one"), model: model)
    }
    var rows = PayloadPart(length: 0)
    var gone = PayloadPart()
    do {
      try bytes.withUnsafeBytes { bytes in
        let tape = try JSONDocument.scan(bytes)
        defer { tape.close() }
        let root = tape.value(at: 0)
        let outer = if case .found(let value) = root.follow(self.steps) { value } else { root }
        guard outer.isObject else {
          throw SyncError(.noChanges(keys: keys.all, found: PayloadShape(outer)), model: model)
        }
        var isAny = false
        for (index, steps) in steps.enumerated() {
          switch root.follow(steps) {
          case .found(let list):
            guard list.isArray else {
              throw SyncError(.noListOfChanges(found: list.summary, path: paths[index]), model: model)
            }
            isAny = true
            for (place, element) in list.elements.enumerated() {
              if index < 2 {
                rows.append(element, from: paths[index], at: place)
              } else {
                gone.append(element, from: paths[index], at: place)
              }
            }
          case .null: isAny = true
          case .absent: break
          case .unreadable:
            throw SyncError(
              .noListOfChanges(found: RowProblem.noObjectOnPath, path: paths[index]), model: model)
          }
        }
        guard isAny else {
          throw SyncError(.noChanges(keys: keys.all, found: PayloadShape(outer)), model: model)
        }
      }
    } catch let error as JSONError {
      throw SyncError.invalidPayload(model: model, reason: error.description)
    }
    return forDelta(SyncDelta(gone: gone.bytes, path: paths[2], policy: policy), rows: rows)
  }
}

extension SyncContainer {
  /// Applies what a server says has changed since an earlier call: rows that are new or others than before, and rows that are gone.
  ///
  /// Rows that are gone are deleted, or marked where the model has `@SoftDelete`. All is one transaction, and nothing is missing that the payload does not name. A row that is both gone and among the others is
  /// gone. A payload that comes twice writes nothing the second time.
  ///
  /// ```swift
  /// let body = #"{"created": [{"id": 9, "title": "New"}], "updated": [], "deleted": [4, 5], "token": "t7"}"#
  /// try await container.sync(changes: body, as: Task.self)
  /// ```
  ///
  /// - Parameters:
  ///   - changes: an object with the lists. Some of them may be absent or null.
  ///   - path: where the object is inside an envelope; nil for the root.
  ///   - model: the model of the rows.
  ///   - keys: the keys of the lists.
  ///   - relationshipOperations: which relationship work is done.
  ///   - children: what happens to the members that nested lists do not name.
  ///   - isolation: the actor that waits: the caller's.
  /// - Throws: what `sync(payload:as:)` throws; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    changes: some SyncPayloadSource, at path: String? = nil, as model: Model.Type,
    keys: SyncChangeKeys = SyncChangeKeys(), relationshipOperations: SyncRelationshipOperations = .all,
    children: [SyncChildPolicy<Model>] = [], isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncRequest(
        container: self, bytes: changes.syncPayloadBytes(), path: path, of: model,
        operations: relationshipOperations, children: children, progress: nil
      ).ofChanges(keys)
    }
  }

  /// Applies what a server says has changed among the rows of one parent. A row that has another parent by now is not deleted.
  ///
  /// - Throws: what `sync(payload:as:)` throws; then nothing was written.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink>(
    changes: some SyncPayloadSource, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, keys: SyncChangeKeys = SyncChangeKeys(),
    relationshipOperations: SyncRelationshipOperations = .all, children: [SyncChildPolicy<Model>] = [],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await enqueue(isolation: isolation) {
      try SyncRequest(
        container: self, bytes: changes.syncPayloadBytes(), path: path, of: model,
        operations: relationshipOperations, children: children,
        parent: ParentScope(relationship, parent.syncIdentity), progress: nil
      ).ofChanges(keys)
    }
  }
}

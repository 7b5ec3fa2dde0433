/// The sync that a row's relationships are applied in.
public struct SyncContext {
  let session: SyncSession
  let owner: ModelSession
  let key: RowKey
  /// Whether the row is new.
  let isNew: Bool
  /// Whether the stored row is as new as the payload's: its own links stay as they are.
  let isStale: Bool
  let policies: [ChildPolicy]
  /// How often rows of the model had been written when the row's relationships began.
  let rowWrites: Int
  /// What the row's own keys decide, where rows nested in it may say otherwise of it.
  let decisions: LinkDecisions?

  /// Links an optional to-one relationship, and syncs the row nested in it.
  public func update<Related: SyncUpdatableModel>(
    _ reference: inout Reference<Related>?, for key: SyncKey, from payload: SyncPayload,
    operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {
    let current = reference?.id.syncIdentity
    let new = try resolveToOne(key, current: current, payload.object, operations)
    guard new != current else {
      try restore(key, current, payload.object)
      return
    }
    reference = new.flatMap(Related.SyncID.init).map { Reference(id: $0) }
    changed = true
  }

  /// Links a required to-one relationship, and syncs the row nested in it.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the payload clears it.
  public func update<Related: SyncUpdatableModel>(
    _ reference: inout Reference<Related>, for key: SyncKey, from payload: SyncPayload,
    operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {
    let current = reference.id.syncIdentity
    guard let new = try resolveToOne(key, current: current, payload.object, operations) else {
      // A new row's link waits for its target; it is checked when the payload ends.
      if isNew { return }
      throw payload.object.error(owner.table.properties[key.position].name, "", "is required, and null")
    }
    guard new != current else {
      try restore(key, current, payload.object)
      return
    }
    guard let id = Related.SyncID(new) else { return }
    reference = Reference(id: id)
    changed = true
  }

  /// Applies a relationship that is stored elsewhere: a to-many, or the far end of a one-to-one.
  public func update(
    _ key: SyncKey, from payload: SyncPayload, operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {
    let property = owner.table.properties[key.position]
    switch property.kind {
    case .inverse(_, isToMany: false): try updateInverse(key, payload.object, operations)
    case .inverse, .link: try updateToMany(key, payload.object, operations)
    case .scalar, .toOne: break
    }
  }

  /// Links the row again as it was, where rows nested in it have taken the link away.
  private func restore(_ key: SyncKey, _ identity: SyncIdentity?, _ object: PayloadObject) throws {
    guard owner.rowWrites != rowWrites, let identity, !owner.table.properties[key.position].isUnique,
      object.contains(key) || object.scopeParent(for: key) != nil,
      !owner.isMarked(self.key, at: key.position)
    else { return }
    _ = try owner.link(self.key, key.position, to: identity)
  }

  func target(of key: SyncKey) throws -> ModelSession {
    guard let related = owner.table.properties[key.position].related else {
      throw SyncError.schemaValidation(
        reason: "“\(owner.table.properties[key.position].name)” is no relationship")
    }
    return try session.models(related)
  }

  func canLink(_ operations: SyncRelationshipOperations) -> Bool {
    isNew || !operations.isDisjoint(with: [.insert, .update])
  }

  /// Syncs an object nested in the row's payload.
  func syncNested(
    _ value: SyncValue, _ identity: SyncIdentity, in target: ModelSession, _ outer: PayloadObject,
    key: String, element: Int?, operations: SyncRelationshipOperations, scope: PayloadObject.Scope? = nil,
    policies: [ChildPolicy] = []
  ) throws -> RowOutcome {
    try session.checkCancellation()
    let object = outer.nested(value, in: target, key: key, element: element)
    object.scope = scope
    if object.identity == nil { object.givenIdentity = identity }
    guard object.level <= SyncContext.levelLimit else {
      outer.report(key, "more than \(SyncContext.levelLimit) levels of nested rows", .ignoredObject)
      try session.name(object)
      return try target.exists(identity) ? .known : .left
    }
    let mode = RowMode(
      updatesFields: operations.contains(.update), inserts: operations.contains(.insert),
      operations: operations, policies: policies)
    return try session.sync(object, identity, in: target, mode)
  }

  static let levelLimit = 64
}

extension SyncUpdatableModel {
  /// Models without relationships have no relationship work.
  public mutating func applyRelationships(
    _ payload: SyncPayload, in context: SyncContext, operations: SyncRelationshipOperations
  ) throws -> Bool { false }
}

extension PayloadObject {
  /// An object nested in this one, as another model reads it.
  func nested(_ value: SyncValue, in target: ModelSession, key: String, element: Int?) -> PayloadObject {
    let object = PayloadObject(
      tape: tape(of: value), position: value.position, style: style, table: target.table, shape: target.shape,
      place: .nested(in: self, key: key, element: element), log: log)
    object.outputFormat = outputFormat
    object.readsKeysAsIdentities = readsKeysAsIdentities
    object.reader = reader
    return object
  }
}

/// What a row's own keys decide of its to-one columns.
final class LinkDecisions {
  var targets: [Int: SyncIdentity?] = [:]
  var postponed: [LinkPlace: OwnKey] = [:]
}

/// The context in which a row's relationships are applied.
public struct SyncContext {
  let applier: RowApplier
  /// Unowned, since the applier holds both. They are used often, and retaining them is slow.
  unowned(unsafe) let run: Run
  unowned(unsafe) let links: PayloadLinks
  let owner: ModelRows
  let row: RowKey
  let isNew: Bool
  /// Whether the stored row is at least as new as the payload's: its own links stay as they are.
  let isStale: Bool
  let policies: [ChildPolicy]
  /// How many writes to rows of the model came before the row's relationships.
  let writeCount: Int
  /// The targets of the row's own keys, which rows nested in it may overwrite.
  let decisions: LinkDecisions?

  init(
    _ applier: RowApplier, _ owner: ModelRows, _ row: RowKey, isNew: Bool, isStale: Bool,
    policies: [ChildPolicy], decisions: LinkDecisions?
  ) {
    self.applier = applier
    (run, links) = (applier.run, applier.links)
    (self.owner, self.row, self.isNew, self.isStale) = (owner, row, isNew, isStale)
    self.policies = policies
    writeCount = owner.journal.writeCount
    self.decisions = decisions
  }

  // `operations` is unused: generated code passes those of the call, which are `run.operations`.

  /// Applies the payload's link of an optional to-one relationship, and syncs the nested row.
  @_spi(Generated)
  public func update<Related: SyncUpdatableModel>(
    _ reference: inout Reference<Related>?, for key: SyncKey, from payload: SyncPayload,
    operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {
    let current = reference?.id.syncIdentity
    let place = try place(of: key)
    let new = try resolveToOne(place, current: current, payload.object)
    guard new != current else { return try restore(place, current, payload.object) }
    reference = new.flatMap(Related.SyncID.init).map { Reference(id: $0) }
    changed = true
  }

  /// Applies the payload's link of a required to-one relationship, and syncs the nested row.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the payload clears it.
  @_spi(Generated)
  public func update<Related: SyncUpdatableModel>(
    _ reference: inout Reference<Related>, for key: SyncKey, from payload: SyncPayload,
    operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {
    let current = reference.id.syncIdentity
    let place = try place(of: key)
    guard let new = try resolveToOne(place, current: current, payload.object) else {
      // A new row may get its target later: this is checked at the end of the payload.
      if isNew { return }
      throw payload.object.error(place.end.name, .requiredIsNull)
    }
    guard new != current else { return try restore(place, current, payload.object) }
    guard let id = Related.SyncID(new) else { return }
    reference = Reference(id: id)
    changed = true
  }

  /// Applies a relationship that is not stored in this table: a to-many relationship, or the other end of a
  /// one-to-one relationship.
  ///
  /// - Throws: the errors of the rows nested in it.
  @_spi(Generated)
  public func update(
    _ key: SyncKey, from payload: SyncPayload, operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {
    let place = try place(of: key)
    switch place.end.storage {
    case .column: break
    case .inverse where !place.end.isToMany: try updateFarEnd(place, payload.object)
    case .inverse, .table: try updateToMany(place, payload.object)
    }
  }

  private func place(of key: SyncKey) throws -> LinkPlace {
    guard let end = owner.end(key.position) else {
      throw SyncError.schemaValidation(
        reason: "“\(owner.table.properties[key.position].name)” is not a relationship")
    }
    return LinkPlace(end: end, owner: row)
  }

  /// Restores the row's link if rows nested in it have removed it.
  private func restore(_ place: LinkPlace, _ identity: SyncIdentity?, _ object: PayloadObject) throws {
    guard owner.journal.writeCount != writeCount, let identity, !place.end.isUnique,
      object.contains(place.end.key) || object.scopeParent(for: place.end.key) != nil, !run.isDecided(place)
    else { return }
    _ = try owner.link(row, at: place.end.position, to: identity)
  }

  /// The scope of rows nested in this one: their end for the link back, and this row as the parent.
  func scope(at back: LinkEnd) -> PayloadObject.Scope {
    PayloadObject.Scope(position: back.position, parent: row.identity, isFromList: true)
  }

  struct Nested {
    let value: SyncValue
    let identity: SyncIdentity
    let key: String
    var element: Int?
    var scope: PayloadObject.Scope?
    var policies: [ChildPolicy] = []
  }

  func sync(_ nested: Nested, in target: ModelRows, of outer: PayloadObject) throws -> RowOutcome {
    try run.checkCancellation()
    if nested.scope == nil, outer.level < PayloadObject.levelLimit,
      target.seenRow(nested.value) == nested.identity
    {
      return .known
    }
    let object = outer.nested(nested.value, in: target, key: nested.key, element: nested.element)
    object.scope = nested.scope
    if nested.element == nil { object.completeIdentity(from: outer) }
    if object.identity == nil { object.givenIdentity = nested.identity }
    guard object.level <= PayloadObject.levelLimit else {
      outer.report(nested.key, .tooManyLevels(limit: PayloadObject.levelLimit), .ignoredObject)
      try run.name(object)
      return try target.exists(nested.identity) ? .known : .left
    }
    let mode = RowMode.nested(run.operations, policies: nested.policies)
    return try applier.apply(object, nested.identity, in: target, mode)
  }
}

extension SyncUpdatableModel {
  /// Does nothing, for models without relationships.
  public mutating func applyRelationships(
    _ payload: SyncPayload, in context: SyncContext, operations: SyncRelationshipOperations
  ) throws -> Bool { false }
}

/// The targets that a row's own keys decided for its to-one columns.
final class LinkDecisions {
  var targets: [Int: SyncIdentity?] = [:]
}

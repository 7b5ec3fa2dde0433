import GRDB

/// The values that all parts of a call share.
struct CallContext: Sendable {
  let container: SyncContainer
  let isLines: Bool
  let operations: SyncRelationshipOperations
  var progress: SyncProgress.Handler?
  /// When the payload was requested; nil if the call does not state it.
  var requestedAt: SyncMoment?
}

/// The checked arguments of one call of `sync`, or of one part of a body.
struct CallArguments: Sendable {
  let context: CallContext
  let entry: ModelCatalog.Entry
  let path: PayloadPath
  /// What happens to rows that are missing from the payload.
  let policy: DeletionPolicy
  let requiresRows: Bool
  /// The condition for stored rows that may be missing from the payload; nil for all rows.
  let condition: SQLExpression?
  let children: [ChildPolicy]
  let scope: PayloadObject.Scope?
  /// The identity for an item whose object has none.
  var givenIdentity: SyncIdentity?

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for arguments that do not fit the model.
  init<Model: SyncUpdatableModel>(
    _ call: CallContext, at path: String?, of model: Model.Type, policy: DeletionPolicy? = nil,
    requiresRows: Bool = false, within condition: SQLExpression? = nil,
    children: [SyncChildPolicy<Model>] = [], parent: ParentScope? = nil
  ) throws {
    context = call
    self.requiresRows = requiresRows
    self.condition = condition
    self.path = try PayloadPath(path, model: Model.databaseTableName)
    if call.isLines, !self.path.steps.isEmpty {
      throw SyncError(.pathIntoLines, model: Model.databaseTableName)
    }
    entry = try call.container.catalog.entry(for: model)
    let table = entry.table
    self.policy = policy ?? table.missingPolicy
    if policy == .softDeleteMissing, table.softDelete == nil {
      throw SyncError(.cannotMark, model: table.name)
    }
    self.children = try children.map { try $0.resolved(in: table) }
    scope = try parent.map { try $0.resolved(in: table) }
    if let required = table.parentScope, scope?.position != required {
      throw SyncError(
        .needsParent(relationship: table.properties[required].name), model: table.name)
    }
  }

  /// The parent of the call, if identities are unique only within it.
  var scopedParent: SyncIdentity? { entry.table.parentScope == nil ? nil : scope?.parent }

  /// The stored rows that the call is about.
  var storedRows: StoredSlice { StoredSlice(table: entry.table, scope: scope, condition: condition) }

  /// A payload as one list of rows of the model.
  func slice(of text: PayloadText, _ kind: PayloadKind) -> PayloadSlice {
    PayloadSlice(
      text: text, path: path, entry: entry, policy: kind.keepsMissing ? .none : policy,
      requiresRows: requiresRows, isItem: kind.isItem,
      acceptsSingleRow: kind.acceptsSingleRow(of: entry.table), children: children, scope: scope,
      givenIdentity: givenIdentity, condition: condition, isPage: kind.notes != nil,
      firstPlace: kind.notes.map(\.rowCount) ?? 0)
  }
}

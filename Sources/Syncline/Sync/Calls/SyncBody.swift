import GRDB

/// The parts of a body that one call of `sync` reads: lists, single rows and changes of several models.
///
/// The closure of ``SyncContainer/sync(payload:relationshipOperations:requestedAt:_:progress:isolation:)`` receives a value of this
/// type, and adds a part with each call. A part that is absent or null changes and deletes nothing. The order in which the closure
/// adds the parts does not matter. If the body has two values for one property or link, the later one in the text is used.
///
/// ```swift
/// let body = #"{"tasks": [{"id": 1, "title": "Write", "project_id": 7}], "project": {"id": 7, "name": "Book"}}"#
/// try await container.sync(payload: body) {
///   $0.list("tasks", as: Task.self)
///   $0.item("project", as: Project.self)
/// }
/// ```
///
/// Lists of the same model are treated as one list: a row is missing only if none of them contains it. Each list has its own
/// deletion policy, parent and condition.
///
/// ## Topics
///
/// ### Lists
///
/// - ``SyncBody/list(_:as:requireNonEmptyFullSlice:within:children:)``
/// - ``SyncBody/list(_:as:deletionPolicy:requireNonEmptyFullSlice:within:children:)``
///
/// ### Items and changes
///
/// - ``SyncBody/item(_:as:children:)``
/// - ``SyncBody/changes(_:as:keys:children:)``
public struct SyncBody {
  private var makers: [(CallContext) throws -> CallPart] = []

  /// Adds a part. An empty path is the whole body.
  private mutating func add<Model: SyncUpdatableModel>(
    _ path: String, of model: Model.Type, _ kind: PayloadKind = .list, policy: DeletionPolicy? = nil,
    requiresRows: Bool = false, within condition: SQLExpression? = nil,
    children: [SyncChildPolicy<Model>] = [], parent: ParentScope? = nil
  ) {
    makers.append { call in
      let arguments = try CallArguments(
        call, at: path, of: model, policy: policy, requiresRows: requiresRows, within: condition,
        children: children, parent: parent)
      return CallPart(arguments: arguments, kind: kind)
    }
  }

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for arguments that do not fit their model.
  func parts(of call: CallContext) throws -> [CallPart] { try makers.map { try $0(call) } }

  // MARK: Lists

  /// Adds a list. Rows that are missing from it are deleted, or marked if the model has `@SoftDelete`.
  ///
  /// - Parameters:
  ///   - path: the path of the list in the body: `sections`, `data.sections`.
  ///   - model: the model of the rows.
  ///   - requireNonEmptyFullSlice: whether an empty list deletes nothing and is reported, instead of deleting all rows.
  ///   - condition: only stored rows that met it before the call can be missing, and so be deleted.
  ///   - children: what happens to members that are missing from nested lists.
  public mutating func list<Model: SyncUpdatableModel>(
    _ path: String, as model: Model.Type, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = []
  ) {
    add(
      path, of: model, requiresRows: requireNonEmptyFullSlice, within: condition?.sqlExpression,
      children: children)
  }

  /// Adds a list with the given deletion policy.
  public mutating func list<Model: SyncUpdatableModel>(
    _ path: String, as model: Model.Type, deletionPolicy: DeletionPolicy,
    requireNonEmptyFullSlice: Bool = false, within condition: (any SQLExpressible & Sendable)? = nil,
    children: [SyncChildPolicy<Model>] = []
  ) {
    add(
      path, of: model, policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice,
      within: condition?.sqlExpression, children: children)
  }

  /// Adds a list with the rows of one parent. Each row is linked to that parent, which may be in the same body.
  ///
  /// - Parameters:
  ///   - path: where the list is in the body.
  ///   - model: the model of the rows.
  ///   - parent: the identity of the parent.
  ///   - relationship: the to-one relationship to the parent, such as `\.project`.
  ///   - requireNonEmptyFullSlice: whether an empty list deletes nothing and is reported, instead of deleting all rows of the
  ///     parent.
  ///   - condition: only rows of the parent that met it before the call are deleted if the list omits them.
  ///   - children: what happens to members that are missing from nested lists.
  public mutating func list<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ path: String, as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    requireNonEmptyFullSlice: Bool = false, within condition: (any SQLExpressible & Sendable)? = nil,
    children: [SyncChildPolicy<Model>] = []
  ) {
    add(
      path, of: model, requiresRows: requireNonEmptyFullSlice, within: condition?.sqlExpression,
      children: children, parent: ParentScope(relationship, parent.syncIdentity))
  }

  /// Adds a list with the rows of one parent, with the given deletion policy.
  public mutating func list<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ path: String, as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    deletionPolicy: DeletionPolicy, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = []
  ) {
    add(
      path, of: model, policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice,
      within: condition?.sqlExpression, children: children,
      parent: ParentScope(relationship, parent.syncIdentity))
  }

  /// Adds a list with the rows of a union's models.
  ///
  /// - Parameters:
  ///   - path: where the list is in the body.
  ///   - union: the union of the rows.
  ///   - requireNonEmptyFullSlice: whether an empty list deletes nothing and is reported, instead of deleting all rows.
  public mutating func list<Union: SyncUnion>(
    _ path: String, as union: Union.Type, requireNonEmptyFullSlice: Bool = false
  ) {
    makers.append { call in
      try CallPart(of: Union.syncCases, policy: nil, requiresRows: requireNonEmptyFullSlice, call, at: path)
    }
  }

  /// Adds a list with the rows of a union's models, with the given deletion policy.
  public mutating func list<Union: SyncUnion>(
    _ path: String, as union: Union.Type, deletionPolicy: DeletionPolicy,
    requireNonEmptyFullSlice: Bool = false
  ) {
    makers.append { call in
      try CallPart(
        of: Union.syncCases, policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice, call, at: path)
    }
  }

  // MARK: Items and changes

  /// Adds one row.
  ///
  /// - Parameters:
  ///   - path: where the object is in the body.
  ///   - model: the model of the row.
  ///   - children: what happens to members that are missing from nested lists.
  public mutating func item<Model: SyncUpdatableModel>(
    _ path: String, as model: Model.Type, children: [SyncChildPolicy<Model>] = []
  ) {
    add(path, of: model, .item, children: children)
  }

  /// Adds one row of a parent.
  public mutating func item<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ path: String, as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    children: [SyncChildPolicy<Model>] = []
  ) {
    add(
      path, of: model, .item, children: children, parent: ParentScope(relationship, parent.syncIdentity))
  }

  /// Adds an object with lists of created, updated and deleted rows. Rows that are in none of these lists stay. A row that is
  /// listed as deleted stays if a later part of the body contains an object of it, in its list or nested.
  ///
  /// - Parameters:
  ///   - path: where the object with the lists is in the body.
  ///   - model: the model of the rows.
  ///   - keys: the keys of the lists.
  ///   - children: what happens to members that are missing from nested lists.
  public mutating func changes<Model: SyncUpdatableModel>(
    _ path: String, as model: Model.Type, keys: SyncChangeKeys = SyncChangeKeys(),
    children: [SyncChildPolicy<Model>] = []
  ) {
    add(path, of: model, .changes(keys), children: children)
  }

  /// Adds a server's changes to the rows of one parent.
  public mutating func changes<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ path: String, as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    keys: SyncChangeKeys = SyncChangeKeys(), children: [SyncChildPolicy<Model>] = []
  ) {
    add(
      path, of: model, .changes(keys), children: children,
      parent: ParentScope(relationship, parent.syncIdentity))
  }
}

extension CallPart {
  /// The rows of a union in a payload.
  ///
  /// - Parameter isItem: whether it is a single row.
  init(
    of cases: SyncUnionCases<any SyncUpdatableModel.Type>, isItem: Bool = false, policy: DeletionPolicy?,
    requiresRows: Bool, _ call: CallContext, at path: String?
  ) throws {
    let union = try RowUnion(cases, in: call.container.catalog, policy: policy)
    func arguments<Model: SyncUpdatableModel>(of model: Model.Type) throws -> CallArguments {
      try CallArguments(call, at: path, of: model, policy: policy, requiresRows: requiresRows)
    }
    // Those of the other models are only checked.
    guard let first = try cases.cases.map({ try arguments(of: $0.element) }).first else {
      throw SyncError.schemaValidation(reason: "\(cases.name) has no cases")
    }
    self.init(arguments: first, kind: .union(union, isItem: isItem))
  }
}

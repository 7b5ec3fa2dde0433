import GRDB

extension SyncContainer {
  /// Makes the stored rows of a model those of a list that comes in pages.
  ///
  /// Each page is synced as it comes, in a transaction of its own, and others may sync and write between two of them. Memory does
  /// not grow with the pages, but for eight bytes a row that was stored before. Rows that no page names are deleted
  /// when the last was read, by the policy. Nothing is deleted
  ///
  /// - where the pages, or what they are synced to, throw, or the task is cancelled: what was stored till then stays, and the
  ///   next call may go on behind it;
  /// - where the pages end before one that ``SyncPage/isLast``, or there is none at all;
  /// - where they begin at a cursor that is not the one which an earlier call left off at: then they are no whole list.
  ///
  /// Rows that came to be while the pages were read are no missing rows; one that was there before, was deleted by another and made
  /// again meanwhile is. Pages may come twice. Those with cursors come in their order, others in any.
  ///
  /// Servers that count offsets skip rows when others are deleted meanwhile. So that none of these is deleted here, `confirm` can
  /// ask for them once more, or more than one run in a row has to miss them, as `absences` says.
  ///
  /// ```swift
  /// let pages = SyncPages(startingAt: try await container.cursor(for: Task.self)) { cursor in
  ///   try await api.tasks(after: cursor)
  /// }
  /// let report = try await container.sync(pages: pages, at: "items", as: Task.self)
  /// ```
  ///
  /// - Parameters:
  ///   - pages: any sequence of pages. Of an `AsyncSequence` of data, `map` makes one: `bodies.map { SyncPage($0) }`.
  ///   - path: where the array is inside of each page; nil for the root.
  ///   - model: the model of the rows.
  ///   - cursor: the cursor that the first page begins at; that of ``SyncPages`` need not be said again. Nil for the start of
  ///     the list.
  ///   - name: which of the model's cursors is stored: a name for each list that is synced by itself.
  ///   - relationshipOperations: which relationship work is done.
  ///   - deletionPolicy: what happens to rows that no page names; nil for the model's default. With
  ///     ``DeletionPolicy/none`` the pages need not be the whole list, but what has changed.
  ///   - absences: how many runs in a row have to miss a row before it is deleted.
  ///   - confirm: is given the identities of the rows that would be deleted, and returns those that are gone.
  ///   - requireNonEmptyFullSlice: pages without any row delete nothing, and that is reported.
  ///   - children: what happens to the members that nested lists do not name. What is to be deleted is deleted at the end.
  /// - Returns: what all pages did together. A row that is in two pages counts in both.
  /// - Throws: what the pages throw, what `sync(payload:as:)` throws of a page, and what `confirm` throws.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, startingAt cursor: String? = nil,
    cursor name: String = "", relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy? = nil, absences: Int = 1,
    confirm: SyncConfirmation<Model>? = nil, requireNonEmptyFullSlice: Bool = false,
    children: [SyncChildPolicy<Model>] = []
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    let arguments = try CallArguments(
      self, at: path, of: model, isLines: false, operations: relationshipOperations, policy: deletionPolicy,
      requiresRows: requireNonEmptyFullSlice, children: children, parent: nil, progress: nil)
    return try await PageSync(
      arguments, of: model, name: name, start: (pages as? SyncPages)?.start ?? cursor, absences: absences,
      confirm
    ).run(pages)
  }

  /// Makes the rows of one parent those of a list that comes in pages, each linked to exactly that parent.
  ///
  /// - Parameters:
  ///   - pages: any sequence of pages.
  ///   - path: where the array is inside of each page; nil for the root.
  ///   - model: the model of the rows.
  ///   - parent: the identity of the parent.
  ///   - relationship: the to-one relationship to the parent, as `\.project`.
  ///   - cursor: the cursor that the first page begins at; nil for the start of the list.
  ///   - name: which of the model's cursors is stored: another name for each parent.
  ///   - relationshipOperations: which relationship work is done.
  ///   - deletionPolicy: what happens to the parent's rows that no page names; nil for the model's default.
  ///   - absences: how many runs in a row have to miss a row before it is deleted.
  ///   - confirm: is given the identities of the rows that would be deleted, and returns those that are gone.
  ///   - requireNonEmptyFullSlice: pages without any row delete nothing, and that is reported.
  ///   - children: what happens to the members that nested lists do not name.
  /// - Throws: what the other form throws.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, startingAt cursor: String? = nil, cursor name: String = "",
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    absences: Int = 1, confirm: SyncConfirmation<Model>? = nil, requireNonEmptyFullSlice: Bool = false,
    children: [SyncChildPolicy<Model>] = []
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    let arguments = try CallArguments(
      self, at: path, of: model, isLines: false, operations: relationshipOperations, policy: deletionPolicy,
      requiresRows: requireNonEmptyFullSlice, children: children,
      parent: ParentScope(relationship, parent.syncIdentity), progress: nil)
    return try await PageSync(
      arguments, of: model, name: name, start: (pages as? SyncPages)?.start ?? cursor, absences: absences,
      confirm
    ).run(pages)
  }

  // With an optional policy, `.none` would mean no policy, which is the model's default, and delete.

  /// Makes the stored rows of a model those of a list that comes in pages, with a deletion policy of the call's own.
  ///
  /// - Throws: what the other form throws.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, startingAt cursor: String? = nil,
    cursor name: String = "", relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy, absences: Int = 1, confirm: SyncConfirmation<Model>? = nil,
    requireNonEmptyFullSlice: Bool = false, children: [SyncChildPolicy<Model>] = []
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    try await sync(
      pages: pages, at: path, as: model, startingAt: cursor, cursor: name,
      relationshipOperations: relationshipOperations, deletionPolicy: Optional(deletionPolicy),
      absences: absences, confirm: confirm, requireNonEmptyFullSlice: requireNonEmptyFullSlice,
      children: children)
  }

  /// Makes the rows of one parent those of a list that comes in pages, with a deletion policy of the call's own.
  ///
  /// - Throws: what the other form throws.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, startingAt cursor: String? = nil, cursor name: String = "",
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    absences: Int = 1, confirm: SyncConfirmation<Model>? = nil, requireNonEmptyFullSlice: Bool = false,
    children: [SyncChildPolicy<Model>] = []
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    try await sync(
      pages: pages, at: path, as: model, parent: parent, relationship: relationship, startingAt: cursor,
      cursor: name, relationshipOperations: relationshipOperations,
      deletionPolicy: Optional(deletionPolicy),
      absences: absences, confirm: confirm, requireNonEmptyFullSlice: requireNonEmptyFullSlice,
      children: children)
  }
}

/// Asks which of the rows are gone that no page of a list has named: it is given their identities, in order, and returns those
/// that are to be deleted.
public typealias SyncConfirmation<Model: SyncModelable> =
  @Sendable (_ missing: [Model.SyncID]) async throws -> [Model.SyncID]

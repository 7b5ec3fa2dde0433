import GRDB

extension SyncContainer {
  /// Makes the stored rows of a model match a list that arrives in pages.
  ///
  /// Each page is synced in its own transaction as it arrives. Other syncs and writes may run between two pages. Memory does not
  /// grow with the number of pages, except for eight bytes per row that was stored before, and a few bytes per nested row that
  /// delete rules or lists could delete. Rows that are missing from all pages are deleted by the policy, after the last page.
  /// Nothing is deleted
  ///
  /// - if the pages or the sync of one of them throw, or the task is cancelled: the synced pages stay stored, and the next call
  ///   may resume after them;
  /// - if the pages end before one that ``SyncPage/isLast``, or there are no pages;
  /// - if they start at a cursor other than the one where an earlier call stopped, because then they are not the
  ///   whole list.
  ///
  /// Rows that were inserted while the pages were read are not deleted, except for rows that were stored before the run and
  /// that another writer deleted and inserted again. A page may arrive twice. Pages with cursors must arrive in order, others
  /// may arrive in any order.
  ///
  /// Servers with page numbers or offsets skip rows if other rows are deleted meanwhile. To keep the skipped rows, ask the server
  /// for them in `confirm`, or use `absences` to delete a row only after it was missing in several consecutive runs.
  ///
  /// ```swift
  /// let pages = SyncPages(startingAt: try await container.cursor(for: Task.self)) { cursor in
  ///   try await api.tasks(after: cursor)
  /// }
  /// let report = try await container.sync(pages: pages, at: "items", as: Task.self)
  /// ```
  ///
  /// - Parameters:
  ///   - pages: any sequence of pages. `map` makes one from an `AsyncSequence` of data: `bodies.map { SyncPage($0) }`.
  ///   - path: where the array is inside each page; nil for the root.
  ///   - model: the model of the rows.
  ///   - cursor: the cursor of the first page; nil for the start of the list. ``SyncPages`` has its own.
  ///   - name: the name under which the cursor is stored. Use a different name for each list of the model
  ///     that is synced separately.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - deletionPolicy: what happens to rows that are missing from all pages; nil for the model's default. With
  ///     ``DeletionPolicy/none`` the pages may contain only changed rows instead of the whole list.
  ///   - absences: the number of consecutive runs in which a row must be missing before it is deleted.
  ///   - confirm: receives the identities of the rows that would be deleted, and returns those to delete.
  ///   - requireNonEmptyFullSlice: whether nothing is deleted, and a problem is reported, if no page has a row.
  ///   - condition: only stored rows that meet it after the last page can be deleted for being on no page.
  ///   - children: what happens to members that are missing from nested lists. They are deleted after the last page.
  ///   - moment: ``SyncContainer/moment``, read before the first page was requested; nil if nothing was pushed meanwhile.
  /// - Returns: the combined report of all pages. A row that is in two pages is counted twice.
  /// - Throws: the errors of the pages and of `confirm`, and the errors of `sync(payload:as:)` for a page.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, startingAt cursor: String? = nil,
    cursor name: String = "", relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy? = nil, absences: Int = 1,
    confirm: SyncConfirmation<Model>? = nil, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    let call = CallContext(
      container: self, isLines: false, operations: relationshipOperations, requestedAt: moment)
    let arguments = try CallArguments(
      call, at: path, of: model, policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice,
      within: condition?.sqlExpression, children: children)
    return try await PageSync(arguments, of: model, name: name, start: cursor, absences: absences, confirm)
      .run(pages)
  }

  /// Makes the rows of one parent match a list that arrives in pages. Each row is linked to that parent.
  ///
  /// - Parameters:
  ///   - pages: any sequence of pages.
  ///   - path: where the array is inside each page; nil for the root.
  ///   - model: the model of the rows.
  ///   - parent: the identity of the parent.
  ///   - relationship: the to-one relationship to the parent, such as `\.project`.
  ///   - cursor: the cursor of the first page; nil for the start of the list.
  ///   - name: the name under which the cursor is stored. Use a different name for each parent.
  ///   - relationshipOperations: which changes of links and nested rows the sync may make.
  ///   - deletionPolicy: what happens to the parent's rows that are missing from all pages; nil for the model's default.
  ///   - absences: the number of consecutive runs in which a row must be missing before it is deleted.
  ///   - confirm: receives the identities of the rows that would be deleted, and returns those to delete.
  ///   - requireNonEmptyFullSlice: whether nothing is deleted, and a problem is reported, if no page has a row.
  ///   - condition: only stored rows that meet it after the last page can be deleted for being on no page.
  ///   - children: what happens to members that are missing from nested lists.
  ///   - moment: ``SyncContainer/moment``, read before the first page was requested; nil if nothing was pushed meanwhile.
  /// - Throws: the same errors as the other form.
  @discardableResult
  @_disfavoredOverload
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, startingAt cursor: String? = nil, cursor name: String = "",
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy? = nil,
    absences: Int = 1, confirm: SyncConfirmation<Model>? = nil, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    let call = CallContext(
      container: self, isLines: false, operations: relationshipOperations, requestedAt: moment)
    let arguments = try CallArguments(
      call, at: path, of: model, policy: deletionPolicy, requiresRows: requireNonEmptyFullSlice,
      within: condition?.sqlExpression, children: children,
      parent: ParentScope(relationship, parent.syncIdentity))
    return try await PageSync(arguments, of: model, name: name, start: cursor, absences: absences, confirm)
      .run(pages)
  }

  // As an argument for an optional parameter, `.none` would be nil: the model's default, which deletes.

  /// Makes the stored rows of a model match a list that arrives in pages, with the given deletion policy.
  ///
  /// - Throws: the same errors as the other form.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, startingAt cursor: String? = nil,
    cursor name: String = "", relationshipOperations: SyncRelationshipOperations = .all,
    deletionPolicy: DeletionPolicy, absences: Int = 1, confirm: SyncConfirmation<Model>? = nil,
    requireNonEmptyFullSlice: Bool = false, within condition: (any SQLExpressible & Sendable)? = nil,
    children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    try await sync(
      pages: pages, at: path, as: model, startingAt: cursor, cursor: name,
      relationshipOperations: relationshipOperations, deletionPolicy: Optional(deletionPolicy),
      absences: absences, confirm: confirm, requireNonEmptyFullSlice: requireNonEmptyFullSlice,
      within: condition, children: children, requestedAt: moment)
  }

  /// Makes the rows of one parent match a list that arrives in pages, with the given deletion policy.
  ///
  /// - Throws: the same errors as the other form.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Link: SyncParentLink, Pages: AsyncSequence>(
    pages: sending Pages, at path: String? = nil, as model: Model.Type, parent: Link.Parent.SyncID,
    relationship: KeyPath<Model, Link>, startingAt cursor: String? = nil, cursor name: String = "",
    relationshipOperations: SyncRelationshipOperations = .all, deletionPolicy: DeletionPolicy,
    absences: Int = 1, confirm: SyncConfirmation<Model>? = nil, requireNonEmptyFullSlice: Bool = false,
    within condition: (any SQLExpressible & Sendable)? = nil, children: [SyncChildPolicy<Model>] = [],
    requestedAt moment: SyncMoment? = nil
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    try await sync(
      pages: pages, at: path, as: model, parent: parent, relationship: relationship, startingAt: cursor,
      cursor: name, relationshipOperations: relationshipOperations,
      deletionPolicy: Optional(deletionPolicy),
      absences: absences, confirm: confirm, requireNonEmptyFullSlice: requireNonEmptyFullSlice,
      within: condition, children: children, requestedAt: moment)
  }
}

/// A closure that confirms deletions: it receives the identities of the rows that are missing from all pages, in order, and
/// returns those that no longer exist on the server.
public typealias SyncConfirmation<Model: SyncModelable> =
  @Sendable (_ missing: [Model.SyncID]) async throws -> [Model.SyncID]

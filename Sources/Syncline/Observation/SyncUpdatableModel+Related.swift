import GRDB

extension SyncUpdatableModel {
  /// Returns a condition for requests: whether a relationship links a row to the row with an identity. A to-one relationship
  /// must refer to that row; a to-many relationship must contain it.
  ///
  /// ```swift
  /// let tagged = try Task.filter(Task.related(\.tags, to: 7)).fetchAll(db)
  /// let ofProject = try Task.filter(Task.related(\.project, to: 1)).order(Task.Columns.title).fetchAll(db)
  /// ```
  ///
  /// - Parameters:
  ///   - relationship: the relationship's property.
  ///   - id: the identity of the row that it refers to.
  /// - Returns: a condition. It is always false if the key path is not a relationship of the model.
  public static func related<Link: SyncRelationshipLink>(
    _ relationship: KeyPath<Self, Link>, to id: Link.RelatedModel.SyncID
  ) -> SQLExpression {
    (try? RelatedRows(of: syncTable, Relationship(relationship, id.syncIdentity)))?.expression
      ?? false.sqlExpression
  }
}

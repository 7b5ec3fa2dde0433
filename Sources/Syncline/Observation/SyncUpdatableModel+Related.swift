import GRDB

extension SyncUpdatableModel {
  /// Returns the condition that a relationship refers to a row, for any request. For a to-one relationship, its target must be
  /// this row; for a to-many relationship, this row must be a member.
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

import GRDB

extension SyncUpdatableModel {
  /// The condition that a relationship leads to a row, for any request: of a to-one that it is this row, of a to-many
  /// that the row is among its members.
  ///
  /// ```swift
  /// let tagged = try Task.filter(Task.related(\.tags, to: 7)).fetchAll(db)
  /// let ofProject = try Task.filter(Task.related(\.project, to: 1)).order(Task.Columns.title).fetchAll(db)
  /// ```
  ///
  /// - Parameters:
  ///   - relationship: the relationship's property.
  ///   - id: the identity of the row that it leads to.
  /// - Returns: a condition that no row meets where the key path is not a relationship of the model.
  public static func related<Link: SyncRelationshipLink>(
    _ relationship: KeyPath<Self, Link>, to id: Link.RelatedModel.SyncID
  ) -> SQLExpression {
    (try? RelatedRows(of: syncTable, Relationship(relationship, id.syncIdentity)))?.expression
      ?? false.sqlExpression
  }
}

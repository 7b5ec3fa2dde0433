import GRDB

/// A relationship's property: a ``Reference``, an optional of it, or the request for the rows of a to-many.
public protocol SyncRelationshipLink {
  /// The model that the relationship leads to.
  associatedtype RelatedModel: SyncModelable
}

extension Reference: SyncRelationshipLink {
  /// The model that the reference leads to.
  public typealias RelatedModel = Model
}

extension Optional: SyncRelationshipLink where Wrapped: SyncRelationshipLink {
  /// The model that the relationship leads to, where there is a row.
  public typealias RelatedModel = Wrapped.RelatedModel
}

extension QueryInterfaceRequest: SyncRelationshipLink where RowDecoder: SyncModelable {
  /// The model of the rows.
  public typealias RelatedModel = RowDecoder
}

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
  /// - Returns: a condition that no row meets where the key path is no relationship of the model.
  public static func related<Link: SyncRelationshipLink>(
    _ relationship: KeyPath<Self, Link>, to id: Link.RelatedModel.SyncID
  ) -> SQLExpression {
    (try? RelatedRows(of: syncTable, Relationship(relationship, id.syncIdentity)))?.expression
      ?? false.sqlExpression
  }
}

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

/// A to-one relationship's property: a ``Reference`` or an optional of it.
public protocol SyncParentLink: SyncRelationshipLink, Sendable where RelatedModel: SyncUpdatableModel {
  /// The model whose rows are parents.
  typealias Parent = RelatedModel
}

extension Reference: SyncParentLink where Model: SyncUpdatableModel {}

extension Optional: SyncParentLink where Wrapped: SyncParentLink {}

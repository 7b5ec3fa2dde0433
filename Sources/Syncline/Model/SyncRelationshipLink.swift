import GRDB

/// The property of a relationship: a ``Reference``, an optional one, or the request for the rows of a to-many
/// relationship.
public protocol SyncRelationshipLink {
  /// The related model.
  associatedtype RelatedModel: SyncModelable
}

extension Reference: SyncRelationshipLink {
  /// The related model.
  public typealias RelatedModel = Model
}

extension Optional: SyncRelationshipLink where Wrapped: SyncRelationshipLink {
  /// The related model, if there is a row.
  public typealias RelatedModel = Wrapped.RelatedModel
}

extension QueryInterfaceRequest: SyncRelationshipLink where RowDecoder: SyncModelable {
  /// The model of the rows.
  public typealias RelatedModel = RowDecoder
}

/// The property of a to-one relationship: a ``Reference`` or an optional one.
public protocol SyncParentLink: SyncRelationshipLink, Sendable where RelatedModel: SyncUpdatableModel {
  /// The model whose rows are parents.
  typealias Parent = RelatedModel
}

extension Reference: SyncParentLink where Model: SyncUpdatableModel {}

extension Optional: SyncParentLink where Wrapped: SyncParentLink {}

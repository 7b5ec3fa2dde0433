/// Where a relationship is stored, and its inverse.
package struct Relationship: Sendable {
  package enum Storage: Sendable, Hashable {
    /// In a column of the model itself.
    case column(isUnique: Bool)
    /// In the to-one of the other model.
    case inverse(String)
    case link(table: String, isSource: Bool)
  }

  package enum DeleteRule: String, Sendable, CaseIterable {
    case nullify, cascade, deny
  }

  /// What a complete list does to rows that it no longer contains.
  package enum MissingRule: String, Sendable, CaseIterable {
    case delete, softDelete, keep
  }

  /// What a key does whose row is not stored.
  package enum UnknownRule: String, Sendable, CaseIterable {
    case create
  }

  package var storage: Storage
  /// The property at the other end.
  package var inverse: String?
  package var hasExplicitInverse = false
  package var deleteRule: DeleteRule?
  package var missing: MissingRule?
  /// Whether the related rows are lists in JSON.
  package var isOfLists = false
  /// Whether its other end is unknown, so that rules skip it.
  package var isIncomplete = false
}

/// The content of a property's `@Relationship`.
package struct RelationshipClause: Sendable {
  package enum Inverse: Sendable {
    /// `inverse: nil`
    case nothing
    /// `inverse: \Tag.tasks`, or `\.tasks` without a root.
    case property(root: Located<String>?, name: Located<String>)
  }

  /// A property of the related model: `\Country.code`, or `\.code` without a root.
  package struct Path: Sendable {
    package let root: Located<String>?
    package let name: Located<String>
  }

  /// The range of the attribute.
  package let range: SourceRange
  /// The label and the start of its first argument.
  package var firstArgument: Located<String>?
  package var inverse: Located<Inverse>?
  package var deleteRule: Located<Relationship.DeleteRule>?
  package var missing: Located<Relationship.MissingRule>?
  package var unknown: Located<Relationship.UnknownRule>?
  /// The property by which keys are looked up: `by:`.
  package var lookup: Located<Path>?
  /// Whether its arguments are valid.
  package var isRight = true
}

/// Where a relationship is stored, and what stands at its other end.
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

  /// What a complete list does to the rows that it no longer has.
  package enum MissingRule: String, Sendable, CaseIterable {
    case delete, softDelete, keep
  }

  package var storage: Storage
  /// The property at the other end.
  package var inverse: String?
  package var hasExplicitInverse = false
  package var deleteRule: DeleteRule?
  package var missing: MissingRule?
  /// Whether its other end is not known: nothing more is said of it.
  package var isIncomplete = false
}

/// What `@Relationship` says of a property.
package struct RelationshipClause: Sendable {
  package enum Inverse: Sendable {
    /// `inverse: nil`
    case nothing
    /// `inverse: \Tag.tasks`, or `\.tasks` without a root.
    case property(root: Located<String>?, name: Located<String>)
  }

  /// Where the attribute stands.
  package let range: SourceRange
  /// Where its first argument begins, and what that is called.
  package var firstArgument: Located<String>?
  package var inverse: Located<Inverse>?
  package var deleteRule: Located<Relationship.DeleteRule>?
  package var missing: Located<Relationship.MissingRule>?
  /// Whether its arguments are right.
  package var isRight = true
}

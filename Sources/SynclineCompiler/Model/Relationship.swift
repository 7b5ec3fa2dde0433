/// Where a relationship is stored, and what stands at its other end.
struct Relationship: Sendable {
  enum Storage: Sendable, Hashable {
    /// In a column of the model itself.
    case column(isUnique: Bool)
    /// In the to-one of the other model.
    case inverse(String)
    case link(table: String, isSource: Bool)
  }

  enum DeleteRule: String, Sendable, CaseIterable {
    case nullify, cascade, deny
  }

  /// What a complete list does to the rows that it no longer has.
  enum MissingRule: String, Sendable, CaseIterable {
    case delete, softDelete, keep
  }

  var storage: Storage
  /// The property at the other end.
  var inverse: String?
  var hasExplicitInverse = false
  var deleteRule: DeleteRule?
  var missing: MissingRule?
  /// Whether its other end is not known: nothing more is said of it.
  var isIncomplete = false
}

/// What `@Relationship` says of a property.
struct RelationshipClause: Sendable {
  enum Inverse: Sendable {
    /// `inverse: nil`
    case nothing
    /// `inverse: \Tag.tasks`, or `\.tasks` without a root.
    case property(root: Located<String>?, name: Located<String>)
  }

  /// Where the attribute stands.
  let range: SourceRange
  /// Where its first argument begins, and what that is called.
  var firstArgument: Located<String>?
  var inverse: Located<Inverse>?
  var deleteRule: Located<Relationship.DeleteRule>?
  var missing: Located<Relationship.MissingRule>?
  /// Whether its arguments are right.
  var isRight = true
}

/// The storage of a relationship, and its inverse. It is a class because rules read it for all properties, and copying its fields
/// is slow.
package final class Relationship: Sendable {
  package enum Storage: Sendable, Hashable {
    /// In a column of the model's own table.
    case column(isUnique: Bool)
    /// In the column of the to-one at the other end.
    case inverse(String)
    case link(table: String, isSource: Bool)
  }

  package enum DeleteRule: String, Sendable, CaseIterable {
    case nullify, cascade, deny
  }

  /// What happens to the rows that a complete list no longer contains.
  package enum MissingRule: String, Sendable, CaseIterable {
    case delete, softDelete, keep
  }

  /// What happens if a key refers to a row that is not stored.
  package enum UnknownRule: String, Sendable, CaseIterable {
    case create
  }

  package let storage: Storage
  /// The property at the other end.
  package let inverse: String?
  package let hasExplicitInverse: Bool
  package let deleteRule: DeleteRule?
  package let missing: MissingRule?
  /// Whether the related rows are arrays in JSON.
  package let isOfLists: Bool
  /// Whether its other end is unknown, so that rules skip it.
  package let isIncomplete: Bool

  init(
    storage: Storage, inverse: String?, hasExplicitInverse: Bool, deleteRule: DeleteRule?,
    missing: MissingRule?, isOfLists: Bool, isIncomplete: Bool
  ) {
    self.storage = storage
    self.inverse = inverse
    self.hasExplicitInverse = hasExplicitInverse
    self.deleteRule = deleteRule
    self.missing = missing
    self.isOfLists = isOfLists
    self.isIncomplete = isIncomplete
  }
}

/// The content of a property's `@Relationship`. It is a class for the same reason.
package final class RelationshipClause: Sendable {
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

  package let range: SourceRange
  /// The label and the start of its first argument.
  package let firstArgument: Located<String>?
  package let inverse: Located<Inverse>?
  package let deleteRule: Located<Relationship.DeleteRule>?
  package let missing: Located<Relationship.MissingRule>?
  package let unknown: Located<Relationship.UnknownRule>?
  /// The property by which keys are looked up: `by:`.
  package let lookup: Located<Path>?

  init(
    range: SourceRange, firstArgument: Located<String>?, inverse: Located<Inverse>?,
    deleteRule: Located<Relationship.DeleteRule>?, missing: Located<Relationship.MissingRule>?,
    unknown: Located<Relationship.UnknownRule>?, lookup: Located<Path>?
  ) {
    self.range = range
    self.firstArgument = firstArgument
    self.inverse = inverse
    self.deleteRule = deleteRule
    self.missing = missing
    self.unknown = unknown
    self.lookup = lookup
  }

  /// The same clause without an inverse.
  var withoutInverse: RelationshipClause {
    RelationshipClause(
      range: range, firstArgument: firstArgument, inverse: nil, deleteRule: deleteRule, missing: missing,
      unknown: unknown, lookup: lookup)
  }
}

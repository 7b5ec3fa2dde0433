/// The possible effect of a change on the rows of a store.
public enum SyncSchemaRisk: String, Hashable, Sendable, Codable {
  /// All rows keep their values.
  case none
  /// Values or rows are dropped.
  case drops
  /// Opening the store fails if rows do not fit the new schema, unless the app's own migration step changes them.
  case mayBeRefused
}

extension SchemaDifference {
  /// The changes, each with its risk.
  package var risks: [(change: SyncSchemaChange, risk: SyncSchemaRisk)] { changes.map { ($0, risk(of: $0)) } }

  private func risk(of change: SyncSchemaChange) -> SyncSchemaRisk {
    let property = change.property.flatMap { new.model(change.model)?.property($0) }
    switch change.kind {
    case .modelDropped, .propertyDropped: return .drops
    case .propertyAdded, .becameRequired:
      guard let property, property.isStored, !property.isOptional, !property.hasDefault else { return .none }
      return .mayBeRefused
    case .typeChanged:
      guard let property, let end = match.former(property.name, of: change.model),
        let former = old.model(end.model)?.property(end.property)
      else { return .none }
      return risk(of: former, becoming: property)
    // Edits that are not pushed yet would be lost.
    case .identityChanged, .offlineDropped: return .mayBeRefused
    // Existing rows may have equal values.
    case .uniqueAdded: return .mayBeRefused
    // Identities that were distinguished only by their parents may now be equal.
    case .parentScopeChanged: return change.from == nil ? .none : .mayBeRefused
    case .relationshipMoved:
      guard let property else { return .none }
      switch property.kind {
      // Some rows may have no link.
      case .toOne: return property.isOptional ? .none : .mayBeRefused
      // A relationship with links of its own became the other end of another one.
      case .inverse, .links(_, _, isSource: false): return .mayBeRefused
      case .links, .value: return .none
      }
    case .modelAdded, .modelRenamed, .propertyRenamed, .endDropped, .becameOptional, .indexAdded,
      .indexDropped, .uniqueDropped, .offlineAdded:
      return .none
    }
  }

  private func risk(of former: SchemaProperty, becoming property: SchemaProperty) -> SyncSchemaRisk {
    switch (former.kind, property.kind) {
    case (.value(let from), .value(let to)): return from.isAlwaysKept(as: to) ? .none : .mayBeRefused
    // A value that is not the identity of a row becomes a pending link. Other keys than identities are not kept.
    case (.value(let from), .toOne(let target, let isUnique)):
      let isKept = property.isOptional && !isUnique && from.isAlwaysKept(as: new.identityType(of: target))
      return isKept && !property.words.contains { $0.hasPrefix("by: ") } ? .none : .mayBeRefused
    case (.toOne(let target, _), .value(let to)):
      return old.identityType(of: target).isAlwaysKept(as: to) ? .none : .mayBeRefused
    // A to-many relationship has no column to convert from or to.
    case (.value, _), (.links, .value): return .mayBeRefused
    case (.inverse, .value):
      return property.isOptional || property.hasDefault ? .none : .mayBeRefused
    default:
      guard match.hasSameTarget(former, property) else { return .mayBeRefused }
      return former.isToMany && !property.isToMany ? .mayBeRefused : .none
    }
  }
}

extension SyncStoredType {
  /// Whether every value of the type can be converted to the other type without loss.
  fileprivate func isAlwaysKept(as other: SyncStoredType) -> Bool {
    if isKept(as: other) || other == SyncStoredType(.json) { return true }
    guard isList == other.isList, shape == nil, other.shape == nil else { return false }
    if isList { return SyncStoredType(scalar).isAlwaysKept(as: SyncStoredType(other.scalar)) }
    switch other.scalar {
    case .string: return scalar != .json
    // A `Double` cannot represent all large integers.
    case .double:
      guard let integers else { return scalar == .float }
      return integers.upperBound <= 1 << 53 && integers.lowerBound >= -(1 << 53)
    case .decimal: return integers != nil
    default: return false
    }
  }
}

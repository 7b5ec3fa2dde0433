/// What a change may do to the rows of a store.
public enum SyncSchemaRisk: String, Hashable, Sendable, Codable {
  /// All rows keep what they have.
  case none
  /// Values or rows are dropped.
  case drops
  /// The store is refused where rows do not fit, unless a step of the user's makes them.
  case mayBeRefused
}

extension SchemaDifference {
  /// The changes, each with what it may do to rows.
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
    case .identityChanged: return .mayBeRefused
    // Identities that differed by their parents may be the same.
    case .parentScopeChanged: return change.from == nil ? .none : .mayBeRefused
    case .modelAdded, .modelRenamed, .propertyRenamed, .endDropped, .becameOptional, .relationshipMoved,
      .indexAdded,
      .indexDropped:
      return .none
    }
  }

  private func risk(
    of former: SyncSchemaSnapshot.Property, becoming property: SyncSchemaSnapshot.Property
  ) -> SyncSchemaRisk {
    switch (former.kind, property.kind) {
    case (.value(let from), .value(let to)): return from.isAlwaysKept(as: to) ? .none : .mayBeRefused
    // What names no row waits for it.
    case (.value, .toOne): return property.isOptional ? .none : .mayBeRefused
    case (.toOne, .value): return .none
    // What a list of rows was, or is to be, is in no column.
    case (.value, _), (.links, .value): return .mayBeRefused
    case (.inverse, .value):
      return property.isOptional || property.hasDefault ? .none : .mayBeRefused
    default:
      guard match.leadsAlike(former, property) else { return .mayBeRefused }
      return former.isToMany && !property.isToMany ? .mayBeRefused : .none
    }
  }
}

extension SyncStoredType {
  /// Whether each value of the type is one of another, stored alike or not.
  fileprivate func isAlwaysKept(as other: SyncStoredType) -> Bool {
    if isKept(as: other) || other == SyncStoredType(.json) { return true }
    guard isList == other.isList, shape == nil, other.shape == nil else { return false }
    if isList { return SyncStoredType(scalar).isAlwaysKept(as: SyncStoredType(other.scalar)) }
    switch other.scalar {
    case .string: return scalar != .json
    // What has more digits than a fraction of 64 bits may not fit.
    case .double:
      guard let integers else { return scalar == .float }
      return integers.upperBound <= 1 << 53 && integers.lowerBound >= -(1 << 53)
    case .decimal: return integers != nil
    default: return false
    }
  }
}

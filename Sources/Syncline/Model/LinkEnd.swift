/// One end of a relationship: a property of a model that refers to rows of another.
///
/// A container's catalog creates each end once, so ends are compared by identity.
final class LinkEnd: @unchecked Sendable {
  enum Storage {
    /// In the end's own column.
    case column
    /// In a column of the related rows, which is the inverse.
    case inverse
    case table(SyncLinkTable)
  }

  /// The model of the property, and the model of the related rows.
  let owner, target: ModelNumber
  let table, targetTable: SyncTable
  let position: Int
  let storage: Storage
  let isToMany, isOptional, isUnique: Bool
  /// Whether keys are read as they are: they have no patterns, and none of them means null.
  let hasPlainKeys: Bool
  /// The position of the related model's property by which keys are looked up; nil if keys are identities.
  let lookup: Int?
  /// The delete rule: what happens to the related rows if a row of the owner is deleted.
  let deleteRule: SyncProperty.DeleteRule?
  /// What happens to the rows that have this column if the row is deleted to which they refer.
  var ownerRule: SyncProperty.DeleteRule { inverse?.deleteRule ?? (isOptional ? .nullify : .cascade) }
  /// The rule that the schema states with `missing:`; nil if it states none.
  private let statedMissing: SyncProperty.MissingRule?
  /// The relationship at the other end; nil if there is none. It is set before the end is used, and lives as long as the
  /// catalog.
  unowned(unsafe) fileprivate(set) var inverse: LinkEnd?

  fileprivate init(
    _ property: SyncProperty, of table: SyncTable, at position: Int, owner: ModelNumber,
    target: (number: ModelNumber, table: SyncTable)
  ) {
    self.owner = owner
    self.target = target.number
    self.table = table
    targetTable = target.table
    self.position = position
    isToMany = property.isToMany
    // A row without its parent could not be identified by any call. So it is deleted with the parent, as if the relationship
    // were required.
    isOptional = property.isOptional && table.parentScope != position
    isUnique = property.isUnique
    lookup = property.lookup.flatMap(target.table.position(of:))
    hasPlainKeys =
      property.keyPatterns.isEmpty && lookup == nil && target.table.identityReader.isPlain
    deleteRule = property.deleteRule
    statedMissing = property.missing
    storage =
      switch property.kind {
      case .link(let link): .table(link)
      case .inverse: .inverse
      case .scalar, .toOne: .column
      }
  }

  var property: SyncProperty { table.properties[position] }

  /// The key of a related row in a value of a payload.
  func key(in value: SyncValue, isLoose: Bool) -> SyncIdentity? {
    targetTable.identityReader.key(in: value, own: property.keyPatterns, isLoose: isLoose)
  }
  var name: String { property.name }
  /// The position of the property, as a key for payloads.
  var key: SyncKey { SyncKey(position) }

  /// The target under which pending links by looked-up keys are stored; nil if keys are identities.
  var pendingTarget: String? {
    lookup.map { LinkEnd.pendingTarget(targetTable.properties[$0].name, of: targetTable.name) }
  }

  /// The target of pending links that are stored with values of a property. No model has such a name.
  static func pendingTarget(_ property: String, of model: String) -> String { "\(model).\(property)" }

  /// The column of the related rows that stores the links; nil if they are stored elsewhere.
  var memberColumn: LinkEnd? {
    if case .inverse = storage { inverse } else { nil }
  }

  /// The relationship by which rows that are nested under this one link back.
  var back: LinkEnd? { memberColumn ?? (isUnique ? inverse : nil) }

  /// Whether a row of the owner is part of the identities of the related rows.
  var identifiesTargets: Bool {
    memberColumn.map { targetTable.identityParts.contains($0.position) } ?? false
  }

  /// Whether reading the relationship may delete rows, or reference them by other values than their identities.
  var isFarReaching: Bool { lookup != nil || missing ?? .keep != .keep }

  /// The rule for rows that a complete list, or a to-one that is null, no longer contains.
  var missing: SyncProperty.MissingRule? {
    if let statedMissing { return statedMissing }
    // A row that is unique within its parent cannot move to another parent.
    guard let column = memberColumn, targetTable.parentScope == column.position else { return nil }
    return targetTable.softDelete == nil ? .delete : .softDelete
  }

  /// What happens to a row that the payload leaves out here; nil if the schema does not specify it.
  var missingPolicy: DeletionPolicy? {
    switch missing {
    case .keep?: DeletionPolicy.none
    case .delete?: .hardDeleteMissing
    case .softDelete?: .softDeleteMissing
    case nil: nil
    }
  }

  var linkTable: SyncLinkTable? {
    if case .table(let table) = storage { table } else { nil }
  }

  var isColumn: Bool {
    if case .column = storage { true } else { false }
  }

  /// Whether an end of the related model is the inverse of this one.
  private func isInverse(_ other: LinkEnd) -> Bool {
    guard other.target == owner else { return false }
    switch (property.kind, other.property.kind) {
    case (.toOne, .inverse(let column, _)): return column == name
    case (.inverse(let column, _), .toOne): return column == other.name
    case (.link(let link), .link(let far)): return link.reversed == far
    default: return false
    }
  }

  /// The ends of all relationships, by model and position, each with its inverse.
  static func all(of tables: [SyncTable], number: (any SyncUpdatableModel.Type) -> ModelNumber?)
    -> [[LinkEnd?]]
  {
    let ends = tables.enumerated().map { owner, table in
      table.properties.enumerated().map { position, property -> LinkEnd? in
        guard let target = property.related.flatMap(number) else { return nil }
        return LinkEnd(
          property, of: table, at: position, owner: owner, target: (target, tables[target]))
      }
    }
    for case let end? in ends.joined() {
      end.inverse = ends[end.target].lazy.compactMap(\.self).first(where: end.isInverse)
    }
    return ends
  }
}

/// The number of a model in its catalog.
typealias ModelNumber = Int

extension LinkEnd: Hashable {
  static func == (left: LinkEnd, right: LinkEnd) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LinkEnd: Comparable {
  /// Sorts by model in the catalog, then by property in the model.
  static func < (left: LinkEnd, right: LinkEnd) -> Bool {
    (left.owner, left.position) < (right.owner, right.position)
  }
}

/// One relationship of one row.
struct LinkPlace: Hashable {
  let end: LinkEnd
  let owner: RowKey

  /// The row with the relationship.
  var row: LinkedRow { LinkedRow(end.owner, owner) }
}

/// A link between two rows, seen from one end.
struct Link: Hashable {
  let place: LinkPlace
  let member: SyncIdentity
}

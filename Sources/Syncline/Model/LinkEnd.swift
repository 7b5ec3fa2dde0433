/// One end of a relationship: the property of a model that leads to rows of another.
///
/// A container's catalog makes each one once, so two are the same if they are identical.
final class LinkEnd: @unchecked Sendable {
  /// Where the links are stored.
  enum Storage {
    /// In the end's own column.
    case column
    /// In a column of the rows that it leads to, which is the inverse.
    case inverse
    case table(SyncLinkTable)
  }

  /// The model whose property it is, and the model of the rows that it leads to.
  let owner, target: ModelNumber
  let table, targetTable: SyncTable
  /// The position of the property in its table.
  let position: Int
  let storage: Storage
  let isToMany, isOptional, isUnique: Bool
  /// Whether its keys may be parts of longer texts.
  let hasKeyPatterns: Bool
  /// What deleting a row of the owner does to the rows that it leads to.
  let deleteRule: SyncProperty.DeleteRule?
  /// What a complete list does to the rows that it no longer has.
  let missing: SyncProperty.MissingRule?
  /// The relationship at the other end; nil where nothing points back. It is set before the end is handed out, and lives
  /// as long as the catalog does.
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
    // Without its parent no call could name the row: it goes with it, as though the parent were required.
    isOptional = property.isOptional && table.parentScope != position
    isUnique = property.isUnique
    hasKeyPatterns = !property.keyPatterns.isEmpty || !target.table.identityReader.patterns.isEmpty
    deleteRule = property.deleteRule
    missing = property.missing
    storage =
      switch property.kind {
      case .link(let link): .table(link)
      case .inverse: .inverse
      case .scalar, .toOne: .column
      }
  }

  var property: SyncProperty { table.properties[position] }

  /// The key that a value of a payload is.
  func key(in value: SyncValue, isLoose: Bool) -> SyncIdentity? {
    targetTable.identityReader.key(in: value, own: property.keyPatterns, isLoose: isLoose)
  }
  var name: String { property.name }

  /// The column of the rows at the other end that holds the links; nil where these are stored elsewhere.
  var memberColumn: LinkEnd? {
    if case .inverse = storage { inverse } else { nil }
  }

  var linkTable: SyncLinkTable? {
    if case .table(let table) = storage { table } else { nil }
  }

  var isColumn: Bool {
    if case .column = storage { true } else { false }
  }

  /// Whether another end of the related model is the other end of this one's relationship.
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
  /// The order of the models in their catalog, and of the properties in their model.
  static func < (left: LinkEnd, right: LinkEnd) -> Bool {
    (left.owner, left.position) < (right.owner, right.position)
  }
}

/// One relationship of one row.
struct LinkPlace: Hashable {
  let end: LinkEnd
  let owner: RowKey
}

/// A link between two rows as one relationship sees it.
struct Link: Hashable {
  let place: LinkPlace
  let member: SyncIdentity
}

extension LinkEnd {
  /// The position of the property, as payloads are asked for it.
  var key: SyncKey { SyncKey(position) }
}

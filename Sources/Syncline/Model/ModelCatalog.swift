/// The models of a container and how they point at each other.
final class ModelCatalog: Sendable {
  struct Entry: Sendable {
    let model: any SyncUpdatableModel.Type
    let table: SyncTable
    /// The columns of other models that hold identities of this one.
    let references: [IncomingReference]
    /// The link tables that hold identities of this one, and in which column.
    let links: [LinkTable]
  }

  /// A column of another model that holds identities of this one.
  struct IncomingReference: Sendable {
    let owner: SyncTable
    let position: Int
    /// What deleting a row of this model does to the rows that point at it.
    let rule: SyncProperty.DeleteRule
  }

  private let entries: [ObjectIdentifier: Entry]
  let tables: [SyncTable]

  init(_ models: [any SyncUpdatableModel.Type]) throws {
    var known: [ObjectIdentifier: (any SyncUpdatableModel.Type, SyncTable)] = [:]
    var order: [ObjectIdentifier] = []
    for model in models {
      let id = ObjectIdentifier(model)
      guard known[id] == nil else { continue }
      known[id] = (model, model.syncTable)
      order.append(id)
    }
    let tables = order.compactMap { known[$0]?.1 }
    self.tables = tables
    let names = Dictionary(grouping: tables) { $0.name.lowercased() }
    if let (_, clash) = names.first(where: { $0.value.count > 1 }), let table = clash.first {
      throw SyncError.schemaValidation(reason: "two models are stored in the table “\(table.name)”")
    }
    for table in tables {
      for property in table.properties {
        guard let related = property.related else { continue }
        guard known[ObjectIdentifier(related)] != nil else {
          throw SyncError.schemaValidation(
            reason: "“\(table.name).\(property.name)” relates to \(related), which the container is not for")
        }
      }
    }
    var entries: [ObjectIdentifier: Entry] = [:]
    for id in order {
      guard let (model, table) = known[id] else { continue }
      var references: [IncomingReference] = []
      var links: [LinkTable] = []
      for other in tables {
        for (position, property) in other.properties.enumerated() {
          if case .link(let link) = property.kind {
            if other === table,
              !links.contains(where: { $0.name == link.name && $0.isSource == link.isSource })
            {
              links.append(link)
            }
            let far = LinkTable(SyncLinkTable(name: link.name, isSource: !link.isSource))
            if let related = property.related, ObjectIdentifier(related) == id,
              !links.contains(where: { $0.name == far.name && $0.isSource == far.isSource })
            {
              links.append(far)
            }
          }
          guard case .toOne(let isOptional) = property.kind, let related = property.related,
            ObjectIdentifier(related) == id
          else { continue }
          let inverse = table.properties.first { candidate in
            guard case .inverse(let column, _) = candidate.kind, column == property.name,
              let source = candidate.related
            else { return false }
            return source.syncTable === other
          }
          references.append(
            IncomingReference(
              owner: other, position: position,
              rule: inverse?.deleteRule ?? (isOptional ? .nullify : .cascade)))
        }
      }
      entries[id] = Entry(model: model, table: table, references: references, links: links)
    }
    self.entries = entries
  }

  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a model that the container is not for.
  func entry(for model: any SyncUpdatableModel.Type) throws -> Entry {
    guard let entry = entries[ObjectIdentifier(model)] else {
      throw SyncError.schemaValidation(reason: "the container is not for the model \(model)")
    }
    return entry
  }

  func entry(for table: SyncTable) throws -> Entry {
    guard let entry = entries.values.first(where: { $0.table === table }) else {
      throw SyncError.schemaValidation(reason: "the container is not for the model \(table.name)")
    }
    return entry
  }
}

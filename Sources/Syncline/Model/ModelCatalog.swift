import SynclineNaming

/// The models of a container, and the references between them.
final class ModelCatalog: Sendable {
  struct Entry: Sendable {
    let number: ModelNumber
    let model: any SyncUpdatableModel.Type
    let table: SyncTable
    /// The relationships, by the positions of their properties; nil for scalars.
    let ends: [LinkEnd?]
    /// The columns of other models that hold identities of this one.
    let references: [LinkEnd]
    /// The join tables that hold identities of this one.
    let links: [Links]

    /// Whether rows of some of the models may be nested in rows of this one.
    func nests(_ models: Set<ModelNumber>) -> Bool {
      ends.contains { $0.map { models.contains($0.target) } ?? false }
    }
  }

  /// A join table, seen from one of its models.
  struct Links: Sendable {
    let table: SyncLinkTable
    /// The relationship under which its links are counted: the model's own or, if it has none, the one that refers to it.
    let end: LinkEnd
    let isOwn: Bool

    /// The relationship of the rows at the other end.
    var far: LinkEnd? { isOwn ? end.inverse : end }
    /// The model of the rows at the other end.
    var other: ModelNumber { isOwn ? end.target : end.owner }
  }

  /// A column by whose values keys are looked up.
  struct Lookup: Hashable, Sendable {
    let model: ModelNumber
    let position: Int
  }

  let entries: [Entry]
  let lookups: [Lookup]
  /// The models whose payloads may mark rows as deleted, of their own or nested ones: `@Deleted`.
  let deletingModels: Set<ModelNumber>
  /// The models whose items may change rows whose identities they do not contain. Their own or nested relationships delete rows, or
  /// reference rows by other values.
  let farReachingModels: Set<ModelNumber>
  /// The models whose local edits are kept.
  let offlineModels: [OfflineModel]
  /// Whether the identities of any model have values that mean null.
  let hasNullIdentities: Bool
  /// The numbers of the models, by their types and by their tables.
  private let numbers: [ObjectIdentifier: ModelNumber]

  var tables: [SyncTable] { entries.map(\.table) }

  /// The table with a name; nil if the model no longer exists.
  func table(named name: String) -> SyncTable? { entries.first { $0.table.name == name }?.table }

  /// - Throws: ``SyncError/schemaValidation(reason:)`` when a relationship refers to a model that is not included, or two
  ///   models have the same table.
  init(_ all: [any SyncUpdatableModel.Type]) throws {
    var numbers: [ObjectIdentifier: ModelNumber] = [:]
    var models: [any SyncUpdatableModel.Type] = []
    for model in all where numbers[ObjectIdentifier(model)] == nil {
      numbers[ObjectIdentifier(model)] = models.count
      models.append(model)
    }
    let tables = models.map { $0.syncTable }
    hasNullIdentities = tables.contains(where: \.hasNullIdentities)
    try ModelCatalog.check(tables) { numbers[ObjectIdentifier($0)] != nil }
    let ends = LinkEnd.all(of: tables) { numbers[ObjectIdentifier($0)] }
    let leading = Dictionary(grouping: ends.joined().compactMap(\.self), by: \.target)
    entries = models.enumerated().map { number, model in
      let own = ends[number]
      let others = leading[number] ?? []
      return Entry(
        number: number, model: model, table: tables[number], ends: own,
        references: others.filter(\.isColumn), links: ModelCatalog.links(own, others))
    }
    var known: Set<Lookup> = []
    lookups = ends.joined().compactMap { end in
      guard let end, let position = end.lookup,
        case let lookup = Lookup(model: end.target, position: position), known.insert(lookup).inserted
      else { return nil }
      return lookup
    }
    offlineModels = OfflineModel.all(of: entries)
    let marking = entries.lazy.filter { !$0.table.deletionMarks.isEmpty }.map(\.number)
    deletingModels = entries.models(nesting: Set(marking))
    let reaching = entries.lazy.filter { $0.ends.contains { $0?.isFarReaching ?? false } }.map(\.number)
    farReachingModels = deletingModels.union(entries.models(nesting: Set(reaching)))
    for (number, table) in tables.enumerated() { numbers[ObjectIdentifier(table)] = number }
    self.numbers = numbers
  }

  private static func check(
    _ tables: [SyncTable], isKnown: (any SyncUpdatableModel.Type) -> Bool
  ) throws {
    let names = Dictionary(grouping: tables) { $0.name.lowercased() }
    if let (_, clash) = names.first(where: { $0.value.count > 1 }), let table = clash.first {
      throw SyncError.schemaValidation(reason: "two models are stored in the table “\(table.name)”")
    }
    for table in tables {
      guard !TableNames.isFunction(table.name) else {
        throw SyncError.schemaValidation(
          reason: "a table “\(table.name)” would shadow SQLite's function of that name")
      }
      for property in table.properties {
        guard let related = property.related, !isKnown(related) else { continue }
        throw SyncError.schemaValidation(
          reason:
            "“\(table.name).\(property.name)” refers to \(related), which is not among the container's models"
        )
      }
    }
  }

  /// The join tables of a model, by its own relationships, and by the others that refer to it.
  private static func links(_ own: [LinkEnd?], _ others: [LinkEnd]) -> [Links] {
    // A model's own relationships come first, because links are counted under them.
    let all =
      own.compactMap(\.self).map { (table: $0.linkTable, end: $0, isOwn: true) }
      + others.map { (table: $0.linkTable?.reversed, end: $0, isOwn: false) }
    var links: [Links] = []
    for case (let table?, let end, let isOwn) in all where !links.contains(where: { $0.table == table }) {
      links.append(Links(table: table, end: end, isOwn: isOwn))
    }
    return links
  }

  /// The model with a number; nil if its local edits are not kept.
  func offlineModel(_ number: ModelNumber) -> OfflineModel? {
    offlineModels.first { $0.entry.number == number }
  }

  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a model that the container was not opened with.
  func entry(for model: any SyncUpdatableModel.Type) throws -> Entry {
    try entry(ObjectIdentifier(model), name: "\(model)")
  }

  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a table of another container.
  func entry(for table: SyncTable) throws -> Entry { try entry(ObjectIdentifier(table), name: table.name) }

  private func entry(_ id: ObjectIdentifier, name: @autoclosure () -> String) throws -> Entry {
    if let number = numbers[id] { return entries[number] }
    throw SyncError.schemaValidation(
      reason: "the model \(name()) is not among those the container was opened with")
  }

  /// The relationship with a name; nil if the model or relationship no longer exists.
  func end(_ relationship: String, of table: String) -> LinkEnd? {
    entries.first { $0.table.name == table }?.ends.lazy.compactMap(\.self).first { $0.name == relationship }
  }
}

extension [ModelCatalog.Entry] {
  /// The given models, and all models whose rows may contain rows of these at any depth.
  func models(nesting models: Set<ModelNumber>) -> Set<ModelNumber> {
    var found = models
    var count = 0
    while found.count > count {
      count = found.count
      for entry in self where entry.nests(found) { found.insert(entry.number) }
    }
    return found
  }
}

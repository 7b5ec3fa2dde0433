import GRDB

/// A model whose local edits are kept: which of its columns and lists can be edited, and the names in SQL.
struct OfflineModel: Sendable {
  let entry: ModelCatalog.Entry
  /// The quoted name of the table of edits.
  let editTable: String
  /// The positions of the columns whose changes are edits.
  let tracked: [Int]
  /// The positions of the columns for local properties. Neither a response of the server nor a discarded edit changes them.
  let local: [Int]
  /// The lists that are stored in join tables which belong to the model.
  let lists: [LinkEnd]
  /// The relationships whose targets' deletion also deletes the model's rows.
  let owners: [LinkEnd]
  /// How many models come before it when edits are pushed, since its rows refer to theirs. Models that refer to each other are on
  /// one level.
  private(set) var level = 0

  var table: SyncTable { entry.table }

  /// Creates the value for any model. A model without `@Offline` has no table of edits.
  init(of entry: ModelCatalog.Entry) {
    let table = entry.table
    self.entry = entry
    editTable = EditTable.name(of: table.name).quotedIdentifier
    let ends = entry.ends.compactMap(\.self)
    let lists = ends.filter { $0.linkTable?.isSource == true && $0.isExported }
    self.lists = lists
    tracked = table.columns.indices.filter { position in
      let property = table.properties[position]
      // The order of a list is sent with its links.
      if let list = property.orderedList { return lists.contains { $0.name == list } }
      // The parts of a composite identity have columns of their own. An unknown type of a union is exported with its link.
      return position != table.identity && position != table.updatedAt && !property.isPlace
        && (table.withOtherCases(position).contains { table.properties[$0].export != .never }
          || table.identityParts.contains(position))
    }
    local = table.columns.indices.filter { table.properties[$0].isLocal }
    owners = ends.filter { $0.isColumn && !$0.isOptional }
  }

  /// The models whose edits are kept, each with its level.
  static func all(of entries: [ModelCatalog.Entry]) -> [OfflineModel] {
    var models = entries.filter(\.table.isOffline).map(OfflineModel.init)
    let places = Dictionary(uniqueKeysWithValues: models.enumerated().map { ($1.entry.number, $0) })
    let targets = models.map { model in
      model.entry.ends.compactMap(\.self)
        .filter {
          ($0.isColumn || $0.linkTable?.isSource == true) && $0.target != $0.owner && !$0.property.isLocal
        }
        .compactMap { places[$0.target] }
    }
    // One round per model is enough, and ends the loop for models that reference each other.
    for _ in models {
      for place in models.indices {
        let level = targets[place].map { models[$0].level + 1 }.max() ?? 0
        models[place].level = min(level, models.count)
      }
    }
    return models
  }

  /// The columns that identify a row, quoted.
  var keyColumns: [String] {
    [table.identityProperty.quotedName] + (table.parentScope.map { [table.properties[$0].quotedName] } ?? [])
  }

  /// The columns of the table of edits that hold these, quoted.
  var editKeyColumns: [String] {
    ["\"\(EditTable.Column.key)\""] + (table.parentScope == nil ? [] : ["\"\(EditTable.Column.parent)\""])
  }

  /// The columns of a version, quoted: those of the table, then the lists.
  func columns(_ version: EditTable.Version) -> [String] {
    (table.columns.map(\.name) + lists.map(\.name)).map { version.column($0).quotedIdentifier }
  }

  /// Selects the members of a list as JSON, for the owner that an SQL expression gives.
  func membersSQL(_ list: LinkEnd, of owner: String) -> String {
    let isUUID = if case .uuid = list.targetTable.identityKind { true } else { false }
    return EditTable.members(in: list.linkTable?.quotedName ?? "", of: owner, areUUIDs: isUUID)
  }
}

extension SyncTable {
  /// The name of a property in changes: that of a union, not of one of its cases, and that of a list, not of its order.
  func editedName(of position: Int) -> String {
    withOtherCases(position).lazy.compactMap { self.properties[$0].union?.property }.first
      ?? properties[position].orderedList ?? properties[position].name
  }
}

extension LinkEnd {
  /// Whether exports have the relationship. If not, its links are not edits.
  var isExported: Bool { table.properties[position].export != .never }
}

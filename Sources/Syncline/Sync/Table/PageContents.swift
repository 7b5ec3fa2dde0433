/// What the pages of a run contain in addition to the stored rows of their list: other rows that the end of the run could delete,
/// and links to rows that it could delete.
///
/// A row or a link takes a hash of eight bytes that payloads cannot predict. If two share one, a row stays until the next run, or a
/// link is pending that no page states. Rows and links that the end of the run cannot affect are not noted.
///
/// It is changed within the pages' transactions, and read between them.
final class PageContents: @unchecked Sendable {
  /// The models whose rows the end of the run may delete.
  private let deletable: Set<ModelNumber>
  /// The models of ``deletable`` whose rows are noted.
  private let noted: Set<ModelNumber>
  /// The seed of each model's hashes.
  private let seeds: [UInt64]
  private var hashes: Set<UInt64> = []
  /// The hashes that were added since the last time they were stored; nil until the first time.
  private(set) var unstored: [UInt64]?

  /// - Parameters:
  ///   - model: the model of the pages.
  ///   - children: the policies of the call for nested lists.
  ///   - knowsNewRows: whether rows of the model that were not stored when the run began are recognized without noting them.
  init(
    _ catalog: ModelCatalog, of model: ModelNumber, children: [ChildPolicy], knowsNewRows: Bool, seed: UInt64
  ) {
    var reached = catalog.modelsMissingFromLists
    PageContents.add(children, of: model, to: &reached, in: catalog)
    reached = catalog.models(deletedWith: reached.union([model])).union(reached)
    deletable = reached.union([model])
    if knowsNewRows { reached.remove(model) }
    noted = reached
    seeds = catalog.tables.map { SyncIdentity.text($0.name).hash(from: seed) }
  }

  /// Adds the models of lists with a policy.
  private static func add(
    _ policies: [ChildPolicy], of model: ModelNumber, to models: inout Set<ModelNumber>,
    in catalog: ModelCatalog
  ) {
    for policy in policies {
      guard let end = catalog.entries[model].ends[policy.position] else { continue }
      if policy.policy != .none { models.insert(end.target) }
      add(policy.children, of: end.target, to: &models, in: catalog)
    }
  }

  private func add(_ hash: UInt64) {
    if hashes.insert(hash).inserted { unstored?.append(hash) }
  }

  // MARK: Rows

  func notesRows(of model: ModelNumber) -> Bool { noted.contains(model) }

  func note(_ row: RowKey, of model: ModelNumber) { add(hash(of: row, seeds[model])) }

  func contains(_ row: LinkedRow) -> Bool {
    noted.contains(row.model) && hashes.contains(hash(of: row.key, seeds[row.model]))
  }

  private func hash(of row: RowKey, _ seed: UInt64) -> UInt64 {
    row.identity.hash(from: row.parent?.hash(from: seed) ?? seed)
  }

  // MARK: Links

  func notedEnds(of entry: ModelCatalog.Entry) -> [LinkEnd] {
    // No link waits for a row that is unique within its parent.
    entry.ends.compactMap { $0 }.filter {
      deletable.contains($0.target) && $0.targetTable.parentScope == nil && $0.lookup == nil
    }
  }

  func noteLink(_ place: LinkPlace, to target: SyncIdentity) { add(hash(of: place, target)) }

  func containsLink(_ place: LinkPlace, to target: SyncIdentity) -> Bool {
    hashes.contains(hash(of: place, target))
  }

  private func hash(of place: LinkPlace, _ target: SyncIdentity) -> UInt64 {
    let end = SyncIdentity.integer(Int64(place.end.position + 1)).hash(from: seeds[place.end.owner])
    return target.hash(from: hash(of: place.owner, end))
  }

  // MARK: Storing

  /// All hashes, in an order that is the same for the same pages.
  var all: [UInt64] { hashes.sorted() }

  /// Adds the hashes of the run's part before an interruption.
  func addStored(_ stored: [UInt64]) { hashes.formUnion(stored) }

  func didStore() { unstored = [] }
}

extension ModelCatalog {
  /// The models of lists whose missing rows are deleted or marked.
  fileprivate var modelsMissingFromLists: Set<ModelNumber> {
    let ends = entries.lazy.flatMap(\.ends).compactMap(\.self)
    return Set(ends.filter { $0.missing ?? .keep != .keep }.map(\.target))
  }

  /// The models whose rows delete rules may delete with rows of the given models.
  fileprivate func models(deletedWith models: Set<ModelNumber>) -> Set<ModelNumber> {
    var found: Set<ModelNumber> = []
    var open = Array(models)
    while let model = open.popLast() {
      let entry = entries[model]
      let holders = entry.references.filter { $0.ownerRule == .cascade }.map(\.owner)
      let targets = entry.ends.compactMap { $0 }.filter { $0.isColumn && $0.deleteRule == .cascade }.map(
        \.target)
      for other in holders + targets where found.insert(other).inserted { open.append(other) }
    }
    return found
  }
}

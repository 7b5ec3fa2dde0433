/// Decides links: the input is a payload's statements and the stored links, the output is the links afterwards.
///
/// Links are stored in three ways, and there is one pure function for each: the column of a to-one with the lists that fill it
/// (``column``), a join table (``table``), and the column of a one-to-one (``pair``). None of them reads a payload or the store.
/// Statements are ordered by where they begin in the payload; the order in which they are passed never matters.
///
/// `End` is a relationship of a model, `Row` a row of any model, so a union's column needs no special rule.
enum LinkDecision<End: Hashable, Row: Hashable & Comparable> {
  /// A row's statement about its to-one, or about the far end of a one-to-one: its key, or the object nested there.
  struct OwnKey {
    let row: Row
    /// The row it references; nil for null.
    let target: Row?
    let begin: Int
    /// Whether the stored row is at least as new. Then the statement changes nothing, but counts if it states the stored link.
    var isStale = false
    /// Whether the other row is nested here. It only counts at a far end.
    var isNested = false
    /// Whether the operations prevent the insertion of the row nested here. Then the statement counts only if that row exists.
    var isUninserted = false
    /// Identifies the statement in an ``Outcome``.
    var number = 0
  }

  /// A to-many list of a row.
  struct List {
    let end: End
    let owner: Row
    var members: Set<Row>
    /// The members that are nested in the list.
    var nested: Set<Row> = []
    /// The nested members that the operations do not insert here.
    var uninserted: Set<Row> = []
    let begin: Int
    /// Whether rows that are missing from the list are removed from it.
    var isComplete = true
    /// Whether the list may add rows.
    var adds = true
    /// What happens to a row that is missing from the list and from the payload; nil to unlink it.
    var policy: DeletionPolicy?
    var isStale = false
    var number = 0
  }

  /// A link whose target is not stored.
  struct Pending: Hashable {
    let end: End
    let owner: Row
    let target: Row
  }

  struct Place: Hashable {
    let end: End
    let row: Row
  }

  /// Two linked rows of a join table, by its ends.
  struct Pair: Hashable {
    let source: Row
    let target: Row
  }

  /// The rows that statements reference, in their state at the end of the payload.
  struct Rows {
    /// Rows that are not stored, or are deleted or skipped.
    var absent: Set<Row> = []
    /// Rows that the store did not have before the call.
    var new: Set<Row> = []
    /// Rows with an object in the payload.
    var held: Set<Row> = []

    func exists(_ row: Row?) -> Bool { row.map { !absent.contains($0) } ?? false }
    func isNew(_ row: Row?) -> Bool { row.map { new.contains($0) && !absent.contains($0) } ?? false }
  }

  struct Outcome {
    /// The target of each decided row, changed or not.
    var targets: [Row: Row?] = [:]
    /// Whether each decided link of a join table exists.
    var pairs: [Pair: Bool] = [:]
    /// The pending links of this payload, with the numbers of their statements.
    var pending: [Pending: Int] = [:]
    /// The decided places, whose earlier pending links are removed.
    var settled: Set<Place> = []
    /// Other pending links that are removed.
    var forgotten: Set<Pending> = []
    /// Pending links of earlier payloads that are now made.
    var recalled: Set<Pending> = []
    /// Rows that are missing from lists, to be deleted or marked.
    var missing: [Row: Missing] = [:]
    /// Rows that keep a required link although a statement removes it.
    var kept: [(row: Row, statement: Int)] = []
    /// Rows that state null for a required link.
    var refused: [Row: Int] = [:]
    /// Rows that lose a required partner, with the statement that takes it; nil for a pending or fixed link.
    var lost: [Row: Int?] = [:]
  }

  /// What happens to a row that is missing from a list.
  struct Missing: Comparable {
    let policy: DeletionPolicy
    /// The number of the list.
    let statement: Int

    /// If several lists lack a row, a list that deletes it takes precedence, and among these the one that was logged last.
    static func < (left: Missing, right: Missing) -> Bool {
      left.policy == right.policy ? left.statement < right.statement : right.policy == .hardDeleteMissing
    }
  }

  /// The facts about one column or join table, other than the statements.
  struct Known {
    var rows = Rows()
    /// Pending links of earlier payloads.
    var pending: [Pending] = []
    /// The stored targets of a column.
    var targets: [Row: Row] = [:]
    /// The stored links of a join table.
    var pairs: Set<Pair> = []
    /// The targets of a column that only one row may reference, if several may reference others: rows of some cases of a union.
    var exclusive: Set<Row> = []
    /// Whether a row must have a target.
    var isRequired = false
    /// The policy for a row that requires its partner, if the partner states that it has none; nil to keep the row.
    var policy: DeletionPolicy?
    /// Links to which an object without identity was applied. They do not change any more.
    var fixed: [Row: Row] = [:]
    /// The parents that the call gives.
    var given: [Row: OwnKey] = [:]

    func stored(_ row: Row) -> Row? { targets[row].flatMap { rows.exists($0) ? $0 : nil } }
  }
}

extension LinkDecision.Pair {
  /// - Parameter isSource: whether the first row is at the source of the link.
  init(_ row: Row, _ other: Row, isSource: Bool) {
    (source, target) = isSource ? (row, other) : (other, row)
  }
}

extension LinkDecision {
  /// For each owner, the last complete list and the partial lists after it, in payload order.
  static func counting(_ lists: [List], _ rows: Rows) -> [List] {
    var lastComplete: [Place: Int] = [:]
    for list in lists where list.isComplete {
      let place = Place(end: list.end, row: list.owner)
      lastComplete[place] = max(lastComplete[place] ?? list.begin, list.begin)
    }
    return lists.filter {
      rows.exists($0.owner) && $0.begin >= lastComplete[Place(end: $0.end, row: $0.owner)] ?? $0.begin
    }.sorted { $0.begin < $1.begin }
  }

  /// Selects two of a row's statements about a to-one: `placing` is the last one with an existing target or null. `waiting` is the
  /// last of all if its target does not exist; it becomes pending.
  static func decidingStatements(_ statements: [OwnKey], _ rows: Rows, isStale: Bool = false)
    -> (placing: OwnKey?, waiting: OwnKey?)
  {
    var (placing, last): (OwnKey?, OwnKey?)
    for statement in statements where statement.isStale == isStale {
      if statement.begin >= last?.begin ?? .min { last = statement }
      guard statement.target == nil || rows.exists(statement.target) else { continue }
      if statement.begin >= placing?.begin ?? .min { placing = statement }
    }
    return (placing, last.flatMap { $0.target == nil || rows.exists($0.target) ? nil : $0 })
  }
}

/// Decides links: what a payload says of them and what is stored go in, what the links are afterwards comes out.
///
/// Links are stored in three ways, and each has one pure function: the column of a to-one with the lists that fill it
/// (``column``), a join table (``table``), and the column of a one-to-one (``pair``). None of them reads a payload or the
/// store. A statement counts by where it begins in the text of the payload; the order in which statements are given never
/// matters.
///
/// `End` is a relationship of a model, `Row` a row of any model: a union's column needs no rule of its own.
enum LinkDecision<End: Hashable, Row: Hashable & Comparable> {
  /// What a row says of its to-one: its key, or the object nested there.
  struct OwnKey {
    let row: Row
    /// The row it names; nil for null.
    let target: Row?
    let begin: Int
    /// Whether the row is as old as what is stored. It changes nothing, but what it says that is stored counts.
    var isStale = false
    /// Names the statement in an ``Outcome``.
    var number = 0
  }

  /// What a row says at the far end of a one-to-one: the other row has the column.
  struct FarEnd {
    let row: Row
    let target: Row?
    let begin: Int
    var isStale = false
    /// Whether the other row is nested there.
    var isNested = false
    var number = 0
  }

  /// A to-many list of a row.
  struct List {
    let end: End
    let owner: Row
    let members: Set<Row>
    /// The members that are nested in the list.
    var nested: Set<Row> = []
    let begin: Int
    /// Whether rows that the list lacks are removed from it.
    var isComplete = true
    /// Whether rows may be added.
    var adds = true
    /// What happens to a row that the list lacks and the payload does not hold; nil to unlink it.
    var policy: DeletionPolicy?
    var isStale = false
    var number = 0
  }

  /// A link whose row is not stored.
  struct Pending: Hashable {
    let end: End
    let owner: Row
    let target: Row
  }

  /// One relationship of one row.
  struct Place: Hashable {
    let end: End
    let row: Row
  }

  /// Two linked rows of a join table, by its ends.
  struct Pair: Hashable {
    let source: Row
    let target: Row
  }

  /// The rows that statements name, as they are when the payload ends.
  struct Rows {
    /// Rows that are not stored, or are deleted or skipped.
    var absent: Set<Row> = []
    /// Rows that the store did not have before the call.
    var new: Set<Row> = []
    /// Rows that the payload holds an object of.
    var held: Set<Row> = []

    func exists(_ row: Row?) -> Bool { row.map { !absent.contains($0) } ?? false }
    func isNew(_ row: Row?) -> Bool { row.map { new.contains($0) && !absent.contains($0) } ?? false }
  }

  /// What becomes of the links.
  struct Outcome {
    /// The target of each row that was decided, changed or not.
    var targets: [Row: Row?] = [:]
    /// Whether each link of a join table that was decided is there.
    var pairs: [Pair: Bool] = [:]
    /// The links that this payload waits for, by the numbers of their statements.
    var pending: [Pending: Int] = [:]
    /// The places that were decided: what was pending there is forgotten.
    var settled: Set<Place> = []
    /// Single pending links that are forgotten.
    var forgotten: Set<Pending> = []
    /// Pending links of earlier payloads that are made.
    var recalled: Set<Pending> = []
    /// Rows that lists lack, which are deleted or marked.
    var missing: [Row: Missing] = [:]
    /// Rows that stay, since they require the link that a statement removes.
    var kept: [(row: Row, statement: Int)] = []
    /// Rows whose own null is for a link that they require.
    var refused: [Row: Int] = [:]
    /// Rows whose required partner is taken, by the statement that takes it; nil for a pending or fixed link.
    var lost: [Row: Int?] = [:]
  }

  /// What happens to a row that a list lacks.
  struct Missing: Equatable {
    let policy: DeletionPolicy
    /// The number of the list.
    let statement: Int
  }

  /// What is known of one column or join table besides the statements.
  struct Known {
    var rows = Rows()
    /// Links that earlier payloads wait for.
    var pending: [Pending] = []
    /// The stored targets of a column.
    var targets: [Row: Row] = [:]
    /// The stored links of a join table.
    var pairs: Set<Pair> = []
    /// Whether a row must have a target.
    var isRequired = false
    /// Links that an object without identity was applied to: nothing moves them any more.
    var fixed: [Row: Row] = [:]
    /// The parents that the call gives.
    var given: [Row: OwnKey] = [:]

    func stored(_ row: Row) -> Row? { targets[row].flatMap { rows.exists($0) ? $0 : nil } }
  }
}

// MARK: What lists and rows say

extension LinkDecision {
  /// Of each owner the last complete list and the partial ones behind it, in the order they begin.
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

  /// Of what a row says of a to-one: the last statement whose row exists, or null, which places it; and the last of all,
  /// where its row does not exist, which is pending.
  static func spoken(_ statements: [OwnKey], _ rows: Rows, isStale: Bool = false)
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

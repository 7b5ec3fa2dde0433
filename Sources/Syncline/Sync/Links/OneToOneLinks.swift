/// A payload's statements about one-to-one links, by the columns that store them. They are written at the end of the payload.
///
/// Each row has one statement, or several that agree. If two of them conflict, the call restarts and logs all link statements.
final class OneToOneLinks {
  struct Statement {
    /// Where the statement begins in the payload.
    var begin: Int
    /// The row with the column; nil if its partner states that there is none.
    let holder: RowKey?
    /// The row that the column references; nil if the holder states that there is none.
    let partner: SyncIdentity?
    /// The partner's end, if it made the statement, and where to report a problem.
    var far: (end: LinkEnd, problem: PathParts?)?

    var farPlace: LinkPlace? {
      guard let far, let partner else { return nil }
      return LinkPlace(end: far.end, owner: RowKey(identity: partner))
    }
  }

  private struct Column {
    var statements: [Statement] = []
    /// The statements by the rows that they concern.
    var ofHolders: [RowKey: Int] = [:]
    var ofPartners: [SyncIdentity: Int] = [:]

    /// Adds a statement; false if it conflicts with another one about one of its rows.
    mutating func add(_ statement: Statement) -> Bool {
      let ofHolder = statement.holder.flatMap { ofHolders[$0] }
      guard let known = ofHolder ?? statement.partner.flatMap({ ofPartners[$0] }) else {
        if let holder = statement.holder { ofHolders[holder] = statements.count }
        if let partner = statement.partner { ofPartners[partner] = statements.count }
        statements.append(statement)
        return true
      }
      guard statements[known].holder == statement.holder, statements[known].partner == statement.partner
      else { return false }
      statements[known].begin = max(statements[known].begin, statement.begin)
      if statements[known].far == nil { statements[known].far = statement.far }
      return true
    }
  }

  private unowned(unsafe) let run: Run
  private let pending: PendingLinks
  private let missing: MissingRows
  private var columns: [LinkEnd: Column] = [:]

  init(_ run: Run, _ pending: PendingLinks, _ missing: MissingRows) {
    self.run = run
    self.pending = pending
    self.missing = missing
  }

  func state(_ statement: Statement, at column: LinkEnd) throws {
    if let holder = statement.holder, statement.partner != nil {
      // Another case of a union is stated for the row.
      for other in run.otherCases(of: LinkPlace(end: column, owner: holder))
      where columns[other.end]?.ofHolders[holder] != nil || run.isDecided(other) { try run.logLinks() }
    }
    if columns[column, default: Column()].add(statement) { return }
    try run.logLinks()
  }

  func write() throws {
    for (end, column) in columns.sorted(by: { $0.key < $1.key }) {
      for statement in column.statements { try clear(statement, column, end) }
      for statement in column.statements {
        guard let holder = statement.holder, let partner = statement.partner else { continue }
        try link(LinkPlace(end: end, owner: holder), to: partner, statement)
      }
    }
  }

  /// Whether the partner of a row states their link. If the row is deleted, the partner waits for it.
  func isStatedByPartner(_ place: LinkPlace) -> Bool {
    guard let column = columns[place.end], let number = column.ofHolders[place.owner] else { return false }
    return column.statements[number].far != nil
  }

  private func link(_ place: LinkPlace, to partner: SyncIdentity, _ statement: Statement) throws {
    let (column, holder) = (place.end, place.owner)
    let model = run.rows(column.owner)
    let former = statement.far == nil ? [] : try model.holders(of: partner, at: column.position)
    let isLinked = try model.link(holder, at: column.position, to: partner)
    if let far = statement.farPlace, isLinked || model.journal.isInserted(holder) {
      run.ledger.recordListed(holder, at: far)
      for identity in former where identity != holder.identity {
        run.ledger.recordListed(RowKey(identity: identity), at: far)
      }
    }
    // Forgets the pending key of the other end.
    if statement.far != nil {
      pending.forgetKey(place, saidBefore: statement.begin)
    } else if let far = column.inverse {
      pending.forgetKey(LinkPlace(end: far, owner: RowKey(identity: partner)), saidBefore: statement.begin)
    }
  }

  /// Clears the column of a row that has no partner any more.
  private func clear(_ statement: Statement, _ column: Column, _ end: LinkEnd) throws {
    let model = run.rows(end.owner)
    if let holder = statement.holder {
      if statement.partner == nil, end.isOptional { _ = try model.link(holder, at: end.position, to: nil) }
      return
    }
    guard let partner = statement.partner, let far = statement.farPlace else { return }
    for identity in try model.holders(of: partner, at: end.position) {
      let holder = RowKey(identity: identity)
      guard column.ofHolders[holder] == nil else { continue }
      if !end.isOptional {
        if let policy = far.end.missingPolicy {
          missing.leaveOut([holder], of: far, policy)
        } else if let problem = statement.far?.problem {
          missing.keep(holder, of: far, reportedAt: problem)
        }
      } else if try model.link(holder, at: end.position, to: nil) {
        run.ledger.recordListed(holder, at: far)
      }
    }
  }
}

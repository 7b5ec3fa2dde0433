/// What the payload says of a one-to-one column, from either end. It is decided when all of it is known.
struct PairClaims {
  struct Statement {
    /// Where it begins in the text of the payload.
    let begin: Int
    /// The row with the column; nil where its partner says that there is none.
    let holder: RowKey?
    /// The row that the column leads to; nil where the holder says that there is none.
    let partner: SyncIdentity?
    /// The end that said it, where it is the partner's, and where that is reported.
    var far: (end: LinkEnd, problem: ProblemPlace?)?
    /// Whether an earlier payload said it: then it yields to all that this one says.
    var isRemembered = false

    /// What an earlier payload said.
    static func remembered(
      holder: RowKey, partner: SyncIdentity, far: (end: LinkEnd, problem: ProblemPlace?)? = nil
    ) -> Statement {
      Statement(begin: -1, holder: holder, partner: partner, far: far, isRemembered: true)
    }

    /// The far end's place, where that end said it.
    var farPlace: LinkPlace? {
      guard let far, let partner else { return nil }
      return LinkPlace(end: far.end, owner: RowKey(identity: partner))
    }
  }

  var statements: [Statement] = []

  /// What became of the rows at either end: of statements about one row the last one counts.
  struct Outcome {
    var partners: [RowKey: SyncIdentity?] = [:]
    var holders: [SyncIdentity: RowKey?] = [:]
    /// The statements that hold, in the order they begin.
    var held: [Statement] = []
  }

  /// Goes through the statements from the last to the first: each holds unless a later one said otherwise of a row in
  /// it. A row whose own last statement does not hold has no partner.
  func decide() -> Outcome {
    var outcome = Outcome()
    for (_, statement) in statements.enumerated().sorted(by: {
      ($0.element.begin, $0.offset) > ($1.element.begin, $1.offset)
    }) {
      let isHolderFree = statement.holder.map { outcome.partners[$0] == nil } ?? true
      let isPartnerFree = statement.partner.map { outcome.holders[$0] == nil } ?? true
      let holds = isHolderFree && isPartnerFree
      if statement.isRemembered, !holds { continue }
      if let holder = statement.holder, isHolderFree {
        outcome.partners[holder] = .some(holds ? statement.partner : nil)
      }
      if let partner = statement.partner, isPartnerFree {
        outcome.holders[partner] = .some(holds ? statement.holder : nil)
      }
      if holds { outcome.held.append(statement) }
    }
    outcome.held.reverse()
    return outcome
  }
}

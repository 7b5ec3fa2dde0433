/// The rows of one model that a payload names: top-level, nested, or in statements about their relationships.
///
/// Most rows of a long payload come in order and take little memory: the scan of the stored rows matched them, or they were
/// inserted in order.
final class NamedRows {
  /// The scan of the slice's stored rows, for the model of the call.
  var scan: SliceScan?
  /// How many rows of the payload the scan matched in order, not counting marked rows.
  private(set) var matchedCount = 0
  /// The new rows in payload order, if the scan proved that they are new.
  @exclusivity(unchecked) private var insertedInOrder: ContiguousArray<Int64> = []
  /// The marks of all other rows. Relationships that do not fit in the first table have further tables.
  @exclusivity(unchecked) private var marks = [RowMarks()]
  /// How many rows are marked as named, and how many of these are new.
  @exclusivity(unchecked) private var marked = (named: 0, inserted: 0)
  /// The number of each property among the model's relationships.
  private let ordinals: [Int]

  private let unseen: UnseenRows?
  /// What else the pages contain, if rows of the model are noted there.
  private let contents: PageContents?
  private let model: ModelNumber

  init(of entry: ModelCatalog.Entry, unseen: UnseenRows?) {
    ordinals = entry.table.ordinals
    model = entry.number
    self.unseen = unseen?.model == model ? unseen : nil
    contents = unseen.flatMap { [model] in $0.contents.notesRows(of: model) ? $0.contents : nil }
  }

  // MARK: Rows

  /// Records that the payload has a row.
  ///
  /// - Returns: whether that is new.
  @discardableResult
  func insert(_ row: RowKey) -> Bool {
    let isNew = marks[0].insert(row, .named)
    if isNew {
      marked.named += 1
      unseen?.note(row)
      contents?.note(row, of: model)
    }
    return isNew
  }

  /// Records that the scan matched a row in order. Nothing else is stored about it.
  func countMatch() { matchedCount += 1 }

  /// Whether the scan matched all rows of the payload so far in order.
  var hasScannedRowsOnly: Bool { marked.named == 0 && insertedInOrder.isEmpty }

  /// Marks each of the rows that were inserted in order, since the next rows are read in another order.
  func forgetOrder() {
    let rows = insertedInOrder
    insertedInOrder = []
    for number in rows { insertNew(RowKey(identity: .integer(number)), isInOrder: false) }
  }

  /// Whether the payload has a row, not counting rows that the scan matched in order.
  func containsOutsideScan(_ row: RowKey) -> Bool {
    marks[0].contains(row, .named) || isInOrder(row)
  }

  /// ``containsOutsideScan(_:)`` for a row without a parent whose identity is not an integer, by its hash.
  func containsOutsideScan(hash: UInt64) -> Bool { marks[0].contains(hash, .named) }

  // MARK: New rows

  /// Records that a row of the payload was inserted.
  ///
  /// - Parameter isInOrder: whether the row follows all others that were inserted this way, in payload order.
  func insertNew(_ row: RowKey, isInOrder: Bool) {
    if isInOrder, case .integer(let number) = row.identity {
      insertedInOrder.append(number)
      unseen?.note(row)
      contents?.note(row, of: model)
    } else if !self.isInOrder(row) {
      insert(row)
      if marks[0].insert(row, .inserted) { marked.inserted += 1 }
    }
  }

  /// Whether this sync inserted a row, even if it was deleted since.
  func containsNew(_ row: RowKey) -> Bool {
    marks[0].contains(row, .inserted) || isInOrder(row)
  }

  private func isInOrder(_ row: RowKey) -> Bool {
    guard let first = insertedInOrder.first, let last = insertedInOrder.last,
      case .integer(let number) = row.identity
    else { return false }
    // Fast path: most rows that are looked for come after all of these.
    guard first <= last ? number <= last : last <= number else { return false }
    let index = insertedInOrder.partitioningIndex { first <= last ? number <= $0 : $0 <= number }
    return index < insertedInOrder.count && insertedInOrder[index] == number
  }

  var newCount: Int { insertedInOrder.count + marked.inserted }
  /// How many existing rows the payload has.
  var knownCount: Int { matchedCount + marked.named - marked.inserted }

  // MARK: Relationships

  /// Records a statement about a row's relationship: for a to-one, that a list has the row; for others, that there is a list.
  func mark(_ row: RowKey, at position: Int) {
    let (group, mark) = place(position)
    while marks.count <= group { marks.append(RowMarks()) }
    marks[group].insert(row, mark)
  }

  func isMarked(_ row: RowKey, at position: Int) -> Bool {
    let (group, mark) = place(position)
    return group < marks.count && marks[group].contains(row, mark)
  }

  private func place(_ position: Int) -> (group: Int, mark: RowMarks.Mark) {
    let (group, ordinal) = ordinals[position].quotientAndRemainder(dividingBy: RowMarks.Mark.placeLimit)
    return (group, .place(ordinal))
  }
}

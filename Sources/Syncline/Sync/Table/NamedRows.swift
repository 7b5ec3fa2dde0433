/// The rows of one model that a payload names: at the top, nested, or by what is said of their relationships.
///
/// Most rows of a long payload are named in order, and take no room: a scan along the stored rows met them, or they were
/// inserted behind each other.
final class NamedRows {
  /// The scan along the stored rows of the slice, for the model of the call.
  var scan: SliceScan?
  /// How many rows of the payload the scan met in order, besides those that are marked.
  private var metCount = 0
  /// The new rows in the payload's order, where the scan showed that they are new.
  private var insertedInOrder: ContiguousArray<Int64> = []
  /// What the payload says of all other rows; further tables for the relationships that do not fit in the first.
  private var marks = [RowMarks()]
  /// How many rows are marked as named, and how many of these are new.
  private var marked = (named: 0, inserted: 0)
  /// The numbers of the relationships among those of the model.
  private let ordinals: [Int]

  /// The rows that no page has named yet, where the payload is a page.
  private let unseen: UnseenRows?

  init(of table: SyncTable, unseen: UnseenRows?) {
    ordinals = table.ordinals
    self.unseen = unseen
  }

  // MARK: Rows

  /// Records that the payload holds a row.
  ///
  /// - Returns: whether that was not known.
  @discardableResult
  func insert(_ row: RowKey) -> Bool {
    let isNew = marks[0].insert(row, .named)
    if isNew {
      marked.named += 1
      unseen?.note(row)
    }
    return isNew
  }

  /// Records that the scan met a row in its order, and nothing else is known of it.
  func countMet() { metCount += 1 }

  /// Whether the payload holds no row so far but those that the scan met in order.
  var hasScannedRowsOnly: Bool { marked.named == 0 && insertedInOrder.isEmpty }

  /// Whether the scan met no row in order.
  var metNone: Bool { metCount == 0 }

  /// Marks the rows that are known by their order alone, which goes on with others.
  func forgetOrder() {
    let rows = insertedInOrder
    insertedInOrder = []
    for number in rows { insertNew(RowKey(identity: .integer(number)), isInOrder: false) }
  }

  /// Marks a row that the scan met in order, which does not know it any more when it is deleted.
  func markMet(_ row: RowKey) {
    if insert(row) { metCount -= 1 }
  }

  /// Whether the payload holds a row, besides those that the scan met in order.
  func containsOutsideScan(_ row: RowKey) -> Bool {
    marks[0].contains(row, .named) || isInOrder(row)
  }

  /// The same of a row without a parent whose identity is no integer, by its hash.
  func containsOutsideScan(hash: UInt64) -> Bool { marks[0].contains(hash, .named) }

  // MARK: New rows

  /// Records that a row of the payload was inserted.
  ///
  /// - Parameter isInOrder: the row follows all others that were inserted so, in the payload's order.
  func insertNew(_ row: RowKey, isInOrder: Bool) {
    if isInOrder, case .integer(let number) = row.identity {
      insertedInOrder.append(number)
      unseen?.note(row)
    } else if !self.isInOrder(row) {
      insert(row)
      if marks[0].insert(row, .inserted) { marked.inserted += 1 }
    }
  }

  /// Whether this sync inserted a row, deleted since or not.
  func containsNew(_ row: RowKey) -> Bool {
    marks[0].contains(row, .inserted) || isInOrder(row)
  }

  private func isInOrder(_ row: RowKey) -> Bool {
    guard let first = insertedInOrder.first, let last = insertedInOrder.last,
      case .integer(let number) = row.identity
    else { return false }
    let index = insertedInOrder.partitioningIndex { first <= last ? number <= $0 : $0 <= number }
    return index < insertedInOrder.count && insertedInOrder[index] == number
  }

  var newCount: Int { insertedInOrder.count + marked.inserted }
  /// How many known rows the payload names.
  var knownCount: Int { metCount + marked.named - marked.inserted }

  // MARK: Relationships

  /// Records what the payload says of a relationship of a row: of a to-one that a list has the row, of others that there is
  /// a list.
  func mark(_ row: RowKey, at position: Int) {
    let (group, mark) = place(position)
    while marks.count <= group { marks.append(RowMarks()) }
    marks[group].insert(row, mark)
  }

  /// Records that the payload holds a row, in a list of the row that the row's column leads to.
  func insertListed(_ row: RowKey, at position: Int) {
    insert(row)
    mark(row, at: position)
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

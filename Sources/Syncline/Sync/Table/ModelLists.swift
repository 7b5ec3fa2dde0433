/// The lists of one model in a payload. Lists of the same stored rows count as one list, and a row that any of them has is
/// missing from none of them.
final class ModelLists {
  /// How many rows the lists so far have, by the parent that the call gives them, for the places of rows in later lists.
  private var lengths: [PayloadObject.Scope?: Int] = [:]
  /// How many rows the lists have, and how many of them have identities, by the stored rows that they are about.
  private var counts: [String.UTF8Key: (rows: Int, identities: Int)] = [:]
  /// The rows that the payload lists as deleted.
  private var rowsListedAsDeleted: [RowKey: ListedDeletion] = [:]

  /// An entry of a list of deleted rows.
  private struct ListedDeletion {
    /// Where the list begins in the payload.
    let begin: Int
    /// The part of the body with the list.
    let part: Int
    /// Whether the row is deleted, rather than marked.
    let isPermanent: Bool
    /// Whether another part has an object of the row that begins later.
    var isKept = false
  }

  var hasRowsListedAsDeleted: Bool { !rowsListedAsDeleted.isEmpty }

  /// Whether a row is listed as deleted, and no later object read so far keeps it.
  func isGone(_ row: RowKey) -> Bool { rowsListedAsDeleted[row].map { !$0.isKept } ?? false }

  /// Whether a row is listed as deleted, is not only marked, and no later object read so far keeps it.
  func isDeletedPermanently(_ row: RowKey) -> Bool {
    rowsListedAsDeleted[row].map { $0.isPermanent && !$0.isKept } ?? false
  }

  func add(rows: Int, identities: Int, length: Int, of stored: String, in scope: PayloadObject.Scope?) {
    lengths[scope, default: 0] += length
    let before = count(of: stored)
    counts[String.UTF8Key(stored)] = (before.rows + rows, before.identities + identities)
  }

  /// How many rows the lists of a parent have so far.
  func length(in scope: PayloadObject.Scope?) -> Int { lengths[scope, default: 0] }

  func count(of stored: String) -> (rows: Int, identities: Int) {
    counts[String.UTF8Key(stored)] ?? (0, 0)
  }

  // MARK: Deleted rows

  func addListedAsDeleted(_ row: RowKey, from begin: Int, of part: Int, isPermanent: Bool) {
    if let known = rowsListedAsDeleted[row], known.begin >= begin { return }
    rowsListedAsDeleted[row] = ListedDeletion(begin: begin, part: part, isPermanent: isPermanent)
  }

  /// Keeps a row that is listed as deleted, if a part has a later object of it.
  ///
  /// - Returns: false if the row is deleted all the same: the part itself lists it, or a list that begins later does.
  @discardableResult
  func keep(_ row: RowKey, from begin: Int, in part: Int) -> Bool {
    guard let known = rowsListedAsDeleted[row] else { return true }
    if known.part == part || known.begin > begin { return false }
    rowsListedAsDeleted[row]?.isKept = true
    return true
  }

  /// The rows that a part lists as deleted, and no later object keeps.
  func gone(in part: Int) -> [RowKey] {
    rowsListedAsDeleted.filter { $0.value.part == part && !$0.value.isKept }.keys.sorted {
      $0.identity < $1.identity
    }
  }
}

import Foundation
import GRDB

/// A local edit of a row: the difference between the row and the values that the server last sent.
struct Edit {
  typealias Kind = SyncPendingKind

  /// The columns and lists of a row.
  struct Values: Equatable {
    var columns: [DatabaseValue]
    var lists: [Set<SyncIdentity>]

    /// Whether the stored values of two versions are equal. Strings are compared byte by byte.
    static func == (left: Values, right: Values) -> Bool {
      left.lists == right.lists && left.differingColumns(from: right).isEmpty
    }
  }

  /// The request that was sent to the server.
  struct Sent {
    var kind: Kind
    var values: Values
    var key: String
    var body: String
    var time: Double
  }

  let number: Int64
  let row: RowKey
  /// Whether the server does not know the row.
  var isNew: Bool
  /// Whether the server no longer has the row.
  var isGone: Bool
  /// Whether a pull has changed the row since it was sent.
  var isPulled: Bool
  /// Whether the row was deleted with a row that it requires.
  var isWithOwner: Bool
  /// The row's own values, if it is set aside: a row that it requires is missing, or another row has its unique value.
  var aside: Values?
  /// The values that the server last sent for the row; nil if it does not have the row.
  var base: Values?
  /// The last request, if it is not answered, or was rejected.
  var sent: Sent?
  var attempts: Int
  /// How often the server answered with a conflict.
  var conflicts = 0
  /// When it may be sent again, in seconds since 1970.
  var nextTry: Double?
  /// Why the server rejected the request.
  var reason: String?
  /// The names of the columns and lists that were sent and are not answered, or are sent although they equal the base.
  var forced: Set<String>

  /// Whether a request is not answered.
  var isUnanswered: Bool { sent != nil && reason == nil }
}

extension OfflineModel {
  /// The positions of the tracked columns with another value, and the numbers of the lists with other members.
  func difference(_ first: Edit.Values, _ second: Edit.Values) -> (columns: [Int], lists: [Int]) {
    let columns = tracked.filter { !isSame(first.columns[$0], second.columns[$0], at: $0) }
    return (
      // At most one case of a union has a value, so all cases count as one value.
      table.unionGates.isEmpty ? columns : Set(columns.flatMap(table.withOtherCases)).sorted(),
      lists.indices.filter { first.lists[$0] != second.lists[$0] }
    )
  }

  /// Whether two versions of a row have the same tracked values.
  func isSame(_ first: Edit.Values?, _ second: Edit.Values?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    let (columns, lists) = difference(first, second)
    return columns.isEmpty && lists.isEmpty
  }

  /// Whether two values of a column are the same value of its type: SQL may have written a date or JSON in another form.
  func isSame(_ first: DatabaseValue, _ second: DatabaseValue, at position: Int) -> Bool {
    if first.isStoredLike(second) { return true }
    guard case .scalar(let kind, _) = table.properties[position].kind,
      let one = String.fromDatabaseValue(first), let other = String.fromDatabaseValue(second)
    else { return false }
    switch kind {
    case .date:
      guard let one = Date.syncLoad(first), let other = Date.syncLoad(second) else { return false }
      return Instant(one) == Instant(other)
    case .json, .value: break
    default: guard table.properties[position].orderedList != nil else { return false }
    }
    // Text that is not JSON equals only itself.
    do { return try SyncJSON(parsing: one) == SyncJSON(parsing: other) } catch { return false }
  }

  /// A version of a row, with the values of local properties from another version, and those that it lacks because they became
  /// required since.
  func keepingLocal(_ values: Edit.Values, of other: Edit.Values?) -> Edit.Values {
    guard let other else { return values }
    var values = values
    for position in local { values.columns[position] = other.columns[position] }
    for position in table.columns.indices where values.columns[position].isNull {
      if !table.properties[position].isOptional { values.columns[position] = other.columns[position] }
    }
    return values
  }

  /// The kind of an edit, from its row as it is stored; nil if the edit changes nothing.
  func kind(of edit: Edit, _ local: Edit.Values?) -> Edit.Kind? {
    guard let local = local ?? edit.aside else { return edit.base == nil ? nil : .delete }
    guard let base = edit.base else { return .insert }
    let isKept = edit.isGone || edit.aside != nil || !edit.forced.isEmpty
    return isSame(base, local) && !isKept ? nil : .update
  }

  /// The positions of the columns that an edit has changed, that were sent, or that are sent although they equal the base.
  func editedColumns(of edit: Edit, _ local: Edit.Values) -> Set<Int> {
    guard let base = edit.base else {
      // The list of a new row has an order only if it was set.
      return Set(tracked.filter { table.properties[$0].orderedList == nil || !local.columns[$0].isNull })
    }
    return Set(difference(base, local).columns)
      .union(table.columns.indices.filter { edit.forced.contains(table.editedName(of: $0)) })
  }
}

extension Edit.Values {
  /// The positions of the columns that differ from those of another version in any way.
  func differingColumns(from other: Edit.Values?) -> [Int] {
    columns.indices.filter { position in
      other.map { !columns[position].isStoredLike($0.columns[position]) } ?? true
    }
  }
}

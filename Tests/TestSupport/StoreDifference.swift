import Syncline

/// The effects of a sync, found by comparing the rows before and after it, and the range of counts that a report may contain.
///
/// - A row that exists only afterwards is `inserted`; one that existed only before is `deleted`.
/// - A row whose own columns differ is `updated`, or `softDeleted` or `reactivated` if its mark was set or cleared. A row with
///   different lists only is updated if the payload states the list.
/// - A changed to-one counts for the model with the column: as `linked` if it now refers to a row, and as `unlinked` if it
///   referred to one. A row in a join table counts once, at one of its ends. A member of a list that is stored in the member also
///   counts for the model of the list if the payload states the list.
///
/// The rows do not show what the payload states. Where this matters, a count may be anything between the changes in columns and
/// join tables and the changes in all lists.
package struct StoreDifference: Sendable {
  private struct Change {
    var inserted = 0
    var deleted = 0
    /// The number of rows with changed columns, and of rows with any change.
    var changed = 0...0
    var marked = 0
    var cleared = 0
    /// The number of links in columns, and the additional number in lists.
    var linked = (columns: 0, lists: 0)
    var unlinked = (columns: 0, lists: 0)
  }

  private var models: [String: Change] = [:]
  private let links: (added: Int, removed: Int)

  package init(from before: RowDump, to after: RowDump) {
    for (name, model) in after.models {
      models[name] = StoreDifference.change(from: before.models[name]?.rows ?? [:], to: model)
    }
    links = (after.links.subtracting(before.links).count, before.links.subtracting(after.links).count)
  }

  private static func change(from earlier: [[SyncJSON]: SyncJSONObject], to model: RowDump.Model) -> Change {
    var change = Change()
    var changed = (columns: 0, any: 0)
    for (identity, old) in earlier where model.rows[identity] == nil {
      change.deleted += 1
      for list in model.lists { change.unlinked.lists += identities(old, list).count }
    }
    for (identity, row) in model.rows {
      let old = earlier[identity]
      if let old {
        if columns(of: row, model) != columns(of: old, model) { changed.columns += 1 }
        if row != old { changed.any += 1 }
        if !isMarked(old), isMarked(row) { change.marked += 1 }
        if isMarked(old), !isMarked(row) { change.cleared += 1 }
      } else {
        change.inserted += 1
      }
      for column in model.columns {
        let (was, now) = (identities(old, column), identities(row, column))
        change.linked.columns += now.subtracting(was).count
        change.unlinked.columns += was.subtracting(now).count
      }
      for list in model.lists {
        let (was, now) = (identities(old, list), identities(row, list))
        change.linked.lists += now.subtracting(was).count
        change.unlinked.lists += was.subtracting(now).count
      }
    }
    change.changed = changed.columns...changed.any
    return change
  }

  private static func columns(of row: SyncJSONObject, _ model: RowDump.Model) -> SyncJSONObject {
    var row = row
    for list in model.lists { row[list] = nil }
    return row
  }

  private static func isMarked(_ row: SyncJSONObject) -> Bool { !(row["deletedAt"] ?? .null).isNull }

  private static func identities(_ row: SyncJSONObject?, _ relationship: String) -> Set<SyncJSON> {
    switch row?[relationship] ?? .null {
    case .null: []
    case .array(let members): Set(members)
    case let other: [other]
    }
  }

  /// The counts that a report contradicts: `Person.linked: reported 1, found 2`.
  package func disagreements(with report: SyncReport) -> [String] {
    var result: [String] = []
    func check(_ name: String, _ reported: Int, _ found: ClosedRange<Int>) {
      guard !found.contains(reported) else { return }
      let expected = found.count == 1 ? "\(found.lowerBound)" : "\(found.lowerBound) to \(found.upperBound)"
      result.append("\(name): reported \(reported), found \(expected)")
    }
    for name in Set(models.keys).union(report.models.keys).sorted() {
      let (found, counts) = (models[name] ?? Change(), report.models[name] ?? SyncReport.Counts())
      check("\(name).inserted", counts.inserted, found.inserted...found.inserted)
      check("\(name).deleted", counts.deleted, found.deleted...found.deleted)
      check("\(name).softDeleted", counts.softDeleted, 0...found.marked)
      check("\(name).reactivated", counts.reactivated, 0...found.cleared)
      check("\(name).updated", counts.updated + counts.softDeleted + counts.reactivated, found.changed)
      check(
        "\(name).linked", counts.linked,
        found.linked.columns...found.linked.columns + found.linked.lists)
      check(
        "\(name).unlinked", counts.unlinked,
        found.unlinked.columns...found.unlinked.columns + found.unlinked.lists)
    }
    let columns = models.values.reduce(into: (0, 0)) {
      $0 = ($0.0 + $1.linked.columns, $0.1 + $1.unlinked.columns)
    }
    check("links", report.linked, columns.0 + links.added...Int.max)
    check("cut links", report.unlinked, columns.1 + links.removed...Int.max)
    return result
  }
}

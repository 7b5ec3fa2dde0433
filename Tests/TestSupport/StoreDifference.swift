import Syncline

/// What a sync did to each model, found by comparing the rows before it with those after it.
///
/// The rule, which needs nothing but the two dumps:
///
/// - A row is what ``SynclineTesting`` shows of it: its stored values, and for **each relationship property** of its
///   model the identities at the other end, wherever the links are stored.
/// - A row that is there afterwards only is `inserted`; one that was there before only is `deleted`.
/// - A row that is there both times and is not the same counts once, as the first of these: `reactivated` (its
///   `deletedAt` was set and is nil), `softDeleted` (its `deletedAt` was nil and is set), `updated`. So a row whose
///   list gained or lost a member is updated, also if the link is stored in the member, and also if the member was
///   inserted or deleted.
/// - `linked` is the number of identities in the relationship properties of the rows that are there **afterwards**
///   which were not in the same property of the same row before; a row that was not there before had none. `unlinked`
///   is the number of those that were and are no longer. So a link counts at each end that has a property for it, a
///   link of a model to itself too; a deleted row counts for the other end alone; what was linked and unlinked within
///   one sync counts nowhere.
package struct StoreDifference: Equatable, Sendable {
  package typealias Counts = SyncReport.Counts

  /// The counts of each model that has some. `unchanged` and `skipped` are not to be seen in the rows, and are 0.
  package private(set) var models: [String: Counts] = [:]

  package init(from before: RowDump, to after: RowDump) {
    for (name, model) in after.models {
      let earlier = before.models[name]?.rows ?? [:]
      var counts = Counts()
      counts.deleted = earlier.keys.count { model.rows[$0] == nil }
      for (identity, row) in model.rows {
        let old = earlier[identity]
        count(row, was: old, &counts)
        for relationship in model.relationships {
          let (was, now) = (identities(old, relationship), identities(row, relationship))
          counts.linked += now.subtracting(was).count
          counts.unlinked += was.subtracting(now).count
        }
      }
      if counts != Counts() { models[name] = counts }
    }
  }

  private func count(_ row: SyncJSONObject, was old: SyncJSONObject?, _ counts: inout Counts) {
    guard let old else { return counts.inserted += 1 }
    guard row != old else { return }
    switch (old["deletedAt"] ?? .null, row["deletedAt"] ?? .null) {
    case (.null, .null): counts.updated += 1
    case (_, .null): counts.reactivated += 1
    case (.null, _): counts.softDeleted += 1
    default: counts.updated += 1
    }
  }

  private func identities(_ row: SyncJSONObject?, _ relationship: String) -> Set<SyncJSON> {
    switch row?[relationship] ?? .null {
    case .null: []
    case .array(let members): Set(members)
    case let other: [other]
    }
  }

  /// Where a report says something else: `Person.linked: reported 1, found 2`.
  package func disagreements(with report: SyncReport) -> [String] {
    Set(models.keys).union(report.models.keys).sorted().flatMap { name in
      let (found, reported) = (models[name] ?? Counts(), report.models[name] ?? Counts())
      return StoreDifference.fields.compactMap { label, field in
        let (found, reported) = (found[keyPath: field], reported[keyPath: field])
        return found == reported ? nil : "\(name).\(label): reported \(reported), found \(found)"
      }
    }
  }

  private static var fields: [(String, KeyPath<Counts, Int>)] {
    [
      ("inserted", \.inserted), ("updated", \.updated), ("deleted", \.deleted),
      ("softDeleted", \.softDeleted), ("reactivated", \.reactivated), ("linked", \.linked),
      ("unlinked", \.unlinked),
    ]
  }
}

import Foundation

/// What a sync did.
///
/// A row counts once, as the first of inserted, reactivated, updated and unchanged; <doc:Reports> has all rules of
/// counting. `print(report)` shows a table; the report encodes to JSON for logs.
public struct SyncReport: Sendable, Hashable, Codable {
  /// What a sync did to the rows of one model.
  public struct Counts: Sendable, Hashable, Codable {
    /// Rows that were not stored before.
    public var inserted = 0
    /// Rows with another value in a column, or other members in a list that they state themselves.
    public var updated = 0
    /// Rows that the payload names and nothing changed of.
    public var unchanged = 0
    /// Rows that are gone.
    public var deleted = 0
    /// Rows that were marked as deleted.
    public var softDeleted = 0
    /// Rows that were marked as deleted, and are not any more.
    public var reactivated = 0
    /// Rows of the payload that were left out.
    public var skipped = 0
    /// Objects of the payload that say another value than another object of the same row. They were merged, and what comes
    /// later counted. Where there are many, the key that is read as the identity may not identify the rows.
    public var merged = 0
    /// Links that are new. One that is stored in a to-one and named by the other end's list counts for both
    /// models.
    public var linked = 0
    /// Links that are gone.
    public var unlinked = 0

    /// Counts of nothing.
    public init() {}

    /// Whether nothing was written.
    public var isUnchanged: Bool {
      inserted + updated + deleted + softDeleted + reactivated + linked + unlinked == 0
    }

    static func += (left: inout Counts, right: Counts) {
      for (_, field) in fields { left[keyPath: field] += right[keyPath: field] }
    }

    static var fields: [(name: String, field: WritableKeyPath<Counts, Int>)] {
      [
        ("inserted", \.inserted), ("updated", \.updated), ("unchanged", \.unchanged), ("deleted", \.deleted),
        ("soft-deleted", \.softDeleted), ("reactivated", \.reactivated), ("skipped", \.skipped),
        ("merged", \.merged),
        ("linked", \.linked), ("unlinked", \.unlinked),
      ]
    }
  }

  /// The counts of each model by its name, those without any left out.
  public internal(set) var models: [String: Counts] = [:]
  /// Values that were not applied as they were: the first thousand.
  public internal(set) var problems: [SyncProblem] = []
  /// How many problems there were in all.
  public internal(set) var problemCount = 0
  /// Links that wait for rows which no payload has brought yet: the first thousand. They are made when the rows come.
  /// Where lists arrive one after the other that is ordinary.
  public internal(set) var waiting: [SyncWaitingLink] = []
  /// How many links wait in all.
  public internal(set) var waitingCount = 0
  /// What the schema and the payload do not know of each other; nil where nobody looked.
  public internal(set) var unreadKeys: SyncUnreadKeys?
  /// How long the sync took, in seconds, without the wait for others.
  public internal(set) var duration: TimeInterval = 0

  /// A report of nothing, such as one to compare with.
  public init() {}

  /// The counts of all models together.
  public var totals: Counts {
    models.values.reduce(into: Counts()) { $0 += $1 }
  }

  /// The new rows of all models.
  public var inserted: Int { totals.inserted }
  /// The changed rows of all models.
  public var updated: Int { totals.updated }
  /// The rows of all models that were named and stayed as they were.
  public var unchanged: Int { totals.unchanged }
  /// The deleted rows of all models.
  public var deleted: Int { totals.deleted }
  /// The rows of all models that were marked as deleted.
  public var softDeleted: Int { totals.softDeleted }
  /// The rows of all models that are not marked as deleted any more.
  public var reactivated: Int { totals.reactivated }
  /// The rows of the payload that were left out.
  public var skipped: Int { totals.skipped }
  /// The objects of all models that say another value than another object of the same row.
  public var merged: Int { totals.merged }
  /// The new links of all models.
  public var linked: Int { totals.linked }
  /// The links of all models that are gone.
  public var unlinked: Int { totals.unlinked }

  /// Whether the sync wrote nothing.
  public var isUnchanged: Bool { totals.isUnchanged }
}

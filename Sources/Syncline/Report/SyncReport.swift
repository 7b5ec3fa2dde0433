import Foundation

/// The result of a sync: counts of rows and links, problems, and pending links.
///
/// A row counts once, in the first of these counts that applies: inserted, reactivated, updated, unchanged. <doc:Reports> has all
/// rules for counting. `print(report)` shows a table. A report is `Codable`, so you can log it as JSON.
///
/// ```swift
/// let payload = #"[{"id": 1, "title": "Write", "updated_at": "soon", "tag_ids": [7]}]"#
/// let report = try await container.sync(payload: payload, as: Task.self)
/// print(report[Task.self].inserted, report.deleted)  // 1 0
/// for problem in report.problems { print(problem) }
/// // Task “1”, [0].updated_at: the string “soon” is not a valid Date (it is nil)
/// for link in report.waiting { print(link) }
/// // Task “1”, [0].tag_ids: Tag “7” is not stored yet
/// ```
///
/// ## Topics
///
/// ### Counts of one model
///
/// - ``SyncReport/subscript(_:)``
/// - ``SyncReport/models``
/// - ``SyncReport/Counts``
///
/// ### Counts of all models
///
/// - ``SyncReport/totals``
/// - ``SyncReport/inserted``
/// - ``SyncReport/updated``
/// - ``SyncReport/unchanged``
/// - ``SyncReport/deleted``
/// - ``SyncReport/softDeleted``
/// - ``SyncReport/reactivated``
/// - ``SyncReport/skipped``
/// - ``SyncReport/merged``
/// - ``SyncReport/linked``
/// - ``SyncReport/unlinked``
/// - ``SyncReport/kept``
/// - ``SyncReport/conflicts``
/// - ``SyncReport/isUnchanged``
///
/// ### Problems
///
/// - ``SyncReport/problems``
/// - ``SyncReport/problemCount``
/// - ``SyncReport/unreadKeys``
///
/// ### Pending links
///
/// - ``SyncReport/waiting``
/// - ``SyncReport/waitingCount``
///
/// ### Time
///
/// - ``SyncReport/duration``
///
/// ### Creating an empty report
///
/// - ``SyncReport/init()``
public struct SyncReport: Sendable, Hashable, Codable {
  /// The numbers of rows and links of one model, by what a sync did with them.
  ///
  /// ```swift
  /// let report = try await container.sync(item: #"{"id": 1, "title": "Write"}"#, as: Task.self)
  /// let counts = report[Task.self]
  /// print(counts.inserted, counts.updated, counts.unchanged)  // 1 0 0
  /// ```
  ///
  /// ## Topics
  ///
  /// ### Rows
  ///
  /// - ``SyncReport/Counts/inserted``
  /// - ``SyncReport/Counts/updated``
  /// - ``SyncReport/Counts/unchanged``
  /// - ``SyncReport/Counts/deleted``
  /// - ``SyncReport/Counts/softDeleted``
  /// - ``SyncReport/Counts/reactivated``
  /// - ``SyncReport/Counts/skipped``
  ///
  /// ### Objects of one row
  ///
  /// - ``SyncReport/Counts/merged``
  ///
  /// ### Links
  ///
  /// - ``SyncReport/Counts/linked``
  /// - ``SyncReport/Counts/unlinked``
  ///
  /// ### Local edits
  ///
  /// - ``SyncReport/Counts/kept``
  /// - ``SyncReport/Counts/conflicts``
  ///
  /// ### Looking for changes
  ///
  /// - ``SyncReport/Counts/isUnchanged``
  ///
  /// ### Creating empty counts
  ///
  /// - ``SyncReport/Counts/init()``
  public struct Counts: Sendable, Hashable, Codable {
    /// Rows that were not stored before.
    public var inserted = 0
    /// Stored rows with a changed column, or whose own object has a list that added or removed related rows.
    public var updated = 0
    /// Rows that the payload contains and that did not change.
    public var unchanged = 0
    /// Rows that were deleted.
    public var deleted = 0
    /// Rows that were marked as deleted.
    public var softDeleted = 0
    /// Rows that were marked as deleted before the sync and are not marked after it.
    public var reactivated = 0
    /// Rows of the payload that were skipped.
    public var skipped = 0
    /// Objects that have another value for a property than an earlier object with the same identity. The objects are merged, and
    /// the later value is stored. Lists of rows and `@Merged` values are not compared. If there are many such objects, the key
    /// that is read as the identity may not identify the rows.
    public var merged = 0
    /// New links. A link of a to-one relationship that is also in the list at the other end is counted for
    /// both models.
    public var linked = 0
    /// Links that were removed.
    public var unlinked = 0
    /// Rows with pending local edits that the payload contains or deletes, and that still differ from it: the edits were reapplied
    /// on top of the payload's values. The other counts compare the server's values, without the edits.
    public var kept = 0
    /// Edited values that the server has changed, too.
    public var conflicts = 0

    /// Creates counts of zero.
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
        ("merged", \.merged), ("linked", \.linked), ("unlinked", \.unlinked), ("kept", \.kept),
        ("conflicts", \.conflicts),
      ]
    }
  }

  /// The counts of each model, by name. Models without counts are left out.
  public internal(set) var models: [String: Counts] = [:]
  /// The first thousand problems: parts of the payload that could not be applied as they were.
  public internal(set) var problems: [SyncProblem] = []
  /// The number of all problems.
  public internal(set) var problemCount = 0
  /// Pending links, to rows that are not stored yet: the first thousand. They are made when the rows arrive. They are normal
  /// if you sync several lists one after the other.
  public internal(set) var waiting: [SyncWaitingLink] = []
  /// The number of all pending links.
  public internal(set) var waitingCount = 0
  /// Keys that the schema does not read, and properties that the payload does not have; nil if they were not checked.
  public internal(set) var unreadKeys: SyncUnreadKeys?
  /// How long the sync took, in seconds, without waiting for other calls.
  public internal(set) var duration: TimeInterval = 0

  /// Creates an empty report, to compare with another.
  public init() {}

  /// The counts of all models together.
  public var totals: Counts {
    models.values.reduce(into: Counts()) { $0 += $1 }
  }

  /// The number of new rows of all models.
  public var inserted: Int { totals.inserted }
  /// The number of changed rows of all models.
  public var updated: Int { totals.updated }
  /// The number of rows of all models that the payload contains and that did not change.
  public var unchanged: Int { totals.unchanged }
  /// The number of deleted rows of all models.
  public var deleted: Int { totals.deleted }
  /// The number of rows of all models that were marked as deleted.
  public var softDeleted: Int { totals.softDeleted }
  /// The number of rows of all models that are no longer marked as deleted.
  public var reactivated: Int { totals.reactivated }
  /// The number of rows of the payload that were skipped.
  public var skipped: Int { totals.skipped }
  /// The number of objects of all models that have another value for a property than an earlier object of the same
  /// row.
  public var merged: Int { totals.merged }
  /// The number of new links of all models.
  public var linked: Int { totals.linked }
  /// The number of removed links of all models.
  public var unlinked: Int { totals.unlinked }
  /// The number of rows of all models whose local edits were reapplied on top of the payload's values.
  public var kept: Int { totals.kept }
  /// The number of edited values of all models that the server has changed, too.
  public var conflicts: Int { totals.conflicts }

  /// Whether the sync wrote nothing.
  public var isUnchanged: Bool { totals.isUnchanged }
}

import Foundation

/// What a sync did.
///
/// A row counts once, as the first of inserted, reactivated, updated and unchanged; <doc:Reports> has all rules of
/// counting. `print(report)` shows a table; the report encodes to JSON for logs.
public struct SyncReport: Sendable, Hashable, Codable {
  /// What a sync did to the rows of one model.
  public struct Counts: Sendable, Hashable, Codable {
    public var inserted = 0
    public var updated = 0
    public var unchanged = 0
    public var deleted = 0
    public var softDeleted = 0
    public var reactivated = 0
    /// Rows of the payload that were left out.
    public var skipped = 0
    /// Links that are new. One that is stored in a to-one and named by the other end's list counts for both
    /// models.
    public var linked = 0
    /// Links that are gone.
    public var unlinked = 0

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
        ("linked", \.linked), ("unlinked", \.unlinked),
      ]
    }
  }

  /// The counts of each model by its name, those without any left out.
  public internal(set) var models: [String: Counts] = [:]
  /// What was not applied as it stood: the first thousand.
  public internal(set) var problems: [SyncProblem] = []
  /// How many problems there were in all.
  public internal(set) var problemCount = 0
  /// Links that wait for rows which no payload has brought yet: the first thousand. They are made when the rows come.
  /// Where lists arrive one after the other that is ordinary.
  public internal(set) var waiting: [SyncWaitingLink] = []
  /// How many links wait in all.
  public internal(set) var waitingCount = 0
  /// How long the sync took, in seconds, without the wait for others.
  public internal(set) var duration: TimeInterval = 0

  public init() {}

  /// The counts of all models together.
  public var totals: Counts {
    models.values.reduce(into: Counts()) { $0 += $1 }
  }

  public var inserted: Int { totals.inserted }
  public var updated: Int { totals.updated }
  public var unchanged: Int { totals.unchanged }
  public var deleted: Int { totals.deleted }
  public var softDeleted: Int { totals.softDeleted }
  public var reactivated: Int { totals.reactivated }
  public var skipped: Int { totals.skipped }
  public var linked: Int { totals.linked }
  public var unlinked: Int { totals.unlinked }

  /// Whether the sync wrote nothing.
  public var isUnchanged: Bool { totals.isUnchanged }
}

extension SyncReport: CustomStringConvertible {
  /// A table of the models, the columns without a count left out, and the problems below it.
  public var description: String {
    let rows = models.sorted { $0.key < $1.key } + (models.count > 1 ? [("all", totals)] : [])
    let fields = Counts.fields.filter { field in
      field.name == "inserted" || field.name == "updated" || field.name == "unchanged"
        || rows.contains { $0.value[keyPath: field.field] > 0 }
    }
    let header = ["model"] + fields.map(\.name)
    let lines =
      [header] + rows.map { name, counts in [name] + fields.map { String(counts[keyPath: $0.field]) } }
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var text = lines.map { line in
      line.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }
      .joined(separator: "  ")
    }
    .joined(separator: "\n")
    text += "\n" + String(Int((duration * 1_000_000).rounded())) + " µs"
    if waitingCount > 0 {
      text += ", \(waitingCount) link\(waitingCount == 1 ? " waits for its row" : "s wait for their rows")"
    }
    if problemCount > 0 {
      text += ", \(problemCount) problem\(problemCount == 1 ? "" : "s"):"
      for problem in problems.prefix(20) { text += "\n  \(problem)" }
      if problemCount > 20 { text += "\n  … and \(problemCount - 20) more" }
    }
    return text
  }
}

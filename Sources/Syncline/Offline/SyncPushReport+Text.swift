extension SyncPushReport: CustomStringConvertible {
  /// The counts that are not 0, the problems and errors, and the report of the synced rows.
  public var description: String {
    let counts = [
      (confirmed, "confirmed"), (rejected, "rejected"),
      (conflicts, conflicts == 1 ? "conflict" : "conflicts"),
      (unanswered, "unanswered"),
    ]
    let outcomes = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
    var text = (["\(sent) sent"] + outcomes).joined(separator: ", ")
    for problem in problems { text += "\n  \(problem)" }
    for error in errors { text += "\n  \(error)" }
    if !synced.models.isEmpty { text += "\n\(synced)" }
    return text
  }
}

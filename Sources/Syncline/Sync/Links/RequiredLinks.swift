/// Required links of new rows whose targets are not stored yet.
final class RequiredLinks {
  private unowned(unsafe) let run: Run
  /// The errors, in case nothing else gives the rows their targets.
  private var errors: [LinkPlace: SyncError] = [:]

  init(_ run: Run) {
    self.run = run
  }

  var isEmpty: Bool { errors.isEmpty }

  func add(_ place: LinkPlace, error: SyncError) {
    errors[place] = error
  }

  /// The error of a row whose target was not stored when the row was made.
  func error(of place: LinkPlace) -> SyncError? { errors[place] }

  /// Restarts with a log of link statements if a target is still missing: a list or a pending link may give the row another.
  func check() throws {
    for place in errors.keys {
      guard let target = try run.target(of: place) else { continue }
      if try !run.rows(place.end.target).exists(target) { try run.logLinks() }
    }
  }
}

import Syncline
import Testing

extension TextStore {
  /// Syncs a payload, and expects that neither it changes anything again, nor what is exported then.
  @discardableResult
  func expectRoundTrip(
    _ payload: String, as name: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> SyncReport {
    let report = try await sync(payload, as: name)
    try await expectUnchanged(by: payload, as: name, sourceLocation: sourceLocation)
    return report
  }

  /// Expects that a payload changes nothing, nor its rows in reverse, nor an export of the model.
  func expectUnchanged(
    by payload: String, as name: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try rows(of: name)
    let exported = try await export(name)
    let reversed = try SyncJSON(parsing: payload).array.map { SyncJSON.array(Array($0.reversed())) }
    for again in [payload, reversed?.description ?? payload, exported] {
      let report = try await sync(again, as: name)
      #expect(report.isUnchanged, "\(again)", sourceLocation: sourceLocation)
      guard again == exported else { continue }
      // A row that its list leaves out may have to stay.
      let problems = report.problems.filter { $0.action != .keptRow }
      #expect(problems == [], "\(again)", sourceLocation: sourceLocation)
    }
    #expect(try rows(of: name) == before, sourceLocation: sourceLocation)
    #expect(try await export(name) == exported, sourceLocation: sourceLocation)
    let data = try await exportData(name)
    #expect(
      try SyncJSON(parsing: data) == SyncJSON(parsing: exported), "\(data)", sourceLocation: sourceLocation)
  }
}

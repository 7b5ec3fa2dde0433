import Syncline
import SynclineTesting
import Testing

/// The values of a model's property after payloads with the given values.
///
/// Each value is synced into a new row and into a known one, and then again. Both rows must be equal, and the second sync must
/// change nothing.
struct ScalarReadings {
  let values: [SyncJSON]
  let problems: [[SyncProblem]]

  /// - Parameter texts: the JSON texts of the values, one for each row.
  init<Model: SyncUpdatableModel>(
    of property: String, _ texts: [String], as model: Model.Type = Kinds.self, key: String? = nil
  ) async throws {
    let key = key ?? property
    let payload =
      "[" + texts.enumerated().map { #"{"id": \#($0 + 1), "\#(key)": \#($1)}"# }.joined(separator: ",") + "]"
    let bare = "[" + texts.indices.map { #"{"id": \#($0 + 1)}"# }.joined(separator: ",") + "]"

    let inserting = try makeStore()
    let report = try await inserting.sync(payload: payload, as: model)
    let inserted = try inserting.rows(of: model).map { $0[property] ?? .null }

    let updating = try makeStore()
    try await updating.sync(payload: bare, as: model)
    try await updating.sync(payload: payload, as: model)
    let updated = try updating.rows(of: model).map { $0[property] ?? .null }
    #expect(inserted == updated, "a new and a known row read \(property) alike")

    let again = try await inserting.sync(payload: payload, as: model)
    #expect(again.isUnchanged, "the same \(property) once more changes nothing")
    #expect(again.unchanged == texts.count)

    values = inserted
    problems = texts.indices.map { index in report.problems.filter { $0.row == index } }
    #expect(report.problems.allSatisfy { $0.row != nil })
  }
}

/// Expects that a property reads each text as the value next to it.
func expectAccepted<Model: SyncUpdatableModel>(
  _ property: String, _ cases: [(text: String, value: SyncJSON)], as model: Model.Type = Kinds.self,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let readings = try await ScalarReadings(of: property, cases.map(\.text), as: model)
  for (index, (text, value)) in cases.enumerated() {
    #expect(readings.values[index] == value, "\(property) ← \(text)", sourceLocation: sourceLocation)
    #expect(readings.problems[index] == [], "\(property) ← \(text)", sourceLocation: sourceLocation)
  }
}

/// Expects that an optional property of a new row rejects each text, and that the problem has the right path.
func expectRefused(
  _ property: String, _ texts: [String], sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let readings = try await ScalarReadings(of: property, texts)
  for (index, text) in texts.enumerated() {
    #expect(readings.values[index] == .null, "\(property) ← \(text)", sourceLocation: sourceLocation)
    let problems = readings.problems[index]
    #expect(problems.map(\.action) == [.usedNil], "\(property) ← \(text)", sourceLocation: sourceLocation)
    // The path may lead to an element of the value.
    #expect(
      problems.first?.path.hasPrefix("[\(index)].\(property)") == true, sourceLocation: sourceLocation)
    #expect(problems.first?.identity == String(index + 1), sourceLocation: sourceLocation)
    #expect(problems.first?.model == "Kinds", sourceLocation: sourceLocation)
  }
}

import SynclineTesting

@testable import Syncline

extension SyncContainer {
  /// The report or error of a sync without its duration, for comparing stores.
  func outcome<Model: SyncUpdatableModel>(of payload: String, as model: Model.Type) async -> String {
    do {
      let report = try await sync(payload: payload, as: model)
      var lines = report.models.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines += report.problems.map { "\($0)" } + report.waiting.map { "\($0)" }
      lines.append("\(report.problemCount) \(report.waitingCount)")
      return lines.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  /// The rows of all models. The time of a soft deletion is omitted, because it is that of the sync.
  func everythingButTimes() throws -> [String: [String]] {
    try everything().mapValues { rows in
      rows.map { row in
        guard case .object(var object) = row else { return "\(row)" }
        if let mark = object["deletedAt"], mark != .null { object["deletedAt"] = "marked" }
        return "\(SyncJSON.object(object))"
      }
    }
  }
}

/// The first two lines that differ.
func difference(_ text: String, _ other: String) -> String {
  let start = text.commonPrefix(with: other).count
  return "\(text.dropFirst(start).prefix(200)) not \(other.dropFirst(start).prefix(200))"
}

import Syncline
import SynclineInterpreter
import SynclineTooling
import Testing

/// The schema that is proposed for a payload, and what a sync with it stores.
struct InferredSchema {
  let text: String
  private let trial: Trial

  /// - Parameters:
  ///   - path: the path of the rows for the proposal.
  ///   - syncPath: their path for the sync, if it is another one.
  init(of payload: String, at path: String? = nil, syncedAt syncPath: String? = nil) async throws {
    var sample = SampleRows()
    try sample.add(Array(payload.utf8), at: path)
    let text = SchemaInference(of: sample, named: "Row").text
    let schema = InterpretedSchema(try #require(analysisWithoutErrors(of: text).schema))
    self.text = text
    trial = try await Trial(
      of: Array(payload.utf8), at: syncPath ?? path, as: .model(try #require(schema.model("Row"))),
      in: schema,
      SyncConfiguration())
  }

  /// Whether everything could be read.
  var isClean: Bool { trial.isClean }

  /// The number of rows that are stored.
  func rows(of model: String = "Row") -> Int { trial.tables.first { $0.model == model }?.rows ?? 0 }

  /// Whether no two objects of the payload became one row.
  var keepsAllRows: Bool { trial.report.models.values.allSatisfy { $0.merged == 0 } }

  /// The stored values, as they are shown.
  func values(of model: String = "Row") -> [[String]] {
    trial.tables.first { $0.model == model }?.values ?? []
  }
}

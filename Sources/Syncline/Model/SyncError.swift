import Foundation

/// Why a container could not be opened or a payload not synced.
public enum SyncError: Error, Equatable, Sendable {
  /// The payload is not JSON, not of the expected shape, or a row of it cannot be kept. Nothing was written.
  ///
  /// The reason names the property, the JSON path and the row. The model is empty where the text is no JSON.
  case invalidPayload(model: String, reason: String)
  /// The call's task was cancelled. Nothing was written.
  case cancelled
  /// The models do not fit together.
  case schemaValidation(reason: String)
  /// The store could not be opened or does not fit the models.
  case containerInitialization(reason: String)
}

extension SyncError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidPayload("", let reason): "Invalid payload: \(reason)"
    case .invalidPayload(let model, let reason): "Invalid payload for \(model): \(reason)"
    case .cancelled: "The sync was cancelled."
    case .schemaValidation(let reason): "Invalid schema: \(reason)"
    case .containerInitialization(let reason): "The store could not be opened: \(reason)"
    }
  }

  public var errorDescription: String? { description }
}

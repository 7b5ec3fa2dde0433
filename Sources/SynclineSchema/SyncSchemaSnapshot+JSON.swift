import Foundation

extension SyncSchemaSnapshot {
  /// Thrown if a text is not a schema.
  public struct ReadingError: Error, CustomStringConvertible {
    /// The message for the user.
    public let description: String
  }

  /// Reads a schema from JSON, as written by `syncline snapshot` or saved in a store.
  ///
  /// - Throws: ``ReadingError``
  public init(json: Data) throws {
    do {
      self = try JSONDecoder().decode(SyncSchemaSnapshot.self, from: json)
    } catch let error as DecodingError {
      throw ReadingError(description: error.sentence)
    }
  }

  /// The schema as JSON, with each member on its own line.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

extension DecodingError {
  fileprivate var sentence: String {
    switch self {
    case .keyNotFound(let key, let context): "there is no “\(key.stringValue)”\(place(context))"
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      context.debugDescription + place(context)
    @unknown default: localizedDescription
    }
  }

  private func place(_ context: Context) -> String {
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? "" : " at \(path)"
  }
}

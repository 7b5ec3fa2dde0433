import Foundation

/// A payload with the validator and the cursor of its response. Both are stored in the transaction of the sync.
///
/// To make the next request, read them with the container's `validator(for:)` and `cursor(for:)`.
///
/// ```swift
/// let validator = SyncValidator(etag: #""v1""#)
/// let response = SyncResponse(#"[{"id": 1, "title": "Write"}]"#, validator: validator)
/// try await container.sync(payload: response, as: Task.self)
/// print(try await container.validator(for: Task.self)?.etag ?? "none")  // "v1"
/// ```
///
/// ## Topics
///
/// ### Reading the bytes
///
/// - ``SyncResponse/syncPayloadBytes()``
public struct SyncResponse: SyncPayloadSource, Sendable {
  private let bytes: SyncPayloadBytes

  /// Creates a response from any payload.
  ///
  /// - Parameters:
  ///   - body: the payload.
  ///   - name: identifies the response if the model has more than one: a path, or the identity of a parent.
  ///   - validator: the validator of the response; nil removes that of an earlier response.
  ///   - cursor: the server's cursor for the next call; nil keeps that of an earlier response.
  /// - Throws: the errors of ``SyncPayloadSource/syncPayloadBytes()``.
  @_disfavoredOverload
  public init(
    _ body: some SyncPayloadSource, name: String = "", validator: SyncValidator? = nil, cursor: String? = nil
  ) throws {
    self.init(
      bytes: try body.syncPayloadBytes(), ResponseBookmark(name: name, validator: validator, cursor: cursor))
  }

  /// Creates a response from data, such as its body.
  public init(_ body: Data, name: String = "", validator: SyncValidator? = nil, cursor: String? = nil) {
    self.init(
      bytes: SyncPayloadBytes(body), ResponseBookmark(name: name, validator: validator, cursor: cursor))
  }

  /// Creates a response from a string.
  public init(_ body: String, name: String = "", validator: SyncValidator? = nil, cursor: String? = nil) {
    self.init(
      bytes: SyncPayloadBytes(Array(body.utf8)),
      ResponseBookmark(name: name, validator: validator, cursor: cursor))
  }

  /// Creates a response from a JSON:API document.
  public init(
    _ body: SyncDocument, name: String = "", validator: SyncValidator? = nil, cursor: String? = nil
  ) {
    self.init(
      bytes: body.syncPayloadBytes(), ResponseBookmark(name: name, validator: validator, cursor: cursor))
  }

  private init(bytes: SyncPayloadBytes, _ bookmark: ResponseBookmark) {
    var bytes = bytes
    bytes.response = bookmark
    self.bytes = bytes
  }

  public func syncPayloadBytes() -> SyncPayloadBytes { bytes }
}

/// The name, validator and cursor of a response, as stored.
struct ResponseBookmark {
  let name: String
  let validator: SyncValidator?
  let cursor: String?
}

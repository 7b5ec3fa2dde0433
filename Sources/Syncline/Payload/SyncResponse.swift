import Foundation

/// A payload, and what its server calls it by: stored in the transaction of the payload's sync.
///
/// ```swift
/// let validator = SyncValidator(etag: fields["ETag"], lastModified: fields["Last-Modified"])
/// try await container.sync(payload: SyncResponse(body, validator: validator), as: Task.self)
/// ```
public struct SyncResponse: SyncPayloadSource, Sendable {
  private let bytes: SyncPayloadBytes

  /// A payload of any kind.
  ///
  /// - Parameters:
  ///   - body: the payload.
  ///   - name: which of the model's responses it is, where it has more than one: a path, or the identity of a parent.
  ///   - validator: what the response is known by; nil forgets that of an earlier one.
  ///   - cursor: where the server goes on, for the next call; nil leaves that of an earlier one.
  /// - Throws: what ``SyncPayloadSource/syncPayloadBytes()`` throws.
  @_disfavoredOverload
  public init(
    _ body: some SyncPayloadSource, name: String = "", validator: SyncValidator? = nil, cursor: String? = nil
  ) throws {
    self.init(
      bytes: try body.syncPayloadBytes(), ResponseBookmark(name: name, validator: validator, cursor: cursor))
  }

  /// Data, such as the body of a response.
  public init(_ body: Data, name: String = "", validator: SyncValidator? = nil, cursor: String? = nil) {
    self.init(
      bytes: SyncPayloadBytes(body), ResponseBookmark(name: name, validator: validator, cursor: cursor))
  }

  /// Text.
  public init(_ body: String, name: String = "", validator: SyncValidator? = nil, cursor: String? = nil) {
    self.init(
      bytes: SyncPayloadBytes(Array(body.utf8)),
      ResponseBookmark(name: name, validator: validator, cursor: cursor))
  }

  /// A JSON:API document.
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

/// What the store remembers of a response.
struct ResponseBookmark {
  let name: String
  let validator: SyncValidator?
  let cursor: String?
}

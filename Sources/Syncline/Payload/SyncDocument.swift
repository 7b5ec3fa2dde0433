import Foundation

/// A document of JSON:API as a payload: resources with `attributes` and `relationships`, and those that are `included`.
///
/// ```swift
/// try await container.sync(payload: SyncDocument(body), as: Article.self)
/// ```
public struct SyncDocument: SyncPayloadSource, Sendable {
  private let bytes: SyncPayloadBytes

  /// A document of any payload.
  ///
  /// - Throws: what ``SyncPayloadSource/syncPayloadBytes()`` throws.
  @_disfavoredOverload
  public init(_ document: some SyncPayloadSource) throws { bytes = try document.syncPayloadBytes().document }

  /// A document of data, such as the body of a response.
  public init(_ document: Data) { bytes = SyncPayloadBytes(document).document }

  /// A document of text.
  public init(_ document: String) { bytes = SyncPayloadBytes(Array(document.utf8)).document }

  /// A document of a response, whose validator is stored with its rows.
  public init(_ response: SyncResponse) { bytes = response.syncPayloadBytes().document }

  init(_ bytes: SyncPayloadBytes) { self.bytes = bytes.document }

  public func syncPayloadBytes() -> SyncPayloadBytes { bytes }
}

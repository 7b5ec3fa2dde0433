import Foundation

/// A JSON:API document as a payload: resources with `attributes` and `relationships`, and the `included` resources.
///
/// ```swift
/// try await container.sync(payload: SyncDocument(body), as: Article.self)
/// ```
public struct SyncDocument: SyncPayloadSource, Sendable {
  private let bytes: SyncPayloadBytes

  /// Treats any payload as a JSON:API document.
  ///
  /// - Throws: the errors of ``SyncPayloadSource/syncPayloadBytes()``.
  @_disfavoredOverload
  public init(_ document: some SyncPayloadSource) throws { bytes = try document.syncPayloadBytes().document }

  /// A document as data, such as the body of a response.
  public init(_ document: Data) { bytes = SyncPayloadBytes(document).document }

  /// A document as a string.
  public init(_ document: String) { bytes = SyncPayloadBytes(Array(document.utf8)).document }

  /// A document from a response, whose validator is stored with its rows.
  public init(_ response: SyncResponse) { bytes = response.syncPayloadBytes().document }

  init(_ bytes: SyncPayloadBytes) { self.bytes = bytes.document }

  public func syncPayloadBytes() -> SyncPayloadBytes { bytes }
}

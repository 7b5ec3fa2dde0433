/// The `ETag` and `Last-Modified` of a response, for a later conditional request.
///
/// Sync the response as a ``SyncResponse`` to store its validator with the rows. If nothing changed, the server answers the
/// next request with `304 Not Modified`.
///
/// ```swift
/// let validator = try await container.validator(for: Task.self)
/// for (name, value) in validator?.requestFields ?? [] {
///   print(name, value)  // If-None-Match "v1"
/// }
/// ```
///
/// ## Topics
///
/// ### Creating a validator
///
/// - ``SyncValidator/init(etag:lastModified:)``
///
/// ### Fields of the response
///
/// - ``SyncValidator/etag``
/// - ``SyncValidator/lastModified``
///
/// ### Fields of the next request
///
/// - ``SyncValidator/requestFields``
public struct SyncValidator: Sendable, Hashable {
  /// The `ETag` field, as received.
  public var etag: String?
  /// The `Last-Modified` field, as received.
  public var lastModified: String?

  /// Creates a validator from a response's fields; nil if both are nil.
  public init?(etag: String?, lastModified: String? = nil) {
    guard etag != nil || lastModified != nil else { return nil }
    self.etag = etag
    self.lastModified = lastModified
  }

  /// The header fields of a conditional request. The server answers it with `304 Not Modified` if nothing changed.
  public var requestFields: [(name: String, value: String)] {
    [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
      value.map { (name, $0) }
    }
  }

  var stored: String {
    SyncJSON.array([etag, lastModified].map { $0.map(SyncJSON.string) ?? .null }).description
  }

  init?(stored text: String) {
    guard let fields = try? SyncJSON(parsing: text).array, fields.count == 2 else { return nil }
    self.init(etag: fields[0].string, lastModified: fields[1].string)
  }
}

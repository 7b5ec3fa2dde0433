/// What a server calls a response by, so that it can be asked whether there is a newer one.
public struct SyncValidator: Sendable, Hashable {
  /// The field `ETag`, as it came.
  public var etag: String?
  /// The field `Last-Modified`, as it came.
  public var lastModified: String?

  /// A validator of a response's fields; nil where it has none of them.
  public init?(etag: String?, lastModified: String? = nil) {
    guard etag != nil || lastModified != nil else { return nil }
    self.etag = etag
    self.lastModified = lastModified
  }

  /// The fields of a request that is answered by `304 Not Modified` where nothing is newer.
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

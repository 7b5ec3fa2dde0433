/// A row of one of several models, distinguished by a key of their objects: `union FeedItem on "type" { case post: Post }`.
///
/// ```swift
/// try await container.sync(payload: feed, as: FeedItem.self)
/// for item in try feed.fetchItems(db) {
///   switch item {
///   case .post(let post): print(post.title)
///   case .photo(let photo): print(photo.url)
///   case .unrecognized: break
///   }
/// }
/// ```
public protocol SyncUnion: Sendable, Equatable, Identifiable where ID == Reference {
  /// The identity of a row, together with its case.
  associatedtype Reference: SyncUnionReference

  /// The cases, and the keys and types that distinguish them.
  @_spi(Generated)
  static var syncCases: SyncUnionCases<any SyncUpdatableModel.Type> { get }
}

/// The identity of a row of a ``SyncUnion``, together with its case.
public protocol SyncUnionReference: Sendable, Hashable {
  /// The server's name for the type of the row.
  var type: String { get }

  /// A row of a type that the schema does not know.
  static func unrecognized(_ type: String) -> Self
}

extension SyncUnionReference {
  /// Creates a reference for a row of a type that the schema does not know. Generated code calls it.
  @_spi(Generated)
  public init?(unrecognized type: String?) {
    guard let type else { return nil }
    self = .unrecognized(type)
  }
}

/// Reads the type of a row if the schema does not know that type. Generated code uses it.
@_spi(Generated)
public enum SyncUnrecognized<Union: SyncUnion>: SyncTransform {
  /// Reads a type; nil for a type that the schema knows, and for other values, which are reported with the row.
  public static func read(_ json: SyncJSON) -> String? {
    guard let type = json.string else { return nil }
    return Union.syncCases.hasCase(ofType: type) ? nil : type
  }

  public static func write(_ value: String) -> SyncJSON { .string(value) }
}

extension SyncUnrecognized: SyncNamedType {
  package static var syncName: String { Union.syncCases.name }
}

extension SyncUnionCases where Element == any SyncUpdatableModel.Type {
  /// The table of the first case, whose target has the style of the union's keys.
  var table: SyncTable? { cases.first?.element.syncTable }
}

import GRDB

/// The identity of a related row.
///
/// ```swift
/// task.project?.id                     // 5
/// task.project = Reference(project)
/// ```
public struct Reference<Model: SyncModelable>: Hashable, Sendable {
  /// The identity of the row.
  public let id: Model.SyncID

  /// A reference to the row of an identity, which need not be stored yet.
  @inlinable
  public init(id: Model.SyncID) {
    self.id = id
  }

  /// A reference to a row that is at hand.
  public init(_ model: Model) {
    id = model[keyPath: Model.syncIdentity]
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.id.syncIdentity == right.id.syncIdentity
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id.syncIdentity)
  }
}

extension Reference: Codable {
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(Model.SyncID.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension Reference: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue { id.syncDatabaseValue }

  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    Model.SyncID.syncLoad(value).map { Self(id: $0) }
  }
}

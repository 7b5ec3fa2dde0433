import GRDB

/// The identity of a related row: the value of a to-one relationship.
///
/// A reference does not fetch the row. The row need not be stored when you make the reference, but it must be stored when the
/// transaction that writes the reference ends.
///
/// ```swift
/// let project = Project(id: 5, name: "Documentation")
/// var task = Task(id: 1, title: "Write", project: Reference(project))
/// print(task.project?.id ?? 0)  // 5
/// task.project = Reference(id: 7)
/// ```
///
/// ## Topics
///
/// ### Creating a reference
///
/// - ``Reference/init(_:)``
/// - ``Reference/init(id:)``
///
/// ### Reading the identity
///
/// - ``Reference/id``
public struct Reference<Model: SyncModelable>: Hashable, Sendable {
  /// The identity of the row.
  public let id: Model.SyncID

  /// A reference to the row with an identity. The row need not be stored yet.
  @inlinable
  public init(id: Model.SyncID) {
    self.id = id
  }

  /// A reference to a row that you already have.
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

import GRDB

/// A conflict: a value that was edited on this device, and that the server has changed, too.
///
/// ``SyncConfiguration/conflict`` chooses the value that the row gets. The values have their stored form; ``values(of:)``
/// returns them in the type of a column.
///
/// ```swift
/// configuration.conflict = { conflict in
///   print(conflict.property, conflict.base, conflict.local, conflict.remote)
///   return .local
/// }
/// ```
public struct SyncConflict: Sendable {
  /// The value that the row gets.
  public enum Choice: Sendable {
    /// The edit stays, and is pushed.
    case local
    /// The server's value replaces the edit.
    case remote
    /// Another value, which becomes the edit.
    case value(any DatabaseValueConvertible & Sendable)
  }

  /// The model of the row.
  public let model: String
  /// The identity of the row.
  public let identity: String
  /// The property that was edited.
  public let property: String
  /// The server's value when the property was edited.
  public let base: DatabaseValue
  /// The edited value.
  public let local: DatabaseValue
  /// The server's value in the payload.
  public let remote: DatabaseValue

  /// Creates a conflict, for tests of your ``SyncConfiguration/conflict`` closure.
  ///
  /// - Parameters:
  ///   - model: the model of the row.
  ///   - identity: the identity of the row.
  ///   - property: the property that was edited.
  ///   - base: the server's value when the property was edited.
  ///   - local: the edited value.
  ///   - remote: the server's value in the payload.
  public init(
    model: String, identity: String, property: String, base: DatabaseValue, local: DatabaseValue,
    remote: DatabaseValue
  ) {
    (self.model, self.identity, self.property) = (model, identity, property)
    (self.base, self.local, self.remote) = (base, local, remote)
  }
}

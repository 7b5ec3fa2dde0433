import GRDB

/// A model with a single row, `@Singleton`: the configuration of an app, or the state of an account.
///
/// ```swift
/// try await container.sync(item: body, as: Config.self)
/// let config = try await container.database.read { try Config.fetchSingleton($0) }
/// ```
///
/// Nothing in a payload identifies the row, so any object of the model is this row.
///
/// ## Topics
///
/// ### Reading
///
/// - ``fetchSingleton(_:)``
public protocol SyncSingleton: SyncGeneratedModel where SyncID: SyncCompositeID {}

extension SyncSingleton {
  /// The row; nil if it is not stored.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when a column's value does not fit its property, `DatabaseError` when
  ///   SQLite cannot read.
  public static func fetchSingleton(_ db: Database) throws -> Self? {
    try fetchOne(db, key: SyncIDWriter().text)
  }
}

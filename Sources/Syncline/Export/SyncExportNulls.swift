/// What an export writes for properties that are nil.
///
/// ```swift
/// let body = try await container.export(task, nulls: .omit)
/// ```
///
/// Without it, ``SyncConfiguration/exportsNulls`` decides.
public enum SyncExportNulls: String, Sendable, Hashable, Codable {
  /// Null.
  case write
  /// Nothing: the key is left out, in nested rows and in values too. Lists, and values of the type `JSON`, are written as they are.
  case omit
}

/// Whether an export writes properties that are nil.
///
/// ```swift
/// let body = try await container.export(task, nulls: .omit)
/// ```
///
/// If a call passes no value, ``SyncConfiguration/exportsNulls`` applies.
public enum SyncExportNulls: String, Sendable, Hashable, Codable {
  /// Properties that are nil are written as null.
  case write
  /// The keys of properties that are nil are left out, also in nested rows and in values of structs. An empty list is written as
  /// `[]`, and a value of the type `JSON` keeps its nulls.
  case omit
}

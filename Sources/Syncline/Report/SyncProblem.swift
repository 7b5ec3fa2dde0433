/// A part of a payload that a sync could not apply as it was, and what the sync did instead.
///
/// A problem does not end the sync. ``SyncReport/problems`` lists them in the order of the rows.
///
/// ```swift
/// let payload = #"[{"id": 1, "title": "Write", "updated_at": "soon"}]"#
/// let report = try await container.sync(payload: payload, as: Task.self)
/// for problem in report.problems {
///   print(problem.path, problem.action)  // [0].updated_at usedNil
///   print(problem)  // Task “1”, [0].updated_at: the string “soon” is not a valid Date (it is nil)
/// }
/// ```
///
/// ## Topics
///
/// ### Finding the value
///
/// - ``SyncProblem/model``
/// - ``SyncProblem/row``
/// - ``SyncProblem/identity``
/// - ``SyncProblem/path``
///
/// ### Understanding the problem
///
/// - ``SyncProblem/reason``
/// - ``SyncProblem/action``
/// - ``SyncProblem/Action``
/// - ``SyncProblem/description``
public struct SyncProblem: Sendable, Hashable, Codable {
  /// What a sync did with a value.
  public enum Action: String, Sendable, Codable {
    /// The value could not be read. The row keeps its stored value.
    case keptStoredValue
    /// The value could not be read. A new row has the property's default; a required date is the first instant
    /// of 1970.
    case usedDefault
    /// The value could not be read. The property of a new row is nil.
    case usedNil
    /// A number with a fraction was read as an integer.
    case truncatedFraction
    /// A row was skipped: it cannot be stored (with ``SyncConfiguration/InvalidRows/skip``), has no identity, or has a type that
    /// the schema does not know.
    case skippedRow
    /// A link stays unchanged: its value could not be read, or the change would unlink a row that requires a partner.
    case keptLink
    /// Some elements of a list could not be read: the others were linked, and no member was removed.
    case ignoredElements
    /// A nested object was ignored: it does not describe the row to which its foreign key refers, is not a row,
    /// or is nested too deeply.
    case ignoredObject
    /// A row was not deleted, because another row prevents the deletion; or it was not unlinked, because it requires its owner.
    case keptRow
    /// An empty list deleted no rows, because the call has `requireNonEmptyFullSlice`, or a policy has
    /// `requireNonEmpty`.
    case deletedNothing
    /// The value has a type that the schema does not know. It is stored unchanged.
    case keptAsItCame
    /// The row has no readable `@UpdatedAt`. It was applied as if it were newer.
    case appliedWithoutStamp
  }

  /// The model of the row.
  public let model: String
  /// The index of the row in the payload, counted from 0; nil for an item.
  public let row: Int?
  /// The identity of the row, if it has one.
  public let identity: String?
  /// The JSON path of the value: `[3].user.name`.
  public let path: String
  /// What is wrong with the value.
  public let reason: String
  /// What the sync did instead.
  public let action: Action
}

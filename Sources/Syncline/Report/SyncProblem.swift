/// A value of a payload that was not applied as it stood, and what was done instead.
public struct SyncProblem: Sendable, Hashable, Codable {
  /// What a sync did about a value.
  public enum Action: String, Sendable, Codable {
    case keptStoredValue
    case usedDefault
    case usedNil
    case truncatedFraction
    case skippedRow
    case keptLink
    case ignoredElements
    case ignoredObject
    case keptRow
    case deletedNothing
    case appliedWithoutStamp
  }

  /// The model of the row.
  public let model: String
  /// The index of the row in the payload, counted from 0; nil for an item.
  public let row: Int?
  /// The identity of the row, where it has one.
  public let identity: String?
  /// The JSON path of the value: `[3].user.name`.
  public let path: String
  /// What is wrong with the value.
  public let reason: String
  /// What was done about it.
  public let action: Action
}

extension SyncProblem: CustomStringConvertible {
  public var description: String {
    let place = [model, identity.map { "“\($0)”" }].compactMap { $0 }.joined(separator: " ")
    return "\(place), \(path.isEmpty ? "the payload" : path): \(reason) (\(action.sentence))"
  }
}

extension SyncProblem.Action {
  var sentence: String {
    switch self {
    case .keptStoredValue: "the stored value was kept"
    case .usedDefault: "the default was used"
    case .usedNil: "it is nil"
    case .truncatedFraction: "the fraction was cut"
    case .skippedRow: "the row was skipped"
    case .keptLink: "the link was kept"
    case .ignoredElements: "readable elements were added, nothing was removed"
    case .ignoredObject: "the object was ignored"
    case .keptRow: "the row was kept"
    case .deletedNothing: "nothing was deleted"
    case .appliedWithoutStamp: "the row was applied"
    }
  }
}

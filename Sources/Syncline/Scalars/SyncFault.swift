/// What keeps a value from being read whole, and where in it that is.
public struct SyncFault {
  /// The way to it from the value: `.street`, `[2].price`; empty for the value itself.
  private(set) var path: String
  let finding: Finding
  /// What replaces an optional member that cannot be read; nil if it makes the whole value unreadable.
  private(set) var action: SyncProblem.Action?

  init(_ finding: Finding, at path: String = "") {
    self.finding = finding
    self.path = path
    if case .fraction = finding { action = .truncatedFraction }
  }

  /// The fault as one of the value around it.
  func inside(_ step: String) -> SyncFault {
    var fault = self
    fault.path = step + path
    return fault
  }

  /// The fault as one of an optional member, which was replaced.
  func replaced(_ action: SyncProblem.Action) -> SyncFault {
    var fault = self
    fault.action = action
    return fault
  }
}

extension SyncScalar {
  /// Whether values have members, so that a fault is said of the member and not of the whole.
  public static var syncHasMembers: Bool { false }

  public static func syncStatesUnexported(_ value: SyncValue, form: SyncForm) -> Bool { false }

  public static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault] {
    switch syncRead(value, form: form) {
    case .value, .null: []
    case .inexact: [SyncFault(.fraction)]
    case .unreadable: [SyncFault(.unreadable(found: value.summary, type: syncTypeName))]
    }
  }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard case .value(let read) = syncRead(value, form: form) else { return false }
    return text.write(read.storedJSON)
  }
}

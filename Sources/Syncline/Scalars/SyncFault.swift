/// A part of a value that could not be read, and its path.
@_spi(Generated)
public struct SyncFault {
  /// The path from the value to the part: `.street`, `[2].price`; empty for the value itself.
  private(set) var path: String
  let finding: Finding
  /// What is used in place of an optional member that cannot be read; nil if the whole value is unreadable.
  private(set) var action: SyncProblem.Action?

  init(_ finding: Finding, at path: String = "") {
    self.finding = finding
    self.path = path
    if case .fraction = finding { action = .truncatedFraction }
  }

  /// A member that cannot be read.
  init(unreadable lookup: SyncValue.Lookup, _ member: SyncMember, at path: String) {
    self.init(.unreadable(found: lookup.summary ?? "", type: member.type.syncTypeName), at: path)
  }

  /// The same fault, as a part of the value around it.
  func inside(_ step: String) -> SyncFault {
    var fault = self
    fault.path = step + path
    return fault
  }

  /// The same fault, in an optional member that was replaced.
  func replaced(_ action: SyncProblem.Action) -> SyncFault {
    var fault = self
    fault.action = action
    return fault
  }
}

@_spi(Generated)
extension SyncScalar {
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
    return text.writes(read.storedJSON)
  }
}

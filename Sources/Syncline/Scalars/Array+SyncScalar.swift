import GRDB

/// A list of values is stored as JSON text.
extension Array: SyncStored, SyncScalar where Element: SyncScalar {}

@_spi(Generated)
extension Array where Element: SyncScalar {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<[Element]> {
    guard value.isArray || form.acceptsSingleValues else { return .unreadable }
    var result: [Element] = []
    var isExact = true
    for element in value.items {
      switch Element.syncReadElement(element, form: form) {
      case .value(let value): result.append(value)
      case .inexact(let value):
        result.append(value)
        isExact = false
      case .null, .unreadable: return .unreadable
      }
    }
    return isExact ? .value(result) : .inexact(result)
  }

  public static var syncValueForNull: [Element]? { [] }

  public static func syncIsSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy(Element.syncIsSame)
  }

  public static func syncIsSame(_ stored: [Element], _ new: [Element], exportedBy form: SyncForm) -> Bool {
    stored.count == new.count && isSameAsExported(stored, new, form)
  }

  public var syncDatabaseValue: DatabaseValue { storedText }

  public static func syncLoad(_ stored: DatabaseValue) -> [Element]? { load(storedText: stored) }

  public static func syncLoad(_ column: SyncColumn) -> [Element]? { load(storedText: column) }

  public func syncExport(form: SyncForm) throws -> SyncJSON {
    .array(try map { try $0.syncExport(form: form) })
  }

  public static var syncHasMembers: Bool { Element.syncHasMembers }

  public static func syncStatesUnexported(_ value: SyncValue, form: SyncForm) -> Bool {
    syncHasMembers && (value.isArray || form.acceptsSingleValues)
      && value.items.contains { Element.syncStatesUnexported($0, form: form) }
  }

  public static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault] {
    guard value.isArray || form.acceptsSingleValues else {
      return [SyncFault(.unreadable(found: value.summary, type: syncTypeName))]
    }
    return value.items.enumerated().flatMap { index, element in
      Element.faults(inElement: element, form: form).map { $0.inside("[\(index)]") }
    }
  }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard value.isArray || form.acceptsSingleValues else { return false }
    text.write(byte: "[")
    var isFirst = true
    for element in value.items {
      if !isFirst { text.write(byte: ",") }
      isFirst = false
      guard Element.transcribe(element: element, form: form, to: &text) else { return false }
    }
    text.write(byte: "]")
    return true
  }
}

import GRDB

/// A map of values is stored as JSON text, with its keys sorted by their bytes.
///
/// An empty list is read as an empty map, because PHP writes empty maps as lists. A map is unreadable if it has two keys that
/// are equal in Swift but have different bytes.
extension Dictionary: SyncStored, SyncScalar where Key == String, Value: SyncScalar {}

@_spi(Generated)
extension Dictionary where Key == String, Value: SyncScalar {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<[String: Value]> {
    if value.isEmptyArray { return .value([:]) }
    guard value.isObject else { return .unreadable }
    var result: [String: Value] = [:]
    // If a key is repeated, the last value wins, readable or not.
    var unreadable: Set<String> = []
    var inexact: Set<String> = []
    var isMap = true
    value.forEachMember { key, member in
      guard let key = key.string, isMap else { return }
      var known = result.index(forKey: key).map { result[$0].key }
      if known == nil, !unreadable.isEmpty { known = unreadable.firstIndex(of: key).map { unreadable[$0] } }
      if let known, !known.isIdentical(to: key) {
        isMap = false
        return
      }
      switch Value.syncReadElement(member, form: form) {
      case .value(let value):
        result[key] = value
        if !unreadable.isEmpty { unreadable.remove(key) }
        if !inexact.isEmpty { inexact.remove(key) }
      case .inexact(let value):
        result[key] = value
        unreadable.remove(key)
        inexact.insert(key)
      case .null, .unreadable: unreadable.insert(key)
      }
    }
    guard isMap, unreadable.isEmpty else { return .unreadable }
    return inexact.isEmpty ? .value(result) : .inexact(result)
  }

  /// Null removes a key. A new map must be readable as a whole.
  public static func syncMerge(
    _ value: SyncValue, into stored: inout [String: Value]?, form: SyncForm
  ) -> SyncMergedReading {
    guard value.isObject || (value.isEmptyArray && stored != nil) else {
      return SyncMergedReading(replacing: &stored, with: value, form: form)
    }
    let isNew = stored == nil
    var result = stored ?? [:]
    // Nothing else holds the map, so it is not copied.
    stored = nil
    var faults: [SyncFault] = []
    var isWhole = true
    func note(_ unreadable: [SyncFault]) {
      isWhole = false
      faults += isNew ? unreadable : unreadable.map { $0.replaced(.keptStoredValue) }
    }
    value.forEachMember { key, member in
      guard let key = key.string else { return }
      if let index = result.index(forKey: key), !result[index].key.isIdentical(to: key) {
        return note([SyncFault(.equalKeys(key))])
      }
      if member.isNull {
        result.removeValue(forKey: key)
        return
      }
      switch Value.syncRead(member, form: form) {
      case .value(let read): result[key] = read
      case .inexact(let read):
        result[key] = read
        faults += Value.syncFaults(in: member, form: form).map { $0.inside(".\(key)") }
      // An empty list in place of a struct is null.
      case .null: result.removeValue(forKey: key)
      case .unreadable: note(Value.syncFaults(in: member, form: form).map { $0.inside(".\(key)") })
      }
    }
    if !isNew || isWhole { stored = result }
    return SyncMergedReading(isRead: stored != nil, faults: faults)
  }

  public static var syncValueForNull: [String: Value]? { [:] }

  public static func syncIsSame(_ left: [String: Value], _ right: [String: Value]) -> Bool {
    left.count == right.count
      && left.allSatisfy { key, value in
        // Swift also treats keys with different bytes as equal.
        guard let index = right.index(forKey: key) else { return false }
        return right[index].key.isIdentical(to: key) && Value.syncIsSame(value, right[index].value)
      }
  }

  public static func syncIsSame(
    _ stored: [String: Value], _ new: [String: Value], exportedBy form: SyncForm
  ) -> Bool {
    stored.count == new.count && isSameAsExported(stored, new, form)
  }

  public var syncDatabaseValue: DatabaseValue { storedText }

  public static func syncLoad(_ stored: DatabaseValue) -> [String: Value]? { load(storedText: stored) }

  public static func syncLoad(_ column: SyncColumn) -> [String: Value]? { load(storedText: column) }

  public func syncExport(form: SyncForm) throws -> SyncJSON {
    var object = SyncJSONObject()
    object.reserveCapacity(count)
    for (key, value) in sorted(by: { String.UTF8Key($0.key) < String.UTF8Key($1.key) }) {
      object.append(key, try value.syncExport(form: form))
    }
    return .object(object)
  }

  public static var syncHasMembers: Bool { true }

  public static func syncStatesUnexported(_ value: SyncValue, form: SyncForm) -> Bool {
    guard Value.syncHasMembers else { return false }
    var isStated = false
    value.forEachMember { _, member in
      isStated = isStated || Value.syncStatesUnexported(member, form: form)
    }
    return isStated
  }

  public static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault] {
    if value.isEmptyArray { return [] }
    guard value.isObject else {
      return [SyncFault(.unreadable(found: value.summary, type: syncTypeName))]
    }
    var faults: [SyncFault] = []
    var keys: [String: String] = [:]
    value.forEachMember { key, member in
      if let key = key.string, let other = keys.updateValue(key, forKey: key), !other.isIdentical(to: key) {
        faults.append(SyncFault(.equalKeys(key)))
      }
      faults += Value.faults(inElement: member, form: form).map { $0.inside(".\(key.string ?? "")") }
    }
    return faults
  }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard value.isObject else { return false }
    var previous: UnsafeBufferPointer<UInt8>?
    var isDone = true
    text.write(byte: "{")
    value.forEachMember { key, member in
      guard isDone else { return }
      // If keys are unsorted or repeated, the map is created and sorted instead.
      guard !key.hasEscapes, JSONText.isASCII(key.content),
        previous.map({ $0.lexicographicallyPrecedes(key.content) }) ?? true
      else {
        isDone = false
        return
      }
      if previous != nil { text.write(byte: ",") }
      previous = key.content
      text.write(string: key)
      text.write(byte: ":")
      isDone = Value.transcribe(element: member, form: form, to: &text)
    }
    text.write(byte: "}")
    return isDone
  }
}

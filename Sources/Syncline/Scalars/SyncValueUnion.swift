import GRDB

/// A union of structs: a value of one of them, distinguished by a key. It is stored as JSON text under the name of its case.
///
/// ```swift
/// for case .text(let block) in article.body { print(block.text) }
/// ```
public protocol SyncValueUnion: SyncScalar, Hashable, DatabaseValueConvertible {
  /// The cases, and the key that distinguishes them.
  @_spi(Generated)
  static var syncCases: SyncUnionCases<any SyncScalar.Type> { get }

  /// Creates a value of a case; nil if the value does not have the case's type.
  @_spi(Generated)
  init?(syncCase index: Int, _ value: any SyncScalar)

  /// The case and its value. For a case that the schema does not know, -1 and the JSON.
  @_spi(Generated)
  var syncValue: (index: Int, value: any SyncScalar) { get }

  /// A value of a type that the schema does not know, unchanged.
  static func unrecognized(_ json: SyncJSON) -> Self
}

@_spi(Generated)
extension SyncValueUnion {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self> {
    if form.names == .swift { return readStored(value, form) }
    guard value.isObject else { return value.isEmptyArray ? .null : .unreadable }
    switch syncCases.match(value) {
    case .known(let index): return read(index, value, form)
    // It is reported, but kept.
    case .unrecognized: return .inexact(.unrecognized(SyncJSON(value)))
    case .untyped: return .unreadable
    }
  }

  /// Merges an object of the stored value's case, or one that lacks the type. Another case replaces the value.
  public static func syncMerge(
    _ value: SyncValue, into stored: inout Self?, form: SyncForm
  ) -> SyncMergedReading {
    func merge<Value: SyncScalar>(_ own: Value, case index: Int) -> (merged: Self?, faults: [SyncFault]) {
      var own: Value? = own
      let reading = Value.syncMerge(value, into: &own, form: form)
      return (reading.isRead ? own.flatMap { Self(syncCase: index, $0) } : nil, reading.faults)
    }
    guard let (index, own) = stored?.syncValue, syncCases.cases.indices.contains(index),
      syncCases.lacksType(value) || syncCases.index(of: value) == index
    else { return SyncMergedReading(replacing: &stored, with: value, form: form) }
    let (merged, faults) = merge(own, case: index)
    if let merged { stored = merged }
    return SyncMergedReading(isRead: merged != nil, faults: faults)
  }

  private static func read(_ index: Int, _ value: SyncValue, _ form: SyncForm) -> SyncReading<Self> {
    func read<Value: SyncScalar>(as type: Value.Type) -> SyncReading<Self> {
      Value.syncRead(value, form: form).map { Self(syncCase: index, $0) }
    }
    return read(as: syncCases.cases[index].element)
  }

  /// Reads a stored value, an object with one member. Any other value is kept as unrecognized, such as that of a removed case
  /// or a changed struct.
  private static func readStored(_ value: SyncValue, _ form: SyncForm) -> SyncReading<Self> {
    var members: [(key: SyncValue, value: SyncValue)] = []
    if value.isObject { value.forEachMember { members.append(($0, $1)) } }
    guard members.count == 1 else { return .value(.unrecognized(SyncJSON(value))) }
    let (key, member) = members[0]
    if let index = syncCases.cases.firstIndex(where: { key.hasText(Array($0.name.utf8)) }),
      let read = read(index, member, form).value
    {
      return .value(read)
    }
    return .value(.unrecognized(SyncJSON(value)))
  }

  public static func syncIsSame(_ left: Self, _ right: Self) -> Bool { left.storedJSON == right.storedJSON }

  public static func syncIsSame(_ stored: Self, _ new: Self, exportedBy form: SyncForm) -> Bool {
    isSameAsExported(stored, new, form)
  }

  public var syncDatabaseValue: DatabaseValue { storedText }
  public static func syncLoad(_ stored: DatabaseValue) -> Self? { load(storedText: stored) }
  public static func syncLoad(_ column: SyncColumn) -> Self? { load(storedText: column) }

  public func syncExport(form: SyncForm) throws -> SyncJSON {
    let (index, value) = syncValue
    let json = try value.syncExport(form: form)
    let isKnown = Self.syncCases.cases.indices.contains(index)
    if form.names == .swift {
      // The key of the case is not part of its value.
      return isKnown ? .object(SyncJSONObject([(Self.syncCases.cases[index].name, json)])) : json
    }
    guard isKnown, case .object(var object) = json else { return json }
    object.setType(Self.syncCases, index)
    return .object(object)
  }

  public static var syncHasMembers: Bool { true }

  public static func syncStatesUnexported(_ value: SyncValue, form: SyncForm) -> Bool {
    guard case .known(let index) = syncCases.match(value) else { return false }
    return syncCases.cases[index].element.syncStatesUnexported(value, form: form)
  }

  public static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault] {
    if value.isEmptyArray { return [] }
    guard value.isObject else { return [SyncFault(.unreadable(found: value.summary, type: syncCases.name))] }
    switch syncCases.match(value) {
    case .known(let index): return syncCases.cases[index].element.syncFaults(in: value, form: form)
    case .unrecognized(let type): return [SyncFault(syncCases.finding(type)).replaced(.keptAsItCame)]
    case .untyped: return [SyncFault(syncCases.finding(nil))]
    }
  }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard case .known(let index) = syncCases.match(value) else { return false }
    let entry = syncCases.cases[index]
    text.write(byte: "{")
    text.write(entry.storedKey)
    guard entry.element.syncTranscribe(value, form: form, to: &text) else { return false }
    text.write(byte: "}")
    return true
  }

  public var databaseValue: DatabaseValue { syncDatabaseValue }
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { syncLoad(value) }

  /// Decodes an object with the case and its value, as ``encode(to:)`` writes it.
  public init(from decoder: any Decoder) throws {
    let json = try SyncJSON(from: decoder)
    guard let value = Self.load(storedText: json.description.databaseValue) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no \(Self.syncCases.name)"))
    }
    self = value
  }

  /// Encodes an object with the case and its value.
  public func encode(to encoder: any Encoder) throws { try storedJSON.encode(to: encoder) }
}

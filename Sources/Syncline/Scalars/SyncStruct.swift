import GRDB

/// A struct of a schema: a value with members, stored as JSON text in one column.
///
/// ```swift
/// User.filter(User.Columns.address.city == "Bern").order(User.Columns.address.street)
/// ```
public protocol SyncStruct: SyncScalar, Hashable, DatabaseValueConvertible {
  /// The members: their names, JSON keys and types.
  @_spi(Generated)
  static var syncMembers: SyncMembers { get }

  /// Reads the members.
  ///
  /// - Throws: an error if a required member is missing or unreadable.
  @_spi(Generated)
  init(syncMembers members: inout SyncMemberReader) throws

  /// Writes the members in order.
  @_spi(Generated)
  func syncWrite(to members: inout SyncMemberWriter)
}

@_spi(Generated)
extension SyncStruct {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self> {
    guard value.isObject, let form = form.inner else {
      // PHP writes an empty object as an empty list.
      return value.isEmptyArray ? .null : .unreadable
    }
    return syncMembers.withPositions(in: value, form) { positions in
      var reader = SyncMemberReader(value, at: positions, of: syncMembers, in: form)
      guard let read = try? Self(syncMembers: &reader) else { return .unreadable }
      return reader.isExact ? .value(read) : .inexact(read)
    }
  }

  /// The stored value with the members that an object has.
  public static func syncMerge(
    _ value: SyncValue, into stored: inout Self?, form: SyncForm
  ) -> SyncMergedReading {
    guard value.isObject, let known = stored, let inner = form.inner,
      let reading = try? JSONDocument.read(
        known.storedUTF8, outerDepth: JSONScanner.storedDepth, { merge(value, into: $0, &stored, inner) })
    else { return SyncMergedReading(replacing: &stored, with: value, form: form) }
    return reading
  }

  /// - Parameters:
  ///   - own: the stored value as JSON.
  ///   - stored: gets the merged value.
  private static func merge(
    _ value: SyncValue, into own: SyncValue, _ stored: inout Self?, _ form: SyncForm
  ) -> SyncMergedReading {
    syncMembers.withPositions(in: own, .stored) { ownPositions in
      let merging = MemberMerging(SyncMemberReader(own, at: ownPositions, of: syncMembers, in: .stored))
      return syncMembers.withPositions(in: value, form) { positions in
        var reader = SyncMemberReader(value, at: positions, of: syncMembers, in: form, into: merging)
        guard let merged = try? Self(syncMembers: &reader) else {
          return SyncMergedReading(isRead: false, faults: merging.faults)
        }
        stored = merged
        return SyncMergedReading(isRead: true, faults: merging.faults)
      }
    }
  }

  public static func syncIsSame(_ left: Self, _ right: Self) -> Bool { left.storedJSON == right.storedJSON }

  public static func syncIsSame(_ stored: Self, _ new: Self, exportedBy form: SyncForm) -> Bool {
    isSameAsExported(stored, new, form)
  }

  public var syncDatabaseValue: DatabaseValue { storedText }
  public static func syncLoad(_ stored: DatabaseValue) -> Self? { load(storedText: stored) }
  public static func syncLoad(_ column: SyncColumn) -> Self? { load(storedText: column) }

  public func syncExport(form: SyncForm) throws -> SyncJSON {
    var writer = SyncMemberWriter(Self.syncMembers, form)
    syncWrite(to: &writer)
    if let error = writer.error { throw error }
    return writer.json
  }

  public static var syncHasMembers: Bool { true }

  public static func syncStatesUnexported(_ value: SyncValue, form: SyncForm) -> Bool {
    guard value.isObject, let form = form.inner else { return false }
    return syncMembers.withPositions(in: value, form) { syncMembers.statesUnexported(value, $0, form) }
  }

  public static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault] {
    if value.isEmptyArray { return [] }
    guard value.isObject else {
      return [SyncFault(.unreadable(found: value.summary, type: syncMembers.name))]
    }
    guard let form = form.inner else { return [SyncFault(.tooDeepValue(limit: SyncForm.levelLimit))] }
    return syncMembers.withPositions(in: value, form) { syncMembers.faults(in: value, $0, form) }
  }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard value.isObject, let form = form.inner else { return false }
    return syncMembers.withPositions(in: value, form) {
      syncMembers.transcribe(value, $0, form, to: &text)
    }
  }

  public var databaseValue: DatabaseValue { syncDatabaseValue }
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { syncLoad(value) }
}

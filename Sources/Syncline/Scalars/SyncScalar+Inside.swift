import GRDB

/// A type that has another name in problems than in Swift.
package protocol SyncNamedType {
  static var syncName: String { get }
}

/// Requirements of lists, maps and structs for the values in them.
extension SyncScalar {
  /// The name of the type in problems.
  static var syncTypeName: String {
    switch Self.self as any SyncScalar.Type {
    case let transformed as any AnyTransformed.Type: transformed.name
    case let named as any SyncNamedType.Type: named.syncName
    case let list as any ScalarList.Type: "[\(list.element.syncTypeName)]"
    case let map as any ScalarMap.Type: "[String: \(map.value.syncTypeName)]"
    default: "\(Self.self)"
    }
  }

  /// Reads an element of a list or a map. A null is unreadable, except as any JSON value.
  static func syncReadElement(_ value: SyncValue, form: SyncForm) -> SyncReading<Self> {
    value.isNull && Self.self != SyncJSON.self ? .unreadable : syncRead(value, form: form)
  }

  static func faults(inElement value: SyncValue, form: SyncForm) -> [SyncFault] {
    if Self.self == SyncJSON.self { return syncFaults(in: value, form: form) }
    if !value.isNull {
      // A value other than null may mean null.
      guard case .null = syncRead(value, form: form) else { return syncFaults(in: value, form: form) }
    }
    return [SyncFault(.unreadable(found: value.summary, type: syncTypeName))]
  }

  static func transcribe(element value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool {
    if value.isNull, Self.self != SyncJSON.self { return false }
    return syncTranscribe(value, form: form, to: &text)
  }

  // MARK: Forms that call no transform and never throw

  /// The value as JSON, as it is stored inside other values.
  var storedJSON: SyncJSON { (try? syncExport(form: .stored)) ?? .null }
  /// The value as JSON, with dates in milliseconds.
  var plainJSON: SyncJSON { (try? syncExport(form: .plain)) ?? .null }

  // MARK: Values that are stored as JSON text

  var storedText: DatabaseValue { String(decoding: storedUTF8, as: UTF8.self).databaseValue }

  /// The stored text of the value. A local value that is too deep for it is refused before it is stored.
  var storedUTF8: [UInt8] {
    var writer = JSONWriter()
    do { try writer.write(storedJSON, depth: JSONScanner.storedDepth) } catch { return Array("null".utf8) }
    return writer.bytes
  }

  static func load(storedText stored: DatabaseValue) -> Self? {
    guard case .string(var text) = stored.storage else { return nil }
    return text.withUTF8(load(storedText:))
  }

  static func load(storedText column: SyncColumn) -> Self? {
    column.isText ? load(storedText: column.text) : nil
  }

  private static func load(storedText text: UnsafeBufferPointer<UInt8>) -> Self? {
    try? JSONDocument.read(UnsafeRawBufferPointer(text), outerDepth: JSONScanner.storedDepth) {
      syncRead($0, form: .stored).value
    }
  }

  /// Whether a payload's value equals the stored one after an export and a sync. Digits of a date or members that exports omit
  /// make no difference.
  static func isSameAsExported(_ stored: Self, _ new: Self, _ form: SyncForm) -> Bool {
    guard let text = try? stored.syncExport(form: form).utf8() else { return false }
    let back = try? JSONDocument.read(text) { syncRead($0, form: form.exported).value }
    return back.map { syncIsSame($0, new) } ?? false
  }

  /// Reads a value from JSON like a payload's value.
  package init?(syncJSON json: SyncJSON, form: SyncForm = SyncForm()) {
    let text = Array(json.description.utf8)
    guard let value = try? JSONDocument.read(text, { Self.syncRead($0, form: form).value }) else {
      return nil
    }
    self = value
  }
}

import GRDB

/// A list of scalars is stored as JSON text.
extension Array: SyncStored, SyncScalar where Element: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<[Element]> {
    guard value.isArray else { return .unreadable }
    var result: [Element] = []
    var isExact = true
    for element in value.elements {
      switch element.isNull && !(Element.self == SyncJSON.self)
        ? .unreadable : Element.syncRead(element, format: format)
      {
      case .value(let value): result.append(value)
      case .inexact(let value):
        result.append(value)
        isExact = false
      case .unreadable: return .unreadable
      }
    }
    return isExact ? .value(result) : .inexact(result)
  }

  public static var syncValueForNull: [Element]? { [] }

  public static func syncIsSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy(Element.syncIsSame)
  }

  public var syncDatabaseValue: DatabaseValue {
    let json = SyncJSON.array(map { $0.syncExport(format: .iso8601Microseconds) })
    return json.description.databaseValue
  }

  public static func syncLoad(_ stored: DatabaseValue) -> [Element]? {
    guard case .string(var text) = stored.storage else { return nil }
    return text.withUTF8 { utf8 in
      guard let tape = try? JSONDocument.scan(UnsafeRawBufferPointer(utf8)) else { return nil }
      defer { tape.close() }
      return syncRead(tape.value(at: 0), format: nil).value
    }
  }

  public func syncExport(format: SyncDateFormat) -> SyncJSON {
    .array(map { $0.syncExport(format: format) })
  }
}

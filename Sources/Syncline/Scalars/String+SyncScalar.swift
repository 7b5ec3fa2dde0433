import GRDB

extension String: SyncScalar {}

@_spi(Generated)
extension String {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<String> {
    SyncReading(value.scalarText)
  }

  public static var syncValueForNull: String? { "" }

  public static func syncIsSame(_ left: String, _ right: String) -> Bool {
    left.isIdentical(to: right)
  }

  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> String? { fromDatabaseValue(stored) }
  public func syncExport(form: SyncForm) -> SyncJSON { .string(self) }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard value.isString, !value.hasEscapes else {
      return value.scalarText.map { text.writes(.string($0)) } ?? false
    }
    text.write(string: value)
    return true
  }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    var text = self
    text.withUTF8 { statement.bind(text: $0, at: index) }
  }

  @inlinable
  public static func syncLoad(_ column: SyncColumn) -> String? {
    guard column.isText else { return syncLoad(column.databaseValue) }
    let text = column.text
    return text.baseAddress == nil ? nil : String(decoding: text, as: UTF8.self)
  }
}

import GRDB

extension String: SyncScalar {
  public static func syncRead(_ value: SyncValue, format: SyncDateFormat?) -> SyncReading<String> {
    SyncReading(value.scalarText)
  }

  public static var syncValueForNull: String? { "" }

  public static func syncIsSame(_ left: String, _ right: String) -> Bool {
    left.isIdentical(to: right)
  }

  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> String? { fromDatabaseValue(stored) }
  public func syncExport(format: SyncDateFormat) -> SyncJSON { .string(self) }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    var text = self
    text.withUTF8 { statement.bind(text: $0, at: index) }
  }

  public static func syncLoad(_ column: SyncColumn) -> String? {
    column.isText ? String(decoding: column.text, as: UTF8.self) : syncLoad(column.databaseValue)
  }
}

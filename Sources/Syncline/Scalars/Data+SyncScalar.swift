import Foundation
import GRDB

extension Data: SyncScalar {}

@_spi(Generated)
extension Data {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Data> {
    value.isString ? SyncReading(value.withText(Base64Text.data)) : .unreadable
  }

  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Data? { fromDatabaseValue(stored) }
  public func syncExport(form: SyncForm) -> SyncJSON { .string(base64EncodedString()) }
}

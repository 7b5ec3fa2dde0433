import Foundation
import GRDB

extension Decimal: SyncScalar {}

@_spi(Generated)
extension Decimal {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Decimal> {
    switch value.kind {
    case .number, .string: SyncReading(value.withText(NumberText.decimal))
    default: .unreadable
    }
  }

  public static var syncValueForNull: Decimal? { 0 }
  public var syncDatabaseValue: DatabaseValue { databaseValue }

  public static func syncLoad(_ stored: DatabaseValue) -> Decimal? {
    guard case .string(var text) = stored.storage else { return fromDatabaseValue(stored) }
    return text.withUTF8(NumberText.decimal)
  }

  public func syncExport(form: SyncForm) -> SyncJSON {
    SyncNumber(self).map(SyncJSON.number) ?? .null
  }
}

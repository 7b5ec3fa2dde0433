import Foundation
import GRDB

extension Bool: SyncScalar {}

@_spi(Generated)
extension Bool {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Bool> {
    switch value.kind {
    case .true: return .value(true)
    case .false: return .value(false)
    case .number:
      switch NumberText.integer(value.content)?.exact {
      case 0: return .value(false)
      case 1: return .value(true)
      default: return .unreadable
      }
    case .string:
      switch value.string?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
      case "true", "1", "yes": return .value(true)
      case "false", "0", "no": return .value(false)
      default: return .unreadable
      }
    default: return .unreadable
    }
  }

  public static var syncValueForNull: Bool? { false }
  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Bool? { fromDatabaseValue(stored) }
  public func syncExport(form: SyncForm) -> SyncJSON { .bool(self) }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard case .value(let value) = syncRead(value, form: form) else { return false }
    text.write(bool: value)
    return true
  }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    statement.bind(Int64(self ? 1 : 0), at: index)
  }

  @inlinable
  public static func syncLoad(_ column: SyncColumn) -> Bool? {
    column.isInteger ? column.int64 != 0 : syncLoad(column.databaseValue)
  }
}

import Foundation
import GRDB

extension UUID: SyncScalar {}

@_spi(Generated)
extension UUID {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<UUID> {
    guard value.isString else { return .unreadable }
    return SyncReading(value.withText(UUID.init(text:)))
  }

  /// Reads the 36-character form, ignoring case.
  init?(text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isComplete = withUnsafeMutableBytes(of: &bytes) { output in
      var index = 0
      for byte in 0..<16 {
        if byte == 4 || byte == 6 || byte == 8 || byte == 10 {
          guard text[index] == UInt8(ascii: "-") else { return false }
          index += 1
        }
        guard let high = hexadecimalValue(text[index]), let low = hexadecimalValue(text[index + 1]) else {
          return false
        }
        output[byte] = high << 4 | low
        index += 2
      }
      return true
    }
    guard isComplete else { return nil }
    self.init(uuid: bytes)
  }

  public static var syncValueForNull: UUID? {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  public var syncDatabaseValue: DatabaseValue { databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> UUID? { fromDatabaseValue(stored) }

  public static func syncLoad(_ column: SyncColumn) -> UUID? {
    guard column.isBlob else { return syncLoad(column.databaseValue) }
    let blob = column.blob
    return blob.count == 16 ? UUID(uuid: blob.loadUnaligned(as: uuid_t.self)) : nil
  }

  public func syncExport(form: SyncForm) -> SyncJSON { .string(uuidString) }
}

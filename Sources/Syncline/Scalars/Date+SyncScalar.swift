import Foundation
import GRDB

extension Date: SyncScalar {}

@_spi(Generated)
extension Date {
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Date> {
    SyncReading(Instant(value, format: form.dates)?.date)
  }

  public static var syncValueForNull: Date? { Date(timeIntervalSince1970: 0) }
  public static var syncValueForUnreadable: Date? { syncValueForNull }

  public static func syncIsSame(_ left: Date, _ right: Date) -> Bool {
    Instant(left) == Instant(right)
  }

  /// A stored date is the same as a payload's if export rounds it to that date. So what was exported can be
  /// synced back.
  public static func syncIsSame(_ stored: Date, _ new: Date, exportedBy form: SyncForm) -> Bool {
    form.outputDates.rounded(Instant(stored)) == Instant(new)
  }

  public var syncDatabaseValue: DatabaseValue { Instant(self).storedText.databaseValue }

  public func syncBind(to statement: SyncStatement, at index: Int32) {
    Instant(self).bindStored(to: statement, at: index)
  }

  public static func syncLoad(_ column: SyncColumn) -> Date? {
    if column.isText {
      let text = column.text
      if let instant = Instant(stored: text) ?? Instant(text: text) { return instant.date }
    }
    return syncLoad(column.databaseValue)
  }

  public static func syncLoad(_ stored: DatabaseValue) -> Date? {
    guard case .string(var text) = stored.storage else { return fromDatabaseValue(stored) }
    return text.withUTF8 { Instant(text: $0) }?.date ?? fromDatabaseValue(stored)
  }

  public static func syncTranscribe(_ value: SyncValue, form: SyncForm, to text: inout SyncStoredText) -> Bool
  {
    guard let instant = Instant(value, format: form.dates) else { return false }
    // With the precision of a `Date`.
    text.write(Instant(instant.date))
    return true
  }

  public func syncExport(form: SyncForm) -> SyncJSON { form.outputDates.json(Instant(self)) }
}

extension Instant {
  /// Reads a JSON value in a property's own format, then in the standard forms.
  init?(_ value: SyncValue, format: SyncDateFormat?) {
    let instant: Instant? =
      switch value.kind {
      case .string: value.withText { text in format?.read(text) ?? Instant(text: text) }
      case .number: value.withText { text in format?.read(text) ?? Instant(unixTime: text) }
      default: nil
      }
    guard let instant else { return nil }
    self = instant
  }

  /// Binds the stored form to a parameter of a statement.
  ///
  /// - Parameter text: the text of the payload. ISO 8601 in UTC already has the digits of the stored form.
  func bindStored(to statement: SyncStatement, at index: Int32, readFrom text: Bytes) {
    guard Instant.isoParts(text) != nil, text[17] < UInt8(ascii: "6"),
      text.count == 20 || text[19] == UInt8(ascii: "."),
      text[11] < UInt8(ascii: "2") || text[12] < UInt8(ascii: "4"),
      let source = text.baseAddress
    else { return bindStored(to: statement, at: index) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { buffer in
      guard let target = buffer.baseAddress else { return }
      target.initialize(from: source, count: 19)
      target[10] = 0x20
      if text.count == 24 {
        (target + 19).initialize(from: source + 19, count: 4)
      } else {
        target[19] = UInt8(ascii: ".")
        (target + 20).initialize(repeating: UInt8(ascii: "0"), count: 3)
      }
      statement.bind(text: UnsafeBufferPointer(start: target, count: 23), at: index)
    }
  }

  /// Binds the stored form to a parameter of a statement.
  func bindStored(to statement: SyncStatement, at index: Int32) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      var count = 0
      writeStored { byte in
        buffer[count] = byte
        count += 1
      }
      statement.bind(text: UnsafeBufferPointer(rebasing: buffer[..<count]), at: index)
    }
  }
}

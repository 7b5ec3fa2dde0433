import SynclineNaming

/// How values are read and written: the names of their members, and the format of their dates.
public struct SyncForm: Sendable {
  /// The names of the members of a ``SyncStruct``.
  enum Names: Hashable {
    /// Their JSON keys.
    case keys(KeyStyle)
    /// Their names in Swift.
    case swift
  }

  /// Read before the standard forms of dates, and written; nil for the standard forms alone.
  public let dates: SyncDateFormat?
  let names: Names
  /// How many values are around this one.
  private(set) var level = 0

  /// A form with JSON keys in a style.
  public init(dates: SyncDateFormat? = nil, style: KeyStyle = .snakeCase) {
    self.init(dates: dates, names: .keys(style))
  }

  init(dates: SyncDateFormat?, names: Names) {
    self.dates = dates
    self.names = names
  }

  /// How keys are spelled; nil for Swift names.
  var style: KeyStyle? { if case .keys(let style) = names { style } else { nil } }

  /// As values are stored: under their Swift names, with all digits of dates.
  static let stored = SyncForm(dates: .iso8601Microseconds, names: .swift)
  /// Under their Swift names, with dates in milliseconds.
  static let plain = SyncForm(dates: .iso8601, names: .swift)

  /// How deep values may be nested in each other.
  static let levelLimit = 64

  /// What dates are written by.
  var outputDates: SyncDateFormat { dates ?? .iso8601 }

  /// The form of a value inside of this one; nil where that is too deep.
  var inner: SyncForm? {
    guard level < SyncForm.levelLimit else { return nil }
    var form = self
    form.level += 1
    return form
  }

  /// The form of a member with a date format of its own.
  func with(_ format: SyncDateFormat?) -> SyncForm {
    guard let format, names != .swift else { return self }
    var form = SyncForm(dates: format, names: names)
    form.level = level
    return form
  }
}

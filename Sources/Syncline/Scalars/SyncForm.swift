import SynclineNaming

/// The form in which a value is read and written: the key style of its members, and the format of its dates.
public struct SyncForm: Sendable {
  /// The names of the members of a ``SyncStruct``.
  enum Names: Hashable {
    /// Their JSON keys.
    case keys(KeyStyle)
    /// Their JSON keys, in a value that was exported. No value means null there.
    case exported(KeyStyle)
    /// Their names in Swift.
    case swift
  }

  /// The date format of the property, which is tried before the standard formats, and is used for exports;
  /// nil for the standard formats only.
  public let dates: SyncDateFormat?
  let names: Names
  /// The number of values around this one.
  private(set) var level = 0
  /// Whether members that are nil are left out when values are written.
  var omitsNulls = false
  /// Whether a value that is not a list is read as a list of one, if a list is expected.
  private(set) var acceptsSingleValues = false

  /// How the values of one member are read and written, where that differs from other members.
  struct Own: Sendable {
    var dates: SyncDateFormat?
    var acceptsSingleValues = false
  }

  /// Creates a form with JSON keys in a style.
  public init(dates: SyncDateFormat? = nil, style: KeyStyle = .snakeCase) {
    self.init(dates: dates, names: .keys(style))
  }

  init(dates: SyncDateFormat?, names: Names) {
    self.dates = dates
    self.names = names
  }

  /// The spelling of keys; nil for Swift names.
  var style: KeyStyle? {
    switch names {
    case .keys(let style), .exported(let style): style
    case .swift: nil
    }
  }

  /// The same form, to read what was exported in it.
  var exported: SyncForm {
    guard case .keys(let style) = names else { return self }
    var form = SyncForm(dates: dates, names: .exported(style))
    form.level = level
    return form
  }

  /// The stored form: Swift names, and dates with microseconds.
  static let stored = SyncForm(dates: .iso8601Microseconds, names: .swift)
  /// Swift names, and dates with milliseconds.
  static let plain = SyncForm(dates: .iso8601, names: .swift)

  /// The maximum nesting depth of values.
  static let levelLimit = 64

  /// The format in which dates are written.
  var outputDates: SyncDateFormat { dates ?? .iso8601 }

  /// The form of a value inside this one; nil if it is nested too deeply.
  var inner: SyncForm? {
    guard level < SyncForm.levelLimit else { return nil }
    var form = self
    form.level += 1
    form.acceptsSingleValues = false
    return form
  }

  /// The form of a member with its own date format.
  func with(_ format: SyncDateFormat?) -> SyncForm { with(format.map { Own(dates: $0) }) }

  func with(_ own: Own?) -> SyncForm {
    guard let own, names != .swift else { return self }
    var form = SyncForm(dates: own.dates ?? dates, names: names)
    form.level = level
    form.omitsNulls = omitsNulls
    form.acceptsSingleValues = own.acceptsSingleValues
    return form
  }
}

import Foundation

/// The format in which dates are exported. Dates are read in the standard formats; those of a property with `@DateFormat` are
/// first read in that format.
public struct SyncDateFormat: Sendable, Hashable {
  enum Form: Hashable {
    case iso8601(fractionDigits: Int)
    /// ISO 8601 with milliseconds, or with microseconds if the date has them.
    case exact
    /// - Parameter unit: in microseconds.
    case unix(unit: Int64)
    case pattern(DatePattern)
  }

  let form: Form

  private init(form: Form) {
    self.form = form
  }

  /// `2014-08-31T00:29:15.000Z`, the default. Digits after the milliseconds are dropped.
  public static let iso8601 = SyncDateFormat(form: .iso8601(fractionDigits: 3))
  /// `2014-08-31T00:29:15Z`
  public static let iso8601Seconds = SyncDateFormat(form: .iso8601(fractionDigits: 0))
  /// `2014-08-31T00:29:15.000000Z`
  public static let iso8601Microseconds = SyncDateFormat(form: .iso8601(fractionDigits: 6))
  /// Like ``iso8601``, but with microseconds if the date has them.
  static let exact = SyncDateFormat(form: .exact)
  /// Whole seconds since 1970, as a number.
  public static let unixSeconds = SyncDateFormat(form: .unix(unit: 1_000_000))
  /// Whole milliseconds since 1970, as a number.
  public static let unixMilliseconds = SyncDateFormat(form: .unix(unit: 1_000))

  /// A Unicode date pattern such as `EEE MMM dd HH:mm:ss Z yyyy`, in English and UTC.
  ///
  /// - Throws: ``SyncError/schemaValidation(reason:)`` for a pattern with an unknown field.
  public static func pattern(_ pattern: String) throws -> SyncDateFormat {
    do {
      return SyncDateFormat(form: .pattern(try DatePattern(pattern)))
    } catch {
      throw SyncError.schemaValidation(reason: error.description)
    }
  }

  /// Creates a format from a pattern that the compiler has checked. With an invalid pattern, dates are read in the standard
  /// formats, and exported in the default format.
  public init(checkedPattern pattern: String) {
    form = (try? DatePattern(pattern)).map(Form.pattern) ?? .iso8601(fractionDigits: 3)
  }

  /// Reads a value in this format; nil if another format must be tried.
  func read(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
    if case .pattern(let pattern) = form { pattern.read(text) } else { nil }
  }

  func json(_ instant: Instant) -> SyncJSON {
    switch form {
    case .iso8601(let digits):
      .string(Instant.text { instant.writeISO8601(fractionDigits: digits, to: $0) })
    case .exact:
      (instant.cut(to: 1_000) == instant ? SyncDateFormat.iso8601 : .iso8601Microseconds).json(instant)
    case .unix(let unit): .number(SyncNumber(instant.cut(to: unit).microseconds / unit))
    case .pattern(let pattern): .string(pattern.write(instant))
    }
  }

  /// The moment that results from writing and reading this one. Digits that the format cannot express are
  /// lost.
  func rounded(_ instant: Instant) -> Instant {
    switch form {
    case .iso8601(let digits): instant.cut(to: digits == 0 ? 1_000_000 : digits == 3 ? 1_000 : 1)
    case .exact: instant
    case .unix(let unit): instant.cut(to: unit)
    case .pattern(let pattern):
      Array(pattern.write(instant).utf8).withUnsafeBufferPointer(pattern.read) ?? instant
    }
  }
}

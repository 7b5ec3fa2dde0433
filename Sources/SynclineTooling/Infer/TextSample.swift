import Foundation
import Syncline

/// Statistics of strings in a sample.
struct TextSample {
  private(set) var count = 0
  /// The number of occurrences of each string, up to a limit.
  private(set) var counts: [String: Int] = [:]
  private(set) var areMany = false
  private(set) var areDates = true
  private(set) var areUUIDs = true
  private(set) var areURLs = true
  /// Whether all are decimal numbers in canonical form: without a plus sign or leading zeros.
  private(set) var areNumbers = true
  /// Whether at least one has a decimal point.
  private(set) var havePoints = false
  /// Whether at least one has a trailing zero in its fraction. `fractionDigits` contains the numbers of digits after the point.
  private var haveZeros = false
  private var fractionDigits: Set<Int> = []
  /// Whether all are Unix times with microseconds, which some APIs use as identities of messages.
  private var areTimes = true
  private(set) var longest = 0
  /// The date patterns that match all of the strings.
  private(set) var patterns = DatePatterns.all

  private static let limit = 64

  mutating func add(_ text: String) {
    count += 1
    if counts[text] != nil || counts.count < TextSample.limit {
      counts[text, default: 0] += 1
    } else {
      areMany = true
    }
    longest = max(longest, text.utf8.count)
    let digits = DigitText(text)
    areNumbers = areNumbers && digits.isNumber
    havePoints = havePoints || digits.points > 0
    if digits.isNumber, digits.points > 0 {
      haveZeros = haveZeros || text.hasSuffix("0")
      fractionDigits.insert(digits.fractionDigits)
    }
    areTimes = areTimes && digits.points == 1 && digits.fractionDigits == 6 && text.utf8.count == 17
    let json = SyncJSON.string(text)
    let hasDigits = text.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    // A string of digits, signs and points is a number, a version or a dialling code, even if it could be read as a date.
    areDates = areDates && hasDigits && !digits.isNumeric && Date(syncJSON: json) != nil
    patterns.removeAll {
      !hasDigits || (digits.isNumeric && !digits.isDay) || !DatePatterns.matches(json, $0)
    }
    areUUIDs = areUUIDs && text.utf8.count == 36 && UUID(syncJSON: json) != nil
    // `URL` would encode the braces of a URI template.
    areURLs =
      areURLs && (text.hasPrefix("https://") || text.hasPrefix("http://")) && !text.contains("{")
      && URL(syncJSON: json) != nil
  }

  mutating func merge(_ other: TextSample) {
    guard other.count > 0 else { return }
    guard count > 0 else { return self = other }
    count += other.count
    areMany = areMany || other.areMany
    for (text, times) in other.counts {
      if counts[text] != nil || counts.count < TextSample.limit {
        counts[text, default: 0] += times
      } else {
        areMany = true
      }
    }
    areDates = areDates && other.areDates
    areUUIDs = areUUIDs && other.areUUIDs
    areURLs = areURLs && other.areURLs
    areNumbers = areNumbers && other.areNumbers
    havePoints = havePoints || other.havePoints
    haveZeros = haveZeros || other.haveZeros
    fractionDigits.formUnion(other.fractionDigits)
    areTimes = areTimes && other.areTimes
    longest = max(longest, other.longest)
    patterns.removeAll { !other.patterns.contains($0) }
  }

  /// The pattern of the dates; nil if all have a standard format.
  var datePattern: String? { count > 0 && !areDates ? patterns.first : nil }

  /// Whether the order of day and month is unknown, so that the pattern is a guess.
  var isDayOrMonthFirst: Bool { patterns.contains("MM/dd/yyyy") && patterns.contains("dd/MM/yyyy") }

  /// Whether they are decimal numbers with fractions. If the numbers of digits differ, a trailing zero is significant, because
  /// the version `1.1` is not `1.10`.
  var areDecimals: Bool {
    count > 0 && areNumbers && havePoints && !areTimes && (!haveZeros || fractionDigits.count == 1)
  }

  /// Whether all contain values of another type, such as numbers or dates.
  var areValues: Bool {
    count > 0 && (areDates || datePattern != nil || areUUIDs || areURLs || areDecimals)
  }
}

/// Date formats that APIs use in addition to the standard ones.
enum DatePatterns {
  static let all = [
    "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z", "yyyy/MM/dd HH:mm:ss Z",
    "yyyy/MM/dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy/MM/dd", "dd.MM.yyyy HH:mm", "dd.MM.yyyy", "MM/dd/yyyy",
    "dd/MM/yyyy", "MMM d, yyyy", "d MMM yyyy",
  ]

  private static let formats = Dictionary(
    uniqueKeysWithValues: all.compactMap { text in
      (try? SyncDateFormat.pattern(text)).map { (text, SyncForm(dates: $0)) }
    })

  static func matches(_ json: SyncJSON, _ pattern: String) -> Bool {
    // The standard formats, which include strings of digits, need no pattern.
    Date(syncJSON: json) == nil && (formats[pattern].map { Date(syncJSON: json, form: $0) != nil } ?? false)
  }
}

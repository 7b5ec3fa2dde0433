import Foundation
import Syncline

/// The strings that were seen.
struct TextSample {
  private(set) var count = 0
  /// The number of occurrences of each string, up to a limit.
  private(set) var counts: [String: Int] = [:]
  private(set) var areMany = false
  private(set) var areDates = true
  private(set) var areUUIDs = true
  private(set) var areURLs = true
  /// Whether all are decimal numbers, as a number is written: without a plus sign or zeros in front.
  private(set) var areNumbers = true
  /// Whether one of them has a decimal point.
  private(set) var havePoints = false
  /// Whether one of them has a zero at the end of its fraction, and the numbers of digits of fractions.
  private var haveZeros = false
  private var fractionDigits: Set<Int> = []
  /// Whether all are seconds since 1970 with microseconds, by which some APIs name messages.
  private var areTimes = true
  /// The number of bytes of the longest.
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
    // Digits, with a sign or points, are a number, a version or a dialling code. A date reads some of them, too.
    areDates = areDates && hasDigits && !digits.isNumeric && Date(syncJSON: json) != nil
    patterns.removeAll {
      !hasDigits || (digits.isNumeric && !digits.isDay) || !DatePatterns.matches(json, $0)
    }
    areUUIDs = areUUIDs && text.utf8.count == 36 && UUID(syncJSON: json) != nil
    areURLs =
      areURLs && (text.hasPrefix("https://") || text.hasPrefix("http://")) && URL(syncJSON: json) != nil
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

  /// The pattern of the dates if they have none of the standard formats.
  var datePattern: String? { count > 0 && !areDates ? patterns.first : nil }

  /// Whether the pattern of the dates is a guess.
  var isDayOrMonthFirst: Bool { patterns.contains("MM/dd/yyyy") && patterns.contains("dd/MM/yyyy") }

  /// Whether they are decimal numbers with fractions. A zero at the end counts if they have different numbers of digits: `1.1` is
  /// another version than `1.10`.
  var areDecimals: Bool {
    count > 0 && areNumbers && havePoints && !areTimes && (!haveZeros || fractionDigits.count == 1)
  }

  /// Whether they are values of another type than strings.
  var areValues: Bool {
    count > 0 && (areDates || datePattern != nil || areUUIDs || areURLs || areDecimals)
  }
}

/// Date formats that APIs use in addition to the standard ones.
enum DatePatterns {
  static let all = [
    "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z", "yyyy/MM/dd HH:mm:ss Z",
    "yyyy/MM/dd HH:mm:ss",
    "yyyy-MM-dd HH:mm", "yyyy/MM/dd", "dd.MM.yyyy HH:mm", "dd.MM.yyyy", "MM/dd/yyyy", "dd/MM/yyyy",
    "MMM d, yyyy",
  ]

  private static let formats = Dictionary(
    uniqueKeysWithValues: all.compactMap { text in
      (try? SyncDateFormat.pattern(text)).map { (text, SyncForm(dates: $0)) }
    })

  static func matches(_ json: SyncJSON, _ pattern: String) -> Bool {
    // The standard formats are read anyway; they include strings of digits.
    Date(syncJSON: json) == nil && (formats[pattern].map { Date(syncJSON: json, form: $0) != nil } ?? false)
  }
}

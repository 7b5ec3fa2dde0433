import SynclineCompiler

struct ScalarGuess {
  private(set) var type = "JSON"
  private(set) var attributes: [String] = []
  private(set) var comments: [String] = []
  /// The raw values of an enum; nil for anything else.
  private(set) var cases: [String]?

  /// The type if the attributes are left out.
  var plainType: String { attributes.isEmpty ? type : "String" }

  static let onlyIntegers = "Only whole numbers were seen, but a number with this name may have fractions."

  /// Names of numbers that may have fractions even if the sample contains only integers.
  private static let fractions: Set<String> = [
    "altitude", "amount", "area", "average", "avg", "balance", "bbox", "confidence", "coordinates", "coords",
    "cost", "degrees", "discount", "distance", "elevation", "factor", "fee", "fraction", "gust", "hours",
    "humidity", "lat", "latitude", "lng", "lon", "longitude", "magnitude", "mean", "median", "percent",
    "percentage", "pressure", "price", "probability", "radius", "rate", "rating", "ratio", "salary", "score",
    "speed", "subtotal", "tax", "temp", "temperature", "tip", "velocity", "wage", "weight",
  ]
  private static let money: Set<String> = [
    "amount", "balance", "cost", "discount", "fee", "price", "salary", "subtotal", "tax", "tip", "total",
    "wage",
  ]
  /// Names of integers, whatever other words the key contains.
  private static let counts: Set<String> = [
    "cents", "count", "counts", "limit", "micros", "millis", "minor", "num", "number", "qty", "quantity",
  ]
  /// Last words of the names of versions, in which trailing zeros are significant.
  private static let versions: Set<String> = ["version", "versions", "ver", "release", "revision", "build"]
  /// Last words of the names of times.
  static let times: Set<String> = [
    "at", "closed", "completed", "created", "date", "deadline", "deleted", "done", "dt", "due", "edited",
    "end", "ended", "epoch", "expires", "finished", "modified", "on", "opened", "published", "resolved",
    "seen", "since", "start", "started", "sunrise", "sunset", "time", "timestamp", "ts", "unix", "until",
    "updated", "utc",
  ]
  /// Last words of the names of times that stay null until an event.
  private static let laterTimes: Set<String> = ["at", "date", "datetime", "timestamp"]
  /// The range of Unix times from 2000 to 2050, in seconds and in milliseconds.
  private static let seconds = 946_684_800...2_524_608_000

  /// The maximum number of enum cases, and the minimum number of distinct rows per case.
  private static let caseLimit = 12
  private static let caseOccurrences = 6

  /// Names of free text, and of strings that usually have many distinct values.
  private static let texts: Set<String> = [
    "body", "city", "comment", "country", "cursor", "description", "email", "label", "lang", "language",
    "locale", "location", "login", "message", "name", "note", "summary", "text", "timezone", "title", "token",
    "username", "zone",
  ]

  /// - Parameters:
  ///   - rows: the number of distinct rows. Strings that repeat only because their row repeats do not suggest an enum.
  ///   - areMinorUnits: whether amounts of money are integers in the currency's smallest unit. Asked only for amounts, since
  ///     finding out reads all keys of the objects.
  init(
    of value: SampleShape, key: String, rows: Int, areMinorUnits: @autoclosure () -> Bool = false
  ) {
    let words = KeyWords.words(of: key)
    // Codes and versions are not numbers: “1.10” is not “1.1”.
    let rank = KeyWords.rank(of: key, model: [])
    let isCode = words.last.map(ScalarGuess.versions.contains) ?? false || rank != nil
    if value.present == 0 {
      let isTime = ScalarGuess.isLaterTime(words)
      if isTime { type = "Date" }
      comments.append(isTime ? "Only null was seen. The name suggests a date." : "Only null was seen.")
    } else if value.isBool {
      type = "Bool"
    } else if value.isNumber {
      number(value, words, isCode: isCode, areMinorUnits: ScalarGuess.isMoney(words) && areMinorUnits())
    } else if value.isText {
      let isIdentity = rank.map { $0 < .address } ?? KeyWords.isOfUser(key)
      text(value, words, rows, isCode: isCode, isIdentity: isIdentity)
    } else if value.isTextOrNumber {
      let areNumbers = value.texts.areNumbers && !isCode
      type = areNumbers ? "Decimal" : "String"
      comments.append(
        areNumbers ? "Numbers were seen, some of them in strings." : "Strings and numbers were seen.")
    } else {
      comments.append("Values of different types were seen.")
    }
  }

  /// Whether values with this name are times even if only null was seen.
  static func isLaterTime(_ words: [String]) -> Bool {
    words != ["at"] && words.last.map(laterTimes.contains) ?? false || isDated(words)
  }

  /// Whether numbers with this name may be Unix times.
  private static func isTime(_ words: [String]) -> Bool {
    words.last.map(times.contains) ?? false || isDated(words)
  }

  /// Whether a name begins with `date`, and ends with an event: `date_closed`, but not `date_format`.
  private static func isDated(_ words: [String]) -> Bool {
    guard words.count > 1, words[0] == "date", let last = words.last else { return false }
    return last.hasSuffix("ed") || times.contains(last)
  }

  private mutating func number(_ value: SampleShape, _ words: [String], isCode: Bool, areMinorUnits: Bool) {
    if value.areLongNumbers {
      type = "Decimal"
    } else if let unit = value.range.flatMap(ScalarGuess.timeUnit), ScalarGuess.isTime(words) {
      type = "Date"
      comments.append("The numbers look like times, in \(unit) since 1970.")
    } else if !value.isInteger {
      type = "Double"
    } else if areMinorUnits {
      type = "Int"
      comments.append("Only whole numbers were seen in objects with a currency: they look like cents.")
    } else if !isCode, ScalarGuess.mayHaveFractions(words) {
      type = "Double"
      comments.append(ScalarGuess.onlyIntegers)
    } else {
      type = "Int"
    }
  }

  static func isMoney(_ words: [String]) -> Bool { words.contains(where: money.contains) }

  /// Whether integers with this name may later have fractions.
  static func mayHaveFractions(_ words: [String]) -> Bool {
    words.contains(where: fractions.contains) && !words.contains(where: counts.contains)
  }

  /// The unit of integers that may be Unix times; nil if they cannot.
  private static func timeUnit(of range: ClosedRange<Int>) -> String? {
    [(1, "seconds"), (1_000, "milliseconds")].first { parts, _ in
      seconds.lowerBound * parts <= range.lowerBound && range.upperBound <= seconds.upperBound * parts
    }?.1
  }

  private static func timeUnit(of texts: TextSample) -> String? {
    guard texts.areNumbers, !texts.havePoints else { return nil }
    let times = texts.counts.keys.map { Int($0) ?? 0 }
    return times.min().flatMap { least in times.max().flatMap { timeUnit(of: least...$0) } }
  }

  private mutating func text(
    _ value: SampleShape, _ words: [String], _ rows: Int, isCode: Bool, isIdentity: Bool
  ) {
    let texts = value.texts
    if texts.areDates, ["ver", "version"].contains(words.last) {
      // A version may look like a day: `2022-11-15`.
      type = "String"
    } else if texts.areDates {
      type = "Date"
    } else if let pattern = texts.datePattern {
      type = "Date"
      attributes.append("@DateFormat(\(SwiftText.literal(pattern)))")
      comments.append(
        texts.isDayOrMonthFirst
          ? "The strings look like dates. The month or the day may be first, because no number exceeds 12."
          : "The strings look like dates in this format.")
    } else if texts.areUUIDs {
      type = "UUID"
    } else if texts.areURLs {
      type = "URL"
    } else if let unit = ScalarGuess.timeUnit(of: texts), ScalarGuess.isTime(words) {
      type = "Date"
      comments.append("The strings look like times, in \(unit) since 1970.")
    } else if !isCode, isDecimal(texts, words) {
      type = "Decimal"
      comments.append("The strings contain numbers.")
    } else {
      type = "String"
      let isFree = isIdentity || words.last.map(ScalarGuess.texts.contains) ?? false
      cases = isFree ? nil : ScalarGuess.cases(of: texts, rows)
      if let cases {
        comments.append("An enum, because \(texts.count) rows have only \(cases.count) different values.")
      }
    }
  }

  /// Whether strings are decimal numbers. Integers in strings may be codes, unless the key is named like an amount.
  private func isDecimal(_ texts: TextSample, _ words: [String]) -> Bool {
    texts.areDecimals || (texts.areNumbers && words.contains(where: ScalarGuess.fractions.contains))
  }

  /// The distinct strings, if there are few compared with the number of rows.
  private static func cases(of texts: TextSample, _ rows: Int) -> [String]? {
    let values = texts.counts.keys.sorted()
    guard !texts.areMany, values.count > 1, values.count <= caseLimit,
      rows >= values.count * caseOccurrences
    else { return nil }
    let areWords = values.allSatisfy { value in
      value.utf8.count <= 40 && value.first?.isLetter ?? false && !isToken(value)
        && value.unicodeScalars.allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || "_-0123456789".unicodeScalars.contains($0))
        }
    }
    return areWords ? values : nil
  }

  /// Whether a string looks like an identity that a server generated: it has a long word with letters after digits, such as
  /// `U024BE7LH` or `cus_NffrFeUf5V2Hib`.
  private static func isToken(_ value: String) -> Bool {
    value.split { !$0.isLetter && !$0.isNumber }.contains { word in
      word.utf8.count >= 8 && word.drop { !$0.isNumber }.contains(where: \.isLetter)
    }
  }
}

import Foundation
import Syncline
import SynclineTesting
import Testing

@Suite struct DatePatternTests {
  static let patterns: [(property: String, pattern: String, unit: Int64)] = [
    ("twitter", "EEE MMM dd HH:mm:ss Z yyyy", 1_000), ("header", "EEE, dd MMM yyyy HH:mm:ss zzz", 1_000),
    ("sentence", "EEEE, d MMMM yyyy 'at' HH:mm", 60_000), ("german", "dd.MM.yyyy", 86_400_000),
    ("american", "M/d/yyyy h:mm:ss a", 1_000), ("compact", "yyyyMMddHHmmss", 1_000),
    ("isoColon", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 1), ("isoBasic", "yyyy-MM-dd HH:mm:ss.SSSSSS xx", 1),
    ("quoted", "'day' dd 'o''clock' HH, MMM yyyy", 3_600_000),
    ("halves", "dd.MM.yyyy HH:mm a", 60_000),
  ]

  private func formatter(_ pattern: String, offset: Int = 0) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: offset)
    formatter.dateFormat = pattern
    return formatter
  }

  private func key(_ property: String) -> String {
    ["isoColon": "iso_colon", "isoBasic": "iso_basic"][property] ?? property
  }

  private func floored(_ instant: Int64, to unit: Int64) -> Int64 {
    instant - ((instant % unit) + unit) % unit
  }

  /// Whole milliseconds that are multiples of a pattern's unit.
  private func instants(_ unit: Int64) -> [Int64] {
    DateDifferentialTests.instants(800, seed: 21).map { floored($0, to: unit) }
      + [0, -1_000, 1_409_444_955_000, 951_782_400_000].map { floored($0, to: unit) }
  }

  @Test(arguments: patterns.map(\.property))
  func aPatternIsReadAsFoundationWritesIt(_ property: String) async throws {
    let (_, pattern, unit) = try #require(Self.patterns.first { $0.property == property })
    let instants = instants(unit)
    let hasZone = pattern.contains("Z") || pattern.contains("X") || pattern.contains("x")
    let formatters = (hasZone ? [0, 7_200, -12_600] : [0]).map { formatter(pattern, offset: $0) }
    let texts = instants.enumerated().map { index, instant in
      formatters[index % formatters.count].string(from: Date(timeIntervalSince1970: Double(instant) / 1_000))
    }
    let container = try SyncContainer(for: Patterns.self)
    let rows = texts.enumerated().map { #"{"id": \#($0), "\#(key(property))": "\#($1)"}"# }.joined(
      separator: ",")
    let report = try await container.sync(payload: "[\(rows)]", as: Patterns.self)
    #expect(report.problems == [])
    let stored = try container.rows(of: Patterns.self).map { $0[property]?.string }
    let iso = formatter("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
    for ((instant, text), value) in zip(zip(instants, texts), stored) {
      let date = try #require(value.flatMap(iso.date(from:)), "\(text)")
      let difference = Int64((date.timeIntervalSince1970 * 1_000).rounded()) - instant
      #expect(unit == 1 ? (-1...0).contains(difference) : difference == 0, "\(text) is \(value ?? "nil")")
    }
    #expect(try await container.sync(payload: "[\(rows)]", as: Patterns.self).isUnchanged)
  }

  @Test(arguments: patterns.map(\.property))
  func aPatternIsWrittenAsFoundationWritesIt(_ property: String) async throws {
    let (_, pattern, unit) = try #require(Self.patterns.first { $0.property == property })
    let instants = instants(max(unit, 1_000))
    let container = try SyncContainer(for: Patterns.self)
    let iso = formatter("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
    let texts = instants.map { iso.string(from: Date(timeIntervalSince1970: Double($0) / 1_000)) }
    let rows = texts.enumerated().map { #"{"id": \#($0), "\#(key(property))": "\#($1)"}"# }.joined(
      separator: ",")
    #expect(try await container.sync(payload: "[\(rows)]", as: Patterns.self).problems == [])
    let formatter = formatter(pattern)
    let exported = try await container.export(as: Patterns.self)
    for (instant, row) in zip(instants, exported) {
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(instant) / 1_000))
        .replacingOccurrences(of: "GMT", with: "UTC")
      #expect(row[key(property)]?.string == expected)
    }
    #expect(try await container.sync(payload: SyncJSON.array(exported), as: Patterns.self).isUnchanged)
  }

  @Test func patternIsTriedBeforeTheStandardForms() async throws {
    try await expectAccepted(
      "stamp",
      [
        (#""Sun Aug 31 00:29:15 +0000 2014""#, "2014-08-31T00:29:15.000Z"),
        (#""sun aug 31 02:29:15 +0200 2014""#, "2014-08-31T00:29:15.000Z"),
        (#""2014-08-31T00:29:15Z""#, "2014-08-31T00:29:15.000Z"), ("1409444955", "2014-08-31T00:29:15.000Z"),
        (#""20140831""#, "2014-08-31T00:00:00.000Z"),
      ])
    try await expectRefused(
      "stamp",
      [
        #""Sun Aug 32 00:29:15 +0000 2014""#, #""Sun Feb 30 00:29:15 +0000 2014""#,
        #""Sun Aug 31 00:29:15 2014""#,
        #""Sun Aug 31 24:29:15 +0000 2014""#, #""Sun Aou 31 00:29:15 +0000 2014""#, #""Sun Aug 31""#,
        #""Sun Aug 31 00:29:15 +0000 2014 x""#, #""Sun Aug 31 00:29:15 +0000 14""#, "true", "{}",
      ])
  }

  @Test func aPatternOfDigitsReadsNumbersToo() async throws {
    let container = try SyncContainer(for: Patterns.self)
    try await container.sync(
      payload: #"[{"id": 1, "compact": 20180714123456}, {"id": 2, "compact": "20180714123456"}]"#,
      as: Patterns.self)
    let rows = try container.rows(of: Patterns.self)
    #expect(rows.map { $0["compact"] } == ["2018-07-14T12:34:56.000Z", "2018-07-14T12:34:56.000Z"])
  }

  @Test func theTwelveHourClockHasNoonAndMidnight() async throws {
    let container = try SyncContainer(for: Patterns.self)
    let cases = [
      ("1/2/2020 12:00:00 AM", "2020-01-02T00:00:00.000Z"),
      ("1/2/2020 12:00:00 PM", "2020-01-02T12:00:00.000Z"),
      ("1/2/2020 1:00:00 am", "2020-01-02T01:00:00.000Z"),
      ("11/12/2020 11:59:59 PM", "2020-11-12T23:59:59.000Z"),
    ]
    let rows = cases.enumerated().map { #"{"id": \#($0), "american": "\#($1.0)"}"# }.joined(separator: ",")
    try await container.sync(payload: "[\(rows)]", as: Patterns.self)
    #expect(try container.rows(of: Patterns.self).map { $0["american"]?.string } == cases.map(\.1))
  }

  @Test func aPatternWithAnUnknownFieldIsRefused() throws {
    for pattern in ["yyyy Q", "w", "D", "jj", "yyyyy", "SSSSSSSSSS"] {
      #expect(throws: SyncError.self) { try SyncDateFormat.pattern(pattern) }
    }
    for pattern in ["yyyy", "''", "'text'", "", "日 dd"] { _ = try SyncDateFormat.pattern(pattern) }
  }
}

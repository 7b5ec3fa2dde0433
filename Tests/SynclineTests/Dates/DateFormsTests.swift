import Foundation
import Syncline
import Testing

@Suite struct DateFormsTests {
  private func expectDates(_ cases: [(String, String)], _ property: String = "date") async throws {
    try await expectAccepted(property, cases.map { ("\"\($0.0)\"", .string($0.1)) })
  }

  private func expectNumbers(_ cases: [(String, String)]) async throws {
    try await expectAccepted(
      "date", cases.flatMap { [($0.0, .string($0.1)), ("\"\($0.0)\"", .string($0.1))] })
  }

  @Test func dateWithoutTimeIsMidnightUTC() async throws {
    try await expectDates([
      ("2018-07-14", "2018-07-14T00:00:00.000Z"), ("2016-02-29", "2016-02-29T00:00:00.000Z"),
      ("2000-02-29", "2000-02-29T00:00:00.000Z"), ("0000-01-01", "0000-01-01T00:00:00.000Z"),
      ("9999-12-31", "9999-12-31T00:00:00.000Z"),
    ])
  }

  @Test func timeMayFollowTOrSpaceAndOmitSeconds() async throws {
    try await expectDates([
      ("2018-07-14T12:34:56Z", "2018-07-14T12:34:56.000Z"),
      ("2018-07-14t12:34:56z", "2018-07-14T12:34:56.000Z"),
      ("2018-07-14 12:34:56", "2018-07-14T12:34:56.000Z"), ("2018-07-14T12:34", "2018-07-14T12:34:00.000Z"),
      ("2018-07-14 12:34Z", "2018-07-14T12:34:00.000Z"),
      ("2018-07-14T12:34+02:00", "2018-07-14T10:34:00.000Z"),
      ("2018-07-14T00:00:00Z", "2018-07-14T00:00:00.000Z"),
      ("2018-07-14T23:59:59Z", "2018-07-14T23:59:59.000Z"),
    ])
  }

  @Test func fractionalSecondsMayUsePointOrComma() async throws {
    try await expectDates([
      ("2018-07-14T12:34:56.7Z", "2018-07-14T12:34:56.700Z"),
      ("2018-07-14T12:34:56,789Z", "2018-07-14T12:34:56.789Z"),
      ("2018-07-14T12:34:56.78999999999999999999Z", "2018-07-14T12:34:56.789Z"),
      ("2018-07-14T12:34:56.9999999", "2018-07-14T12:34:56.999Z"),
      ("2018-07-14 12:34:56.0", "2018-07-14T12:34:56.000Z"),
      ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999Z"),
    ])
  }

  @Test func timeZoneOffsetIsReadInEveryForm() async throws {
    let expected = "2018-07-14T10:00:00.000Z"
    try await expectDates(
      [
        "12:00:00+02:00", "12:00:00+0200", "12:00:00+02", "12:00:00 +02:00", "12:00:00 +0200", "12:00:00 +02",
        "08:00:00-02:00", "08:00:00 -02", "10:00:00Z", "10:00:00 Z", "10:00:00 z", "10:00:00",
        "15:45:00+05:45",
        "06:30:00-0330", "10:00:00-00:00", "10:00:00+00", "12:00+02",
      ].map { ("2018-07-14T\($0)", expected) } + [
        ("2018-07-15T09:59:00+23:59", expected), ("2018-07-13T10:01:00-23:59", expected),
        ("2019-01-01T00:30:00+01:00", "2018-12-31T23:30:00.000Z"),
      ])
  }

  @Test func surroundingWhitespaceOfDatesIsTrimmed() async throws {
    try await expectDates([
      (" 2018-07-14 ", "2018-07-14T00:00:00.000Z"),
      (#"\t2018-07-14T12:00:00Z\n"#, "2018-07-14T12:00:00.000Z"),
      (" 1400000000 ", "2014-05-13T16:53:20.000Z"), (" 20180714 ", "2018-07-14T00:00:00.000Z"),
    ])
  }

  @Test func yearsBefore1970AreRead() async throws {
    try await expectDates([
      ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000Z"), ("1900-03-01", "1900-03-01T00:00:00.000Z"),
      ("1582-10-10", "1582-10-10T00:00:00.000Z"), ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ])
  }

  @Test func second60RollsOver() async throws {
    try await expectDates([
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
      ("2018-07-14T12:34:60.5", "2018-07-14T12:35:00.500Z"),
      ("2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"),
    ])
  }

  @Test func nonexistentDatesAndTimesAreRefused() async throws {
    try await expectRefused(
      "date",
      [
        "2018-02-31", "2018-02-29", "1900-02-29", "2018-04-31", "2018-00-10", "2018-13-10", "2018-01-00",
        "2018-01-32",
        "2018-07-14T24:00:00Z", "2018-07-14T24:00", "2018-07-14T25:00:00", "2018-07-14T12:60:00",
        "2018-07-14T12:34:61",
        "2018-07-14T12:34:56+24:00", "2018-07-14T12:34:56-24:00", "2018-07-14T12:34:56+02:60",
        "2018-07-14T12:34:56+0260",
        "2018-07-14T12:34:56 +99UTC", "2018-07-14T12:34:56 -24GMT", "2018-07-14 12:34 +02:60UTC",
        "2018-07-14T12:34:56+99", "2018-07-14T12", "2018-07-14T12Z", "2018-07-14T", "2018-07-14 ZZ",
        "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
      ].map { "\"\($0)\"" })
  }

  @Test func valuesThatAreNoDateAreRefused() async throws {
    try await expectRefused(
      "date",
      [
        "", " ", "x", "today", "2018-7-14", "18-07-14", "2018/07/14", "14.07.2018", "2018-07-14x",
        "2018-07-14T12:34:56.", "2018-07-14T12:34:56.Z", "2018-07-14T12:34:", "2018-07-14T1:34",
        "2018-07-14T12:34:5",
        "2018-07-14  12:34", "2018-07-14T12:34:56  Z", "2018-07-14T12:34:56ZZ",
        "2018-07-14T12:34:56+2", "2018-07-14T12:34:56+02:", "2018-07-14T12:34:56+020",
        "2018-07-14T12:34:56+02:0",
        "2018-07-14T12:34:56 +UTC", "2018-07-14T12:34:56 -GMT", "2018-07-14T12:34:56 +02:UTC",
        "2018-07-14T12:34:56+02:00:00", "2018-07-14T12:34:56UTC", "+2018-07-14", "-2018-07-14", "12018-07-14",
        "２０１８-07-14", "1e9", "0x10", "1,5", "--5", "+-5", "1.2.3", "1.", ".5", "infinity", "nan",
      ].map { "\"\($0)\"" }
        + [
          "true", "false", "[]", "[1400000000]", "{}", #"{"date": 1}"#, "1e400", "-1e400", "1e30", #""1e30""#,
        ])
  }

  @Test func unitOfUnixTimeDependsOnTheMagnitude() async throws {
    try await expectNumbers([
      ("0", "1970-01-01T00:00:00.000Z"), ("1400000000", "2014-05-13T16:53:20.000Z"),
      ("1400000000123", "2014-05-13T16:53:20.123Z"), ("1400000000123456", "2014-05-13T16:53:20.123Z"),
      ("1400000000123456789", "2014-05-13T16:53:20.123Z"), ("99999999999", "5138-11-16T09:46:39.000Z"),
      ("100000000000", "1973-03-03T09:46:40.000Z"), ("99999999999999", "5138-11-16T09:46:39.999Z"),
      ("100000000000000", "1973-03-03T09:46:40.000Z"), ("99999999999000000", "5138-11-16T09:46:39.000Z"),
      ("100000000000000000", "1973-03-03T09:46:40.000Z"), ("9223372036854775807", "2262-04-11T23:47:16.854Z"),
      ("-1", "1969-12-31T23:59:59.000Z"), ("-1400000000", "1925-08-21T07:06:40.000Z"),
      ("-100000000000", "1966-10-31T14:13:20.000Z"), ("-62167219200", "0000-01-01T00:00:00.000Z"),
    ])
    try await expectDates([
      ("+1400000000", "2014-05-13T16:53:20.000Z"), ("1400000000.5", "2014-05-13T16:53:20.500Z"),
    ])
    try await expectAccepted(
      "date", [("1.4e9", "2014-05-13T16:53:20.000Z"), ("14E+8", "2014-05-13T16:53:20.000Z")])
  }

  @Test func unixTimeMayHaveAFraction() async throws {
    try await expectNumbers([
      ("1400000000.25", "2014-05-13T16:53:20.250Z"), ("-0.5", "1969-12-31T23:59:59.500Z"),
      ("1400000000123.9", "2014-05-13T16:53:20.123Z"), ("0.0009999", "1970-01-01T00:00:00.000Z"),
      ("1400000000.99999999999", "2014-05-13T16:53:20.999Z"), ("99999999999.9", "5138-11-16T09:46:39.900Z"),
    ])
  }

  @Test func unixTimeOutsideYears0To9999IsRefused() async throws {
    try await expectRefused(
      "date", ["-62167219201", "9223372036854775808", #""99999999999999999999""#, "-99999999999", "1e25"])
  }

  @Test func eightDigitTextIsReadAsADayIfValid() async throws {
    try await expectDates([
      ("20180714", "2018-07-14T00:00:00.000Z"), ("19000101", "1900-01-01T00:00:00.000Z"),
      ("20181314", "1970-08-22T13:55:14.000Z"), ("20180231", "1970-08-22T13:37:11.000Z"),
      ("2018071", "1970-01-24T08:34:31.000Z"), ("-2018071", "1969-12-08T15:25:29.000Z"),
    ])
    try await expectAccepted("date", [("20180714", "1970-08-22T13:45:14.000Z")])
  }

  /// Some servers write zeros for a missing date.
  @Test func zerosInPlaceOfADateAreRefused() async throws {
    try await expectRefused(
      "date", [#""00000000""#, #""00000000000000""#, #""000000000000""#, #""01234567""#])
  }

  @Test func fourDigitTextIsReadAsAYear() async throws {
    try await expectDates([
      ("1974", "1974-01-01T00:00:00.000Z"), (" 1974 ", "1974-01-01T00:00:00.000Z"),
      ("0000", "0000-01-01T00:00:00.000Z"), ("9999", "9999-01-01T00:00:00.000Z"),
    ])
  }

  @Test func listsOfDatesAcceptYearsAndMonths() async throws {
    try await expectAccepted(
      "dates",
      [
        (
          #"["1974", "2013-01", 1974]"#,
          ["1974-01-01T00:00:00.000Z", "2013-01-01T00:00:00.000Z", "1970-01-01T00:32:54.000Z"]
        )
      ], as: Lists.self)
  }

  @Test func yearAndMonthIsReadAsTheFirstInstant() async throws {
    try await expectDates([
      ("2013-01", "2013-01-01T00:00:00.000Z"), ("2013-12", "2013-12-01T00:00:00.000Z"),
      (" 2013-07 ", "2013-07-01T00:00:00.000Z"), ("0000-01", "0000-01-01T00:00:00.000Z"),
      ("9999-12", "9999-12-01T00:00:00.000Z"),
    ])
  }

  @Test func fourDigitNumbersAndSignedTextAreReadAsSeconds() async throws {
    try await expectAccepted(
      "date",
      [
        ("1974", "1970-01-01T00:32:54.000Z"), (#""+1974""#, "1970-01-01T00:32:54.000Z"),
        (#""-1974""#, "1969-12-31T23:27:06.000Z"), (#""1974.0""#, "1970-01-01T00:32:54.000Z"),
        (#""974""#, "1970-01-01T00:16:14.000Z"), (#""19740""#, "1970-01-01T05:29:00.000Z"),
      ])
  }

  @Test func invalidYearsAndMonthsAreRefused() async throws {
    try await expectRefused(
      "date",
      [
        "2013-13", "2013-00", "2013-1", "2013-", "2013-1-1", "1974Z", "1974 Z", "2013-01Z", "2013-01-",
        "2013-01T", "2013-01T00:00", "2013-0001", "2013-01 10:00", "13-01", "+2013-01", "-2013-01", "19 4",
        "197x",
      ].map { "\"\($0)\"" })
  }

  @Test func aYearAndItsFirstInstantAreTheSameValue() async throws {
    let container = try SyncContainer(for: Kinds.self)
    try await container.sync(payload: #"[{"id": 1, "date": "1974"}]"#, as: Kinds.self)
    let written = #"[{"id": 1, "date": "1974-01-01T00:00:00Z"}]"#
    #expect(try await container.sync(payload: written, as: Kinds.self).isUnchanged)
  }

  @Test func storedDatesAreTruncatedToMicroseconds() async throws {
    let container = try SyncContainer(for: Kinds.self)
    let cases: [(String, Int64)] = [
      (#""2018-07-14T12:34:56.123456789Z""#, 1_531_571_696_123_456),
      (#""2018-07-14T12:34:56.000001""#, 1_531_571_696_000_001),
      ("1531571696123456789", 1_531_571_696_123_456), ("1531571696.1234569", 1_531_571_696_123_456),
      (#""1969-12-31T23:59:59.9999999""#, -1),
    ]
    let rows = cases.enumerated().map { #"{"id": \#($0), "date": \#($1.0)}"# }.joined(separator: ",")
    try await container.sync(payload: "[\(rows)]", as: Kinds.self)
    let stored = try await container.database.read { try Kinds.order(Kinds.Columns.id).fetchAll($0) }
    for ((text, microseconds), row) in zip(cases, stored) {
      let seconds = try #require(row.date).timeIntervalSince1970
      #expect((seconds * 1_000_000).rounded() == Double(microseconds), "\(text)")
    }
    #expect(try await container.sync(payload: "[\(rows)]", as: Kinds.self).isUnchanged)
  }

  @Test func storedDatesSortByTime() async throws {
    let container = try SyncContainer(for: Kinds.self)
    let texts = [
      "0001-01-01", "1969-12-31T23:59:59.999999", "1970-01-01", "2018-07-14T00:00:00.5", "9999-12-31",
    ]
    let rows = texts.enumerated().map { #"{"id": \#(10 - $0), "date": "\#($1)"}"# }.joined(separator: ",")
    try await container.sync(payload: "[\(rows)]", as: Kinds.self)
    let ids = try await container.database.read { try Kinds.order(Kinds.Columns.date).fetchAll($0).map(\.id) }
    #expect(ids == [10, 9, 8, 7, 6])
  }

  /// Contract, section 5.
  @Test func twelveOrFourteenDigitTextIsReadAsADateIfValid() async throws {
    try await expectDates([
      ("20210503100000", "2021-05-03T10:00:00.000Z"), (" 20210503100000 ", "2021-05-03T10:00:00.000Z"),
      ("202105031000", "2021-05-03T10:00:00.000Z"), ("20000229235959", "2000-02-29T23:59:59.000Z"),
      ("000001010000", "0000-01-01T00:00:00.000Z"), ("99991231235959", "9999-12-31T23:59:59.000Z"),
      ("20161231235960", "2017-01-01T00:00:00.000Z"),
      // A string that is not a valid calendar date is a number: milliseconds, by its magnitude.
      ("20210503240000", "2610-06-12T20:40:40.000Z"), ("20210231100000", "2610-06-09T17:05:00.000Z"),
      ("202113031000", "1976-05-28T06:30:31.000Z"), ("202105031060", "1976-05-28T04:17:11.060Z"),
      ("2021050310000", "2034-01-16T18:51:50.000Z"), ("+20210503100000", "2610-06-12T20:38:20.000Z"),
      ("-202105031000", "1963-08-06T19:42:49.000Z"), ("20210503100000.5", "2610-06-12T20:38:20.000Z"),
    ])
    try await expectAccepted(
      "date",
      [
        ("20210503100000", "2610-06-12T20:38:20.000Z"), ("202105031000", "1976-05-28T04:17:11.000Z"),
      ])
    try await expectRefused("date", [#""20210503100000Z""#, #""20210503100000 UTC""#])
  }

  /// In RFC 9557, the time zone's name follows the offset.
  @Test func bracketedSuffixesAfterAnOffsetAreIgnored() async throws {
    let expected = "2021-05-03T08:00:00.000Z"
    try await expectDates(
      [
        "2021-05-03T10:00:00+02:00[Europe/Berlin]", "2021-05-03T08:00:00Z[Europe/Berlin]",
        "2021-05-03T08:00:00z[UTC]", "2021-05-03T10:00+02:00[Europe/Berlin][u-ca=gregory]",
        "2021-05-03T10:00:00 +0200[!Europe/Berlin]", "2021-05-03 10:00:00.000+02[+02:00]",
        "20210503T100000+0200[Europe/Berlin]", "2021-W18-1T08:00Z[Etc/GMT+1]",
      ].map { ($0, expected) })
    try await expectRefused(
      "date",
      [
        "2021-05-03T10:00:00[Europe/Berlin]", "2021-05-03[Europe/Berlin]", "2021-05-03T10:00:00+02:00[]",
        "2021-05-03T10:00:00+02:00[Europe/Berlin", "2021-05-03T10:00:00+02:00Europe/Berlin]",
        "2021-05-03T10:00:00+02:00[a[b]]", "2021-05-03T10:00:00+02:00[a]x", "2021-05-03T10:00:00+02:00[a b]",
        "2021-05-03T10:00:00+02:00 [Europe/Berlin]", "2021-05-03T10:00:00 UTC[UTC]", "20210503100000[UTC]",
      ].map { "\"\($0)\"" })
  }

  @Test func utcAndGMTAfterATimeAreReadAsZones() async throws {
    let expected = "2021-05-03T10:00:00.000Z"
    try await expectDates(
      [
        "2021-05-03 10:00:00 UTC", "2021-05-03T10:00:00 GMT", "2021-05-03 10:00 UTC",
        "2021-05-03 10:00:00.0 UTC", "2021-05-03 12:00:00 +0200 UTC", "2021-05-03 12:00:00+02:00 GMT",
        "2021-05-03 10:00:00 +0000 UTC", "20210503 100000 UTC", "2021-123T10:00:00 GMT",
      ].map { ($0, expected) })
    try await expectRefused(
      "date",
      [
        "2021-05-03 10:00:00UTC", "2021-05-03 10:00:00  UTC", "2021-05-03 UTC", "2021-05 GMT", "2021 UTC",
        "2021-05-03 10:00:00 CEST", "2021-05-03 10:00:00 +0200 CEST", "2021-05-03 10:00:00 UTC+2",
        "2021-05-03 10:00:00 UTCx", "2021-05-03 10:00:00 UT", "1620036000 UTC",
      ].map { "\"\($0)\"" })
  }
}

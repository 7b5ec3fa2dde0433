import Foundation
import Testing

@testable import Syncline

/// Date formats other than extended ISO 8601 and Unix time.
@Suite struct OtherDatesTests {
  private func read(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBufferPointer { Instant(text: $0) }.map {
      SyncDateFormat.iso8601.json($0).string ?? ""
    }
  }

  private func expect(_ cases: [(String, String?)]) {
    for (text, expected) in cases { #expect(read(text) == expected, "\(text)") }
  }

  @Test func httpDatesAreRead() {
    expect([
      ("Tue, 15 Nov 1994 08:12:31 GMT", "1994-11-15T08:12:31.000Z"),
      ("15 Nov 1994 08:12:31 GMT", "1994-11-15T08:12:31.000Z"),
      ("Tue, 5 Nov 1994 08:12 UT", "1994-11-05T08:12:00.000Z"),
      ("tue, 15 nov 1994 08:12:31 gmt", "1994-11-15T08:12:31.000Z"),
      ("Tue 15 Nov 1994 08:12:31 +0200", "1994-11-15T06:12:31.000Z"),
      ("Tue, 15 Nov 1994 08:12:31 PST", "1994-11-15T16:12:31.000Z"),
      (" Tue, 15 Nov 1994 08:12:31 ", "1994-11-15T08:12:31.000Z"),
      ("Tue, 31 Feb 1994 08:12:31 GMT", nil), ("Tue, 15 Nov 94 08:12:31 GMT", nil),
      ("Tue, 15 Nov 1994", nil), ("Die, 15 Nov 1994 08:12:31 GMT", nil),
      ("Tue, 15 Nov 1994 24:12:31 GMT", nil), ("Tue, 15 Nov 1994 08:12:31 XYZ", nil),
      ("Tue, 15 Nov 1994 08:12:31 GMT+1", nil), ("Tue,15 Nov 1994 08:12:31 GMT", nil),
    ])
  }

  @Test func basicISO8601FormatIsRead() {
    expect([
      ("20130110T075830Z", "2013-01-10T07:58:30.000Z"), ("20130110t0758z", "2013-01-10T07:58:00.000Z"),
      ("20130110T075830", "2013-01-10T07:58:30.000Z"),
      ("20130110 075830.25+0200", "2013-01-10T05:58:30.250Z"),
      ("20130110T07:58:30Z", "2013-01-10T07:58:30.000Z"), ("20161231T235960Z", "2017-01-01T00:00:00.000Z"),
      ("20130110T07Z", nil), ("20130110T", nil), ("20130231T075830Z", nil), ("20130110T0758300Z", nil),
      ("20130110T250000Z", nil), ("2013-01-10T075830Z", nil),
    ])
  }

  @Test func isoWeekAndOrdinalDatesAreRead() {
    expect([
      ("2013-W02-4", "2013-01-10T00:00:00.000Z"), ("2013W024", "2013-01-10T00:00:00.000Z"),
      ("2013-W02", "2013-01-07T00:00:00.000Z"), ("2013W02", "2013-01-07T00:00:00.000Z"),
      ("2013-W02-4T07:58:30Z", "2013-01-10T07:58:30.000Z"), ("2013W024T075830Z", "2013-01-10T07:58:30.000Z"),
      ("2009-W01-1", "2008-12-29T00:00:00.000Z"), ("2020-W53-7", "2021-01-03T00:00:00.000Z"),
      ("2013-010", "2013-01-10T00:00:00.000Z"), ("2012-366", "2012-12-31T00:00:00.000Z"),
      ("2013-010T07:58:30+02:00", "2013-01-10T05:58:30.000Z"),
      ("2013-W00-1", nil), ("2021-W53-1", nil), ("2013-W02-8", nil), ("2013-W02-0", nil), ("2013-W2-4", nil),
      ("2013-366", nil), ("2013-000", nil), ("2013-0100", nil), ("2013-W02-", nil),
    ])
  }

  @Test func aspNETDatesAreRead() {
    expect([
      ("/Date(1230800000000)/", "2009-01-01T08:53:20.000Z"), ("/Date(-1)/", "1969-12-31T23:59:59.999Z"),
      ("/Date(1230800000000+0100)/", "2009-01-01T08:53:20.000Z"), ("/Date(0)/", "1970-01-01T00:00:00.000Z"),
      ("/Date(1230800000000-0700)/", "2009-01-01T08:53:20.000Z"),
      ("/Date()/", nil), ("/Date(x)/", nil), ("/Date(1.5)/", nil), ("/Date(1+1)/", nil), ("/Date(1)", nil),
      ("/Date(9223372036854775807)/", nil), ("/Date(+1)/", nil), ("/Date(", nil), ("/", nil),
    ])
  }

  /// Each day of some years, as formatted by Foundation.
  @Test func weekAndOrdinalDatesMatchFoundation() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for day in stride(from: -3_000, to: 30_000, by: 1) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = calendar.dateComponents(
        [.yearForWeekOfYear, .weekOfYear, .weekday, .year, .dayOfYear], from: date)
      let weekday = ((parts.weekday ?? 0) + 5) % 7 + 1
      let week = String(
        format: "%04d-W%02d-%d", parts.yearForWeekOfYear ?? 0, parts.weekOfYear ?? 0, weekday)
      let ordinal = String(format: "%04d-%03d", parts.year ?? 0, parts.dayOfYear ?? 0)
      for text in [week, ordinal] {
        let instant = Array(text.utf8).withUnsafeBufferPointer { Instant(text: $0) }
        #expect(instant?.date == date, "\(text)")
      }
    }
  }

  /// No string causes a trap. Each date that is read has the same value when it is written and read again.
  @Test func randomTextNeverTraps() {
    var random = SeededGenerator(seed: 7)
    let pieces = [
      "2013", "-", "W", "02", "4", "T", "0758", ":", "30", "Z", "+0100", "Tue", ",", " ", "15", "Nov", "1994",
      "GMT",
      "/Date(", ")/", "123", ".", "é", "", "99999999999999999999",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.pick(pieces) }.joined()
      guard let written = read(text) else { continue }
      #expect(read(written) == written, "\(text)")
    }
  }
}

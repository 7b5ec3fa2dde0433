import Foundation
import Syncline
import SynclineTesting
import TestRuns
import Testing

/// Compares the date parser and formatter with those of Foundation, for seeded instants.
@Suite(.enabled(if: TestKind.thorough.runs))
struct DateDifferentialTests {
  static let zones = [0, 3_600, -3_600, 7_200, 19_800, 20_700, -12_600, 50_400, -43_200]

  /// Whole milliseconds from the year 1600 on, because before 1582 Foundation uses another calendar.
  static func instants(_ count: Int, seed: Int) -> [Int64] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Int64.random(in: -11_676_096_000_000...253_402_214_400_000 - 86_400_000, using: &random)
    }
  }

  private func dates(_ values: [String]) async throws -> [Date?] {
    let container = try SyncContainer(for: Kinds.self)
    let rows = values.enumerated().map { #"{"id": \#($0), "date": \#($1)}"# }.joined(separator: ",")
    let report = try await container.sync(payload: "[\(rows)]", as: Kinds.self)
    #expect(report.problems == [])
    #expect(try await container.sync(payload: "[\(rows)]", as: Kinds.self).isUnchanged)
    return try await container.database.read { try Kinds.order(Kinds.Columns.id).fetchAll($0).map(\.date) }
  }

  private func milliseconds(_ date: Date?) -> Int64? {
    date.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
  }

  @Test(arguments: [true, false])
  func iso8601IsReadAsFoundationWritesIt(_ zoneHasColon: Bool) async throws {
    let instants = Self.instants(4_000, seed: 1)
    let formatters = Self.zones.map { (zone: Int) -> ISO8601DateFormatter in
      let formatter = ISO8601DateFormatter()
      formatter.timeZone = TimeZone(secondsFromGMT: zone)
      formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      return formatter
    }
    let texts = instants.enumerated().map { index, instant in
      let date = Date(timeIntervalSince1970: Double(instant) / 1_000)
      let text = formatters[index % formatters.count].string(from: date)
      return zoneHasColon || text.hasSuffix("Z") ? text : "\(text.dropLast(3))\(text.suffix(2))"
    }
    let read = try await dates(texts.map { "\"\($0)\"" })
    for ((instant, text), date) in zip(zip(instants, texts), read) {
      // Foundation's `Double` makes a fraction slightly too small.
      let difference = try #require(milliseconds(date)) - instant
      #expect((-1...0).contains(difference), "\(text) is \(instant)")
    }
  }

  @Test func exportedDatesAreReadableByFoundation() async throws {
    let instants = Self.instants(4_000, seed: 2)
    let container = try SyncContainer(for: Kinds.self)
    try await container.database.write { database in
      for (index, instant) in instants.enumerated() {
        let date = Date(timeIntervalSinceReferenceDate: Double(instant - 978_307_200_000) / 1_000)
        try Kinds(id: index, date: date).insert(database)
      }
    }
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let exported = try await container.export(as: Kinds.self)
    for (instant, row) in zip(instants, exported) {
      let text = try #require(row["date"]?.string)
      #expect(milliseconds(formatter.date(from: text)) == instant, "\(text)")
    }
    #expect(try await container.sync(payload: SyncJSON.array(exported), as: Kinds.self).isUnchanged)
  }

  @Test func millisecondsSurviveARoundTrip() async throws {
    let instants = Self.instants(4_000, seed: 5)
    let seconds = instants.map { ($0 - ($0 % 1_000 + 1_000) % 1_000) / 1_000 }
    let formatter = ISO8601DateFormatter()
    let texts = zip(instants, seconds).map { instant, second in
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(second)))
      return "\(text.dropLast()).\(String(1_000 + instant - second * 1_000).dropFirst())Z"
    }
    let container = try SyncContainer(for: Kinds.self)
    let rows = texts.enumerated().map { #"{"id": \#($0), "date": "\#($1)"}"# }.joined(separator: ",")
    try await container.sync(payload: "[\(rows)]", as: Kinds.self)
    #expect(try await container.export(as: Kinds.self).compactMap { $0["date"]?.string } == texts)
  }

  @Test func daysFrom1600To2400AreReadCorrectly() async throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let days = Array(stride(from: -135_140, to: 157_000, by: 23))
    let read = try await dates(
      days.map { day in
        let fields = calendar.dateComponents(
          [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
        let number = (fields.year ?? 0) * 10_000 + (fields.month ?? 0) * 100 + (fields.day ?? 0)
        return "\"\(number)\""
      })
    for (day, date) in zip(days, read) { #expect(date?.timeIntervalSince1970 == Double(day) * 86_400) }
  }

  @Test func yearsAndMonthsAreReadAsTheirFirstInstant() async throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let years = Array(1600...2400)
    let ofYears = try await dates(years.map { "\"\($0)\"" })
    for (year, date) in zip(years, ofYears) {
      #expect(date == calendar.date(from: DateComponents(year: year, month: 1, day: 1)), "\(year)")
    }
    let ofMonths = try await dates(years.map { "\"\($0)-\(String(100 + $0 % 12 + 1).dropFirst())\"" })
    for (year, date) in zip(years, ofMonths) {
      let components = DateComponents(year: year, month: year % 12 + 1, day: 1)
      #expect(date == calendar.date(from: components), "\(components)")
    }
  }

  @Test func unixTimeIsReadInEveryUnit() async throws {
    var random = SeededGenerator(seed: 3)
    let seconds = (0..<2_000).map { _ in Int64.random(in: 200_000_000...9_000_000_000, using: &random) }
    let calendar = DateFormatter()
    (calendar.locale, calendar.timeZone) = (Locale(identifier: "en_US_POSIX"), .gmt)
    calendar.dateFormat = "yyyyMMddHHmm"
    for (factor, zeros) in [
      (Int64(1), ""), (1_000, "000"), (1_000_000, "000000"), (1_000_000_000, "000000000"),
    ] {
      let read = try await dates(seconds.map { "\($0)\(zeros)" })
      #expect(zip(seconds, read).allSatisfy { $1?.timeIntervalSince1970 == Double($0) }, "times \(factor)")
      let text = try await dates(seconds.map { "\"\($0)\(zeros)\"" })
      for ((second, number), text) in zip(zip(seconds, read), text) where text != number {
        // A string of 12 digits may be a calendar date with a time.
        #expect(text == calendar.date(from: "\(second)\(zeros)"), "\(second)\(zeros)")
      }
    }
  }
}

import Syncline
import Testing

@Suite struct IntegerCoercionTests {
  struct Width: Sendable, CustomTestStringConvertible {
    let property: String
    let least: String
    let greatest: String
    let below: String
    let above: String
    var testDescription: String { property }
  }

  /// SQLite's integers are signed 64-bit integers, so larger values are rejected for unsigned types, too.
  static let widths = [
    Width(property: "int8", least: "-128", greatest: "127", below: "-129", above: "128"),
    Width(property: "int16", least: "-32768", greatest: "32767", below: "-32769", above: "32768"),
    Width(
      property: "int32", least: "-2147483648", greatest: "2147483647", below: "-2147483649",
      above: "2147483648"),
    Width(
      property: "int64", least: "-9223372036854775808", greatest: "9223372036854775807",
      below: "-9223372036854775809", above: "9223372036854775808"),
    Width(
      property: "int", least: "-9223372036854775808", greatest: "9223372036854775807",
      below: "-9223372036854775809", above: "9223372036854775808"),
    Width(property: "uint8", least: "0", greatest: "255", below: "-1", above: "256"),
    Width(property: "uint16", least: "0", greatest: "65535", below: "-1", above: "65536"),
    Width(property: "uint32", least: "0", greatest: "4294967295", below: "-1", above: "4294967296"),
    Width(
      property: "uint64", least: "0", greatest: "9223372036854775807", below: "-1",
      above: "9223372036854775808"),
    Width(
      property: "uint", least: "0", greatest: "9223372036854775807", below: "-1",
      above: "18446744073709551615"),
  ]

  @Test(arguments: widths)
  func integerTypesAcceptTheirLimitsAndRefuseOverflow(_ width: Width) async throws {
    let least = try SyncJSON(parsing: width.least)
    let greatest = try SyncJSON(parsing: width.greatest)
    try await expectAccepted(
      width.property,
      [
        (width.least, least), (width.greatest, greatest), ("\"\(width.least)\"", least),
        ("\"\(width.greatest)\"", greatest), ("\"+\(width.greatest)\"", greatest),
        ("\"000\(width.greatest)\"", greatest), ("\(width.greatest).0", greatest),
        ("\(width.least).000", least),
        ("0", 0), ("-0", 0), ("1e1", 10), ("1.2E+1", 12), ("120e-1", 12), ("0e99999999999", 0),
      ])
    try await expectRefused(
      width.property,
      [
        width.below, width.above, "\"\(width.below)\"", "\"\(width.above)\"", "\(width.above).5", "1e400",
        "-1e400",
        "1e99999999999999999999", "123456789012345678901234567890",
      ])
  }

  @Test(arguments: widths)
  func integerTypesRefuseOtherTextAndTypes(_ width: Width) async throws {
    try await expectRefused(
      width.property,
      [
        "true", "false", #""42.0""#, #"" 42 ""#, #""42 ""#, #""""#, #""-""#, #""+""#, #""+-4""#, #""4e1""#,
        #""0x1F""#, #""4_2""#, #""１２""#, #""42\u0000""#, "[]", "[42]", "{}", #"{"id": 42}"#,
      ])
  }

  @Test func fractionsTruncateTowardZeroAndAreReported() async throws {
    let cases: [(String, SyncJSON)] = [
      ("1.5", 1), ("-1.5", -1), ("0.999999999999999999999", 0), ("-0.5", 0), ("127.9", 127), ("1e-5", 0),
      ("12.34e1", 123), ("1e-99999999999999999999", 0),
    ]
    for property in ["int8", "int64"] {
      let readings = try await ScalarReadings(of: property, cases.map(\.0))
      for (index, (text, value)) in cases.enumerated() {
        #expect(readings.values[index] == value, "\(property) ← \(text)")
        #expect(readings.problems[index].map(\.action) == [.truncatedFraction], "\(property) ← \(text)")
        #expect(readings.problems[index].first?.path == "[\(index)].\(property)")
      }
    }
  }

  @Test func textWithSignOrLeadingZerosIsReadAsAnInteger() async throws {
    try await expectAccepted(
      "int",
      [(#""42""#, 42), (#""-7""#, -7), (#""+7""#, 7), (#""007""#, 7), (#""-007""#, -7), (#""\u0034""#, 4)])
  }

  @Test func integersAreExactUpTo64Bits() async throws {
    let texts = ["9007199254740993", "-9007199254740993", "9223372036854775807", "1234567890123456789"]
    let readings = try await ScalarReadings(of: "int64", texts)
    #expect(readings.values.map(\.description) == texts)
  }
}

import Foundation
import Syncline
import TestSupport
import Testing

@Suite struct NumberCoercionTests {
  @Test func doubleAcceptsNumbersAndNumericText() async throws {
    try await expectAccepted(
      "double",
      [
        ("3.14", 3.14), ("1", 1), ("-0.0", 0), ("1e3", 1000), ("1E-3", 0.001),
        ("5e-324", SyncJSON(Double.leastNonzeroMagnitude)),
        ("1.7976931348623157e308", 1.7976931348623157e308), ("9007199254740993", 9_007_199_254_740_992),
        ("0.1", 0.1), ("123456789012345.6", 123_456_789_012_345.6), ("1e-400", 0),
        (#""3.14""#, 3.14), (#""1e3""#, 1000), (#""+2.5""#, 2.5), (#""-2.5E-1""#, -0.25), (#""007.5""#, 7.5),
        ("-9223372036854775808", -9.223372036854775808e18), ("9223372036854775808", 9.223372036854775808e18),
      ])
  }

  @Test func floatAcceptsNumbersAndNumericText() async throws {
    try await expectAccepted(
      "float",
      [("0.1", 0.1), ("16777216", 16_777_216), ("-2", -2), (#""2.5e1""#, 25), (#""+1""#, 1), ("1e-60", 0)])
  }

  @Test(arguments: ["double", "float"])
  func floatingPointTypesRefuseOtherValues(_ property: String) async throws {
    try await expectRefused(
      property,
      [
        "true", "false", #""1,5""#, #"".5""#, #""5.""#, #""0x1F""#, #""0x1p3""#, #""""#, #"" ""#, #"" 1""#,
        #""1 ""#, "1e400", "-1e400", #""1e400""#, #""nan""#, #""NaN""#, #""inf""#, #""-Infinity""#, #""1e""#,
        #""1e+""#, #""--1""#, #""1_000""#, #""1.2.3""#, "[]", "[1]", "{}",
      ])
  }

  @Test func floatRefusesOverflowingNumbers() async throws {
    try await expectRefused("float", ["1e39", "-1e39", #""1e39""#, "3.5e38"])
  }

  @Test func doublesAreReadAsTheNearestValue() async throws {
    var random = SeededGenerator(seed: 4)
    var texts: [String] = []
    for _ in 0..<400 {
      let digits = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }
      let whole = digits.joined().drop { $0 == "0" }
      let fraction = String(Int.random(in: 0...999_999, using: &random))
      let exponent = Int.random(in: -300...280, using: &random)
      let number = "\(Bool.random(using: &random) ? "-" : "")\(whole.isEmpty ? "0" : whole).\(fraction)"
      texts.append(Bool.random(using: &random) ? number : "\(number)e\(exponent)")
    }
    let container = try makeStore()
    let rows = texts.enumerated().map { #"{"id": \#($0), "double": \#($1)}"# }
    try await container.sync(payload: "[\(rows.joined(separator: ","))]", as: Kinds.self)
    let stored = try await container.database.read { try Kinds.order(Kinds.Columns.id).fetchAll($0) }
    for (text, row) in zip(texts, stored) { #expect(row.double == Double(text), "\(text)") }
  }

  @Test func decimalsAreReadExactly() async throws {
    let texts = [
      "0.1", "-0.1", "12.50", "1e3", "1.5E-3", "99999999999999999999999999999999999999", "0", "-0",
      "0.00000000000000000000000000000000000001", "123456789.987654321", "1e127", "1E-127",
      "9007199254740993", "1e-128", "170141183460469231731687303715884105727",
      "340282366920938463463374607431768211455",
    ]
    let container = try makeStore()
    for quote in ["", "\""] {
      let rows = texts.enumerated().map { #"{"id": \#($0), "decimal": \#(quote + $1 + quote)}"# }
      let report = try await container.sync(payload: "[\(rows.joined(separator: ","))]", as: Kinds.self)
      #expect(report.problems == [])
      let stored = try await container.database.read { try Kinds.order(Kinds.Columns.id).fetchAll($0) }
      for (text, row) in zip(texts, stored) { #expect(row.decimal == Decimal(string: text), "\(text)") }
    }
  }

  @Test func aDecimalRefusesOtherText() async throws {
    try await expectRefused(
      "decimal",
      [
        #""12.50abc""#, #""abc""#, "true", "false", #""""#, #""1,5""#, #"" 1""#, #"".5""#, #""NaN""#, "[1]",
        "{}",
        "1e400", "1e-400", "12345678901234567890123456789012345678901",
        "340282366920938463463374607431768211457",
      ])
  }

  @Test func decimalThatIsNotANumberIsNotStored() async throws {
    let container = try makeStore()
    let row = Kinds(id: 1, decimal: .nan)
    await #expect(throws: SyncError.self) { try await container.database.write { try row.insert($0) } }
  }

  /// `7.038531e-26` is between two floats. The double nearest to it is nearer to the other one.
  @Test func floatsAreReadAsTheNearestValue() async throws {
    let store = try TextStore("model Sensor { id: Int; value: Float; values: [Float] }")
    let payload = #"[{"id": 1, "value": 7.038531e-26, "values": [7.038531e-26]}]"#
    try await store.sync(payload, as: "Sensor")
    #expect(try await store.rows("SELECT \"values\" FROM Sensor") == ["[7.038531e-26]"])
    #expect(try await store.export("Sensor") == #"[{"id":1,"value":7.038531e-26,"values":[7.038531e-26]}]"#)
  }

  @Test func messagesMarkLongNumbersAsCut() async throws {
    let store = try TextStore("model Sensor { id: Int; value: Int? }")
    let number = String(repeating: "9", count: 80)
    let report = try await store.sync("[{\"id\": 1, \"value\": \(number)}]", as: "Sensor")
    #expect(report.problems[0].reason.contains("the number \(number.prefix(64))… is"), "\(report.problems)")
  }

  @Test func booleanAcceptsCommonTextAndNumberForms() async throws {
    let yes = [
      "true", "1", "1.0", "1e0", #""true""#, #""TRUE""#, #""1""#, #""Yes""#, #"" yes\n""#, #""tRuE ""#,
    ]
    let no = ["false", "0", "0.0", "-0", "0e5", #""false""#, #""False""#, #""0""#, #""NO""#, #""\tno""#]
    try await expectAccepted("bool", yes.map { ($0, true) } + no.map { ($0, false) })
  }

  @Test func aBooleanRefusesOtherNumbersAndText() async throws {
    try await expectRefused(
      "bool",
      [
        "2", "-1", "0.5", "1.5", "1e400", #""y""#, #""n""#, #""t""#, #""on""#, #""off""#, #""2""#, #""1.0""#,
        #""""#, #"" ""#, #""yes no""#, "[]", "[true]", "{}",
      ])
  }
}

import Syncline
import TestSupport
import Testing

@Suite struct ListAndEnumCoercionTests {
  @Test func listElementsAreCoercedIndividually() async throws {
    try await expectAccepted(
      "words",
      [("[]", []), (#"["a", 1, true, ""]"#, ["a", "1", "true", ""]), (#"["\u00e9\n\""]"#, ["é\n\""])])
    try await expectAccepted(
      "numbers",
      [("[]", []), (#"[1, "2", 3.0, -4]"#, [1, 2, 3, -4]), ("[9007199254740993]", [9_007_199_254_740_993])])
  }

  @Test func aListWithAnUnreadableOrNullElementIsUnreadable() async throws {
    try await expectRefused(
      "words", [#"["a", null]"#, #"[["a"]]"#, #"["a", {}]"#, #""a""#, "1", "true", "{}"])
    try await expectRefused(
      "numbers", [#"[1, "x"]"#, "[1, null]", "[true]", "[[1]]", "[9223372036854775808]", #""1""#, "1", "{}"])
  }

  @Test func unreadableElementOfAListIsNamed() async throws {
    let store = try TextStore(
      "model Row { id: Int; words: [String] = []; lists: [[Double]]?; dates: [Date]? }")
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(#"[{"id": 1, "words": ["a", null]}]"#)
    }
    #expect(
      error?.description
        == "Invalid payload for Row: “words” is not a valid [String]: null is not a valid String (at [0].words[1], row 0, identity 1)"
    )
    let whole = await #expect(throws: SyncError.self) { try await store.sync(#"[{"id": 1, "words": "a"}]"#) }
    #expect(
      whole?.description
        == "Invalid payload for Row: “words” is not a valid [String]: the string “a” (at [0].words, row 0, identity 1)"
    )
    let report = try await store.sync(
      #"[{"id": 1, "lists": [[1], [2, "x"]], "dates": ["2020-01-01", "soon"]}]"#)
    #expect(
      report.problems.map(\.description) == [
        "Row “1”, [0].lists[1][1]: the string “x” is not a valid Double (it is nil)",
        "Row “1”, [0].dates[1]: the string “soon” is not a valid Date (it is nil)",
      ])
  }

  @Test func aFractionInAListOfIntegersIsTruncatedAndReported() async throws {
    let readings = try await ScalarReadings(of: "numbers", ["[1, 2.5]"])
    #expect(readings.values == [[1, 2]])
    #expect(readings.problems[0].map(\.action) == [.truncatedFraction])
  }

  @Test func enumRawValueIsReadFromTextOrNumber() async throws {
    try await expectAccepted("level", [("1", 1), ("10", 10), (#""10""#, 10), ("2.0", 2)])
    try await expectAccepted("state", [(#""open""#, "open"), (#""in_progress""#, "in_progress")])
  }

  @Test func unknownEnumRawValueIsKept() async throws {
    try await expectAccepted("level", [("99", 99), ("-1", -1), (#""7""#, 7)])
    try await expectAccepted(
      "state", [(#""paused""#, "paused"), (#""Open""#, "Open"), (#""""#, ""), ("7", "7")])
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": 1, "state": "paused", "level": 99}]"#, as: Kinds.self)
    let row = try await container.database.read { try Kinds.fetchOne($0) }
    #expect(row?.state == .unrecognized("paused"))
    #expect(row?.level == .unrecognized(99))
  }

  @Test func anEnumRefusesListsAndObjects() async throws {
    try await expectRefused("level", ["[]", "[1]", "{}", #""low""#])
    try await expectRefused("state", ["[]", #"["open"]"#, "{}"])
  }

  @Test func aJSONPropertyKeepsAnyValueVerbatim() async throws {
    let texts = [
      "1", "1.50", "-0", "1e5", "123456789012345678901234567890", "true", #""a\u00e9""#, "[]", "{}",
      #"[null,{"b":1,"a":[2.0]}]"#, #"{"z":null,"a":{"":""}}"#,
    ]
    let readings = try await ScalarReadings(of: "json", texts)
    #expect(readings.problems.allSatisfy { $0 == [] })
    for (value, text) in zip(readings.values, texts) where !text.contains("\\u") {
      #expect(value.description == text)
    }
    #expect(readings.values[6] == "aé")
  }
}

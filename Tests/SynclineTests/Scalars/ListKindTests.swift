import Syncline
import Testing

@Suite struct ListKindTests {
  @Test func listsOfEveryScalarTypeAreRead() async throws {
    let cases: [(property: String, text: String, value: SyncJSON)] = [
      ("doubles", #"[0.1, "1e3", -2]"#, [0.1, 1000, -2]), ("floats", "[0.1, 16777216]", [0.1, 16_777_216]),
      ("bools", #"[true, 0, "yes"]"#, [true, false, true]),
      ("dates", #"["2018-07-14", 0]"#, ["2018-07-14T00:00:00.000Z", "1970-01-01T00:00:00.000Z"]),
      (
        "uuids", #"["c3e7a1b2-1001-4abc-9def-0123456789ab"]"#, ["C3E7A1B2-1001-4ABC-9DEF-0123456789AB"]
      ),
      ("urls", #"["/a", "https://example.com/é"]"#, ["/a", "https://example.com/%C3%A9"]),
      ("decimals", #"[0.1, "12.50"]"#, [0.1, 12.5]),
      ("blobs", #"["AQID", "-_8", ""]"#, ["AQID", "+/8=", ""]),
      ("levels", #"[1, "10", 99]"#, [1, 10, 99]), ("states", #"["open", "x"]"#, ["open", "x"]),
      ("values", #"[null, 1.50, {"b": [], "a": null}]"#, [nil, 1.5, ["b": [], "a": nil]]),
    ]
    for (property, text, value) in cases {
      try await expectAccepted(property, [(text, value), ("[]", [])], as: Lists.self)
    }
  }

  @Test func aDateInAListKeepsMicroseconds() async throws {
    let container = try SyncContainer(
      for: Lists.self, configuration: SyncConfiguration(dateFormat: .iso8601Microseconds))
    let item = #"{"id": 1, "dates": ["2018-07-14T12:34:56.123456Z"]}"#
    try await container.sync(item: item, as: Lists.self)
    #expect(try await container.export(as: Lists.self)[0]["dates"] == ["2018-07-14T12:34:56.123456Z"])
    #expect(try await container.sync(item: item, as: Lists.self).isUnchanged)
  }

  @Test func oneUnreadableElementMakesAListOfAnyKindUnreadable() async throws {
    let container = try SyncContainer(for: Lists.self)
    let report = try await container.sync(
      item: #"""
        {"id": 1, "doubles": [1, "x"], "floats": [1e39], "bools": [2], "dates": [true], "uuids": [""],
         "urls": [""],
         "decimals": ["x"], "blobs": ["?"], "levels": [null], "states": [[]], "values": {}}
        """#, as: Lists.self)
    #expect(report.problems.count == 11)
    #expect(report.problems.first?.path == "doubles[1]")
    #expect(report.problems.allSatisfy { $0.row == nil && $0.identity == "1" })
  }
}

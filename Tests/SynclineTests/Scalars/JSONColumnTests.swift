import Syncline
import SynclineTesting
import Testing

/// Columns of the type `JSON` are compared by value.
@Suite struct JSONColumnTests {
  private let stored = #"{"a": 1, "b": [1.50, {"x": null, "y": "é"}], "c": 9007199254740993}"#

  @Test(arguments: [
    #"{"a": 1, "b": [1.50, {"x": null, "y": "é"}], "c": 9007199254740993}"#,
    #"{ "b":[1.5,{"y":"\u00e9","x":null}], "c":9007199254740993.0, "a":1.0 }"#,
    #"{"c": 9007199254740993e0, "a": 10e-1, "b": [15e-1, {"y": "é", "x": null}]}"#,
  ])
  func equalJSONValuesChangeNothing(_ json: String) async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "json": \#(stored)}]"#, as: Kinds.self)
    try await store.sync(payload: #"[{"id": 1, "values": [\#(stored), 1, "x"]}]"#, as: Lists.self)
    try await expectUnchanged(in: store) {
      try await $0.sync(payload: #"[{"id": 1, "json": \#(json)}]"#, as: Kinds.self)
    }
    try await expectUnchanged(in: store) {
      try await $0.sync(payload: #"[{"id": 1, "values": [\#(json), 1.0, "x"]}]"#, as: Lists.self)
    }
  }

  @Test(arguments: [
    #"{"a": 1, "b": [1.50, {"x": null, "y": "é"}], "c": 9007199254740992}"#,
    #"{"a": 1, "b": [{"x": null, "y": "é"}, 1.50], "c": 9007199254740993}"#,
    #"{"a": "1", "b": [1.50, {"x": null, "y": "é"}], "c": 9007199254740993}"#,
    #"{"a": 1, "b": [1.50, {"x": null, "y": "e\u0301"}], "c": 9007199254740993}"#,
    #"{"a": 1, "b": [1.50, {"y": "é"}], "c": 9007199254740993}"#, "[]", "null", "1", #""{}""#,
  ])
  func differentJSONValuesAreWritten(_ json: String) async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "json": \#(stored)}]"#, as: Kinds.self)
    try await store.sync(payload: #"[{"id": 1, "values": [\#(stored)]}]"#, as: Lists.self)
    let payload = #"[{"id": 1, "json": \#(json), "values": [\#(json)]}]"#
    #expect(try await store.sync(payload: payload, as: Kinds.self)[Kinds.self].updated == 1)
    #expect(try await store.sync(payload: payload, as: Lists.self)[Lists.self].updated == 1)
    let expected = try SyncJSON(parsing: json)
    #expect(try store.pick(Kinds.self, "json") == [[expected]])
    #expect(try store.pick(Lists.self, "values") == [[[expected]]])
  }
}

import Foundation
import SynclineTesting
import Testing

@testable import Syncline

/// What is said of values that cannot be used: what was found, and what was looked for.
@Suite struct MessageTests {
  @Test(arguments: [
    (
      #"{"data": [], "meta": {}}"#, nil,
      #"an object with the keys “data”, “meta”; name the list with at: "data""#
    ),
    (
      #"{"a": {"data": [], "other": [1]}}"#, nil,
      #"an object with the key “a”; name the list with at: "a.data" or at: "a.other""#
    ),
    (
      #"{"page": {"items": []}}"#, "page",
      #"an object with the key “items”; name the list with at: "page.items""#
    ),
    (#"{"id": 1, "name": "x"}"#, nil, "an object with the keys “id”, “name”; for one row call sync(item:)"),
    (
      #"{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}"#, nil,
      "an object with the keys “a”, “b”, “c”, “d”, “e” and 2 more; for one row call sync(item:)"
    ),
    (#"{"a.b": []}"#, nil, "an object with the key “a.b”; for one row call sync(item:)"),
    ("{}", nil, "an object without members"), (#""rows""#, nil, "the text “rows”"), ("null", nil, "null"),
  ])
  func aPayloadThatIsNoListIsDescribed(_ payload: String, _ path: String?, _ found: String) async throws {
    let store = try makeStore()
    let reason = "a payload is a list of objects, not " + found
    await #expect(throws: SyncError.invalidPayload(model: "Project", reason: reason)) {
      try await store.sync(payload: payload, at: path, as: Project.self)
    }
  }

  @Test func anObjectWithoutIdentityIsSaidToMissItsKeys() throws {
    func reason(_ json: String, _ table: SyncTable, _ style: KeyStyle = .snakeCase) throws -> String {
      let object = try SyncPayload(SyncJSON(parsing: #"{"value": \#(json)}"#), keyStyle: style).object
      let value = try #require(object.tape.value(at: 0).member(Array("value".utf8)))
      return object.missingIdentity(of: value, in: table)
    }
    #expect(
      try reason(#"{"name": "x"}"#, Tag.syncTable)
        == "the object has no identity of Tag, which is read from “id”, “remote_id” or “remoteID”")
    #expect(
      try reason("{}", Device.syncTable)
        == "the object has no identity of Device, which is read from “device_uuid”")
    #expect(try reason(#"{"id": null}"#, Tag.syncTable) == "its “id” is no identity of Tag: null")
    #expect(try reason(#"{"id": "x"}"#, Tag.syncTable) == "its “id” is no identity of Tag: the text “x”")
    #expect(try reason("1.5", Tag.syncTable) == "the number 1.5 names no Tag")
  }

  @Test func anUnreadableOptionalIsSaidToBeNilAndOneWithADefaultToHaveIt() async throws {
    let store = try makeStore()
    let nothing = try await store.sync(item: #"{"id": 1, "int": {}}"#, as: Kinds.self)
    #expect(nothing.problems.map(\.description) == ["Kinds “1”, int: an object is no Int (it is nil)"])
    let some = try await store.sync(item: #"{"id": 1, "optional": {}}"#, as: Defaults.self)
    #expect(some.actions == [.usedDefault])
  }
}

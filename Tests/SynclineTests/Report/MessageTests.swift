import Foundation
import SynclineTesting
import Testing

@_spi(Generated) @testable import Syncline

/// Messages about unusable values: the value that was found, and the expected one.
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
    ("{}", nil, "an object without members"), (#""rows""#, nil, "the string “rows”"), ("null", nil, "null"),
  ])
  func aPayloadThatIsNoListIsDescribed(_ payload: String, _ path: String?, _ found: String) async throws {
    let store = try makeStore()
    let reason = "the payload must be a list of objects, not " + found
    await #expect(throws: SyncError.invalidPayload(model: "Project", reason: reason)) {
      try await store.sync(payload: payload, at: path, as: Project.self)
    }
  }

  /// Firebase writes an object whose keys are small integers as a list.
  @Test func aListInPlaceOfAnObjectWithRowsIsDescribed() async throws {
    let reason = "the payload must be an object with rows as members, not a list"
    await #expect(throws: SyncError.invalidPayload(model: "Project", reason: reason)) {
      try await makeStore().sync(payload: #"{"a": [null, {"name": "A"}]}"#, at: "a{}", as: Project.self)
    }
  }

  @Test func missingIdentityMessageListsTheExpectedKeys() throws {
    func reason(_ json: String, _ table: SyncTable, _ style: KeyStyle = .snakeCase) throws -> String {
      let object = try SyncPayload(SyncJSON(parsing: #"{"value": \#(json)}"#), keyStyle: style).object
      let value = try #require(object.tape.value(at: 0).member(Array("value".utf8)))
      let missing = object.reasonForNoIdentity(of: value, in: table)
      return Finding.missingIdentity(missing, model: table.name).sentence
    }
    #expect(
      try reason(#"{"name": "x"}"#, Tag.syncTable)
        == "the object has no identity: Tag reads it from “id”, “remote_id” or “remoteID”")
    #expect(
      try reason("{}", Device.syncTable)
        == "the object has no identity: Device reads it from “device_uuid”")
    #expect(try reason(#"{"id": null}"#, Tag.syncTable) == "its “id” is not an identity of Tag: null")
    #expect(
      try reason(#"{"id": "x"}"#, Tag.syncTable) == "its “id” is not an identity of Tag: the string “x”")
    #expect(try reason("1.5", Tag.syncTable) == "the number 1.5 is not an identity of Tag")
  }

  @Test func skippedRowNamesTheValueThatIsNoIdentity() async throws {
    let rows =
      #"[{"id": 1, "name": "A"}, {"id": "x"}, {"id": null}, {"name": "B"}, {"id": 9223372036854775808}]"#
    let report = try await makeStore().sync(payload: rows, as: Tag.self)
    #expect(
      report.problems.map(\.reason) == [
        "its “id” is not an identity of Tag: the string “x”", "its “id” is not an identity of Tag: null",
        "the object has no identity: Tag reads it from “id”, “remote_id” or “remoteID”",
        "its “id” is not an identity of Tag: the number 9223372036854775808",
      ])
  }

  /// The paths and messages of an item's problems.
  private func problems<Model: SyncUpdatableModel>(
    _ item: String, _ model: Model.Type, _ foreignKeys: SyncConfiguration.ForeignKeys = .strict
  ) async throws -> [String] {
    let store = try makeStore(foreignKeys: foreignKeys)
    return try await store.sync(item: item, as: model).problems.map { "\($0.path): \($0.reason)" }
  }

  @Test func wrongKeyTypeMessageNamesTheExpectedType() async throws {
    let hint = "as its identities are (see SyncConfiguration.foreignKeys)"
    #expect(
      try await problems(#"{"id": 1, "title": "A", "assignee_id": "7", "tag_ids": ["8", 9]}"#, Task.self) == [
        "assignee_id: the string “7” is not an identity of User: its foreign keys must be integers, \(hint)",
        "tag_ids[0]: the string “8” is not an identity of Tag: its foreign keys must be integers, \(hint)",
      ])
    #expect(
      try await problems(#"{"id": 1, "category": 7, "categories": [8]}"#, Rack.self) == [
        "category: the number 7 is not an identity of Category: its foreign keys must be text, \(hint)",
        "categories[0]: the number 8 is not an identity of Category: its foreign keys must be text, \(hint)",
      ])
    // The end of a one-to-one without a column.
    #expect(
      try await problems(#"{"id": 1, "captain_id": "7"}"#, Ship.self) == [
        "captain_id: the string “7” is not an identity of Captain: its foreign keys must be integers, \(hint)"
      ])
  }

  @Test(arguments: [SyncConfiguration.ForeignKeys.strict, .likeIdentities])
  func invalidKeyMessageNamesTheValueAndModel(_ foreignKeys: SyncConfiguration.ForeignKeys) async throws {
    #expect(
      try await problems(
        #"{"id": 1, "title": "A", "assignee_id": "x", "tag_ids": [true, null, [1]]}"#, Task.self, foreignKeys)
        == [
          "assignee_id: the string “x” is not an identity of User",
          "tag_ids[0]: the boolean true is not an identity of Tag",
          "tag_ids[1]: null is not an identity of Tag", "tag_ids[2]: a list is not an identity of Tag",
        ])
    #expect(
      try await problems(
        #"{"id": 1, "main_id": 7, "category_id": 1.5, "device_ids": ["7"]}"#, Rack.self, foreignKeys)
        == [
          "main_id: the number 7 is not an identity of Device",
          "category_id: the number 1.5 is not an identity of Category",
          "device_ids[0]: the string “7” is not an identity of Device",
        ])
    #expect(
      try await problems(#"{"id": 1, "meta": 5}"#, Ticket.self, foreignKeys).contains(
        "meta.reporter: cannot reach the Person: a value on the path that is not an object"))
  }

  @Test func nestedMissingIdentityMessageListsTheKeys() async throws {
    let keys = "“id”, “remote_id” or “remoteID”"
    #expect(
      try await problems(
        #"{"id": 1, "title": "A", "assignee": {"name": "U"}, "tags": [{"name": "T"}, {"id": null}]}"#,
        Task.self) == [
          "tags[0]: the object has no identity: Tag reads it from \(keys)",
          "tags[1]: its “id” is not an identity of Tag: null",
          "assignee: the object has no identity: User reads it from \(keys), and no row is linked",
        ])
    #expect(
      try await problems(#"{"id": 1, "devices": [{"name": "D"}]}"#, Rack.self) == [
        "devices[0]: the object has no identity: Device reads it from “device_uuid”"
      ])
  }

  @Test func unreadableOptionalIsReportedAsNilOrDefault() async throws {
    let store = try makeStore()
    let nothing = try await store.sync(item: #"{"id": 1, "int": {}}"#, as: Kinds.self)
    #expect(
      nothing.problems.map(\.description) == ["Kinds “1”, int: an object is not a valid Int (it is nil)"])
    let some = try await store.sync(item: #"{"id": 1, "optional": {}}"#, as: Defaults.self)
    #expect(some.actions == [.usedDefault])
  }
}

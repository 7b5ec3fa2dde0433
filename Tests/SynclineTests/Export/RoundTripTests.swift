import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// An exported body that is synced changes nothing, for every model.
@Suite struct RoundTripTests {
  private func filledStore() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "P", "tasks": [
          {"id": 1, "title": "A", "description": "d", "state": {"id": "strange", "label": "L"}, "updated_at": 1.123456,
           "internal_flag": true, "estimate": 1.5, "assignee": {"id": 1, "name": "U"},
           "tags": [{"id": 1, "name": "T"}, {"id": 2, "name": "S"}], "watchers": [{"id": 1, "name": "U"}, {"id": 2, "name": "V"}],
           "items": [{"id": "i", "title": "I"}, {"id": "j", "title": "J", "position": -1}]},
          {"id": 2, "title": "B", "tag_ids": [1], "assignee_id": 2}]}, {"id": 2, "name": "Q"}]
        """#, as: Project.self)
    try await store.sync(
      payload: #"""
        [{"id": "a", "name": "A", "children": [{"id": "b", "name": "B", "children": [{"id": "c", "name": "C"}]}]},
         {"id": "é", "name": "É", "parent_id": "é"}]
        """#, as: Category.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}, "spouse_id": 2}, {"id": 2, "name": "M"},
         {"id": 3, "name": "L", "passport": {"id": 2, "number": "y"}}]
        """#, as: Person.self)
    try await store.sync(
      payload: #"""
        [{"device_uuid": "C3E7A1B2-1001-4000-8000-0000000000AB", "name": "D", "owner_id": 1},
         {"device_uuid": "C3E7A1B2-1001-4000-8000-0000000000AA", "name": "E"}]
        """#, as: Device.self)
    try await store.sync(payload: #"[{"id": 1, "ship": {"id": 2}}, {"id": 2}]"#, as: Captain.self)
    try await store.sync(item: #"{"id": 3}"#, as: Ship.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "P", "columns": [{"id": 1, "title": "A"}]},
         {"id": 2, "name": "Q", "columns": [{"id": 1, "title": "C"}]}]
        """#, as: Board.self)
    try await store.sync(
      payload: #"""
        [{"id": "s", "name": "S", "updated_at": "2024-01-01T00:00:00.123456Z", "rooms": [
          {"id": "r", "title": "R", "updated_at": 100, "beds": [{"id": 1}, {"id": 2, "size": 3}]},
          {"id": "q", "title": "Q"}]}, {"id": "gone", "name": "G", "updated_at": 100}]
        """#, as: Studio.self)
    try await store.sync(payload: #"[{"id": "s"}]"#, as: Studio.self)
    try await store.sync(payload: #"[{"id": 1, "documents": [{"id": 1}]}, {"id": 2}]"#, as: Folder.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "assignee_id": 50, "owner": {"id": 1, "name": "O"}, "owner.name": "N",
          "meta": {"reporter": 2, "followers": [1, 2], "note": "n"}},
         {"id": 2, "assignee_id": 1, "owner": {"name": "lost"}}, {"id": 3, "owner_id": 2}]
        """#, as: Ticket.self)
    try await store.sync(
      payload:
        #"[{"id": 1, "name": "A", "ally_ids": [1, 2], "sailors": [{"id": 1, "name": "S"}], "flags": [{"id": 1}]}, {"id": 2, "name": "B"}]"#,
      as: Crew.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "main_id": "C3E7A1B2-1001-4000-8000-0000000000AB", "devices": ["C3E7A1B2-1001-4000-8000-0000000000AA"],
          "category_id": "é", "categories": ["a", "c"], "flag_id": 1, "flags": [1]}]
        """#, as: Rack.self)
    try await store.sync(
      payload: #"[{"id": 1, "boxes": [{"id": 1, "things": [{"id": 1}]}]}]"#, as: Shelf.self)
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "A", "stamp": 1.5, "flag_id": 1, "labels": [1], "comments": [{"id": 1, "text": "c"}]}]"#,
      as: Post.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "L", "flag_id": 1}]"#, as: Lane.self, parent: 1, relationship: \.board)
    try await store.sync(
      payload: #"""
        [{"id": 1, "text": "t", "int": -1, "uint64": 9223372036854775807, "double": 1e300, "float": 0.1, "bool": false,
          "date": "2024-01-02T03:04:05.123456Z", "uuid": "C3E7A1B2-1001-4000-8000-0000000000AB", "url": "https://x.org/ä?q=1",
          "decimal": 123456789.123456789, "data": "AAEC", "level": 7, "state": "odd", "words": [], "numbers": [1],
          "json": {"a": [1, 2.50, null]}, "stamp": "Sat Mar 01 10:00:00 +0000 2025"}, {"id": 2, "json": null}]
        """#, as: Kinds.self)
    try await store.sync(payload: #"[{"id": 1}]"#, as: Defaults.self)
    return store
  }

  /// An object without the mark describes a row that is not deleted.
  @Test(arguments: ["@Local", "@NotExport"])
  func softDeletedRowWithoutItsMarkIsReactivated(attribute: String) async throws {
    let store = try TextStore(
      #"@SoftDelete(\.deletedAt) model Task { id: Int; \#(attribute) deletedAt: Date? }"#)
    try await store.sync(#"[{"id": 1}]"#)
    try await store.sync("[]")
    #expect(try await store.sync(store.exportData()).totals.reactivated == 1)
  }

  @Test(.enabled(if: TestKind.thorough.runs)) func syncingAnExportOfAllRowsChangesNothing() async throws {
    let store = try await filledStore()
    let before = try store.everything()
    func check<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      if model is any ParentScopedModel.Type { return }
      let body = try await store.exportData(as: model)
      let report = try await store.sync(payload: body, as: model)
      #expect(report.isUnchanged, "\(model): \(report) \(String(decoding: body, as: UTF8.self).prefix(600))")
      #expect(try store.everything() == before, "\(model)")
    }
    for model in SynclineTestsSchema.models { try await check(model) }
  }

  @Test(.enabled(if: TestKind.thorough.runs)) func syncingAnExportOfEachRowChangesNothing() async throws {
    let store = try await filledStore()
    let before = try store.everything()
    func check<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      if model is any ParentScopedModel.Type { return }
      for body in try await store.export(as: model) {
        let report = try await store.sync(item: body, as: model)
        #expect(report.isUnchanged, "\(model): \(report)")
      }
      #expect(try store.everything() == before, "\(model)")
    }
    for model in SynclineTestsSchema.models { try await check(model) }
  }

  @Test(arguments: [
    SyncConfiguration(), SyncConfiguration(keyStyle: .camelCase, dateFormat: .iso8601Microseconds),
    SyncConfiguration(dateFormat: .unixMilliseconds), SyncConfiguration(dateFormat: .iso8601Seconds),
  ])
  func exportedDataMatchesExportedRowsOfEveryModel(_ configuration: SyncConfiguration) async throws {
    let filled = try await filledStore()
    let store = try SyncContainer(
      for: SynclineTestsSchema.self, storage: .database(filled.database), configuration: configuration)
    func check<Model: SyncUpdatableModel>(_ model: Model.Type) throws {
      let rows = try SyncJSON.array(store.export(as: model)).description
      let text = try String(decoding: store.exportData(as: model), as: UTF8.self)
      #expect(text == rows, "\(model) after \(text.commonPrefix(with: rows).suffix(80))")
    }
    for model in SynclineTestsSchema.models { try check(model) }
    let lanes = try await SyncJSON.array(store.export(as: Lane.self, parent: 1, relationship: \.board))
      .description
    let text = try await store.exportData(as: Lane.self, parent: 1, relationship: \.board)
    #expect(String(decoding: text, as: UTF8.self) == lanes)
  }

  @Test(.enabled(if: TestKind.thorough.runs)) func exportOfALongChainSurvivesARoundTrip() async throws {
    let store = try makeStore()
    let rows = (1...300).map { #"{"id": "\#($0)", "name": "N", "parent_id": "\#($0 + 1)"}"# }
    try await store.sync(payload: "[\(rows.joined(separator: ","))]", as: Category.self)
    let rowsOnly = try await SyncJSON.array(store.export(as: Category.self))
    #expect(
      try await String(decoding: store.exportData(as: Category.self), as: UTF8.self) == rowsOnly.description)
    let before = try store.everything()
    #expect(try await store.sync(payload: rowsOnly, as: Category.self).isUnchanged)
    #expect(try store.everything() == before)
  }
}

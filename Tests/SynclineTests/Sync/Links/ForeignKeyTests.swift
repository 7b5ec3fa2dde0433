import Syncline
import SynclineTesting
import Testing

/// The JSON values that are keys: by default those of the identity's type, with `.likeIdentities` all values that can be read as
/// it.
@Suite struct ForeignKeyTests {
  private static let uuid = "C3E7A1B2-1001-4000-8000-0000000000AB"

  /// A store with one row of each model that keys refer to.
  private func store(_ foreignKeys: SyncConfiguration.ForeignKeys) async throws -> SyncContainer {
    let store = try makeStore(foreignKeys: foreignKeys)
    try await store.sync(payload: #"[{"id": 7, "name": "P"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 7, "name": "T"}, {"id": 8, "name": "U"}]"#, as: Tag.self)
    try await store.sync(payload: #"[{"id": "7", "name": "C"}, {"id": "8", "name": "D"}]"#, as: Category.self)
    try await store.sync(payload: #"[{"device_uuid": "\#(Self.uuid)", "name": "D"}]"#, as: Device.self)
    try await store.sync(payload: #"[{"id": 7}]"#, as: Captain.self)
    try await store.sync(payload: #"[{"id": 7}]"#, as: Ship.self)
    return store
  }

  /// Syncs an item twice. The second sync must change nothing.
  private func sync<Model: SyncUpdatableModel>(
    _ item: String, as model: Model.Type, in store: SyncContainer,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> SyncReport {
    let report = try await store.sync(item: item, as: model)
    let again = try await store.sync(item: item, as: model)
    #expect(again.isUnchanged, "\(item) \(again)", sourceLocation: location)
    #expect(again.actions == report.actions, "\(item)", sourceLocation: location)
    return report
  }

  @Test(arguments: [#""7""#, #""007""#, #""+7""#, "7", "7.0"])
  func integerKeyMayBeTextOnlyWithLikeIdentities(_ key: String) async throws {
    let store = try await store(.likeIdentities)
    for property in ["project_id", "project"] {
      let report = try await sync(
        #"{"id": 1, "title": "A", "\#(property)": \#(key)}"#, as: Task.self, in: store)
      #expect(report.problems.isEmpty)
      #expect(try store.pick(Task.self, "project") == [[7]])
      try await store.sync(item: #"{"id": 1, "project": null}"#, as: Task.self)
    }
    let strict = try await self.store(.strict)
    let report = try await sync(#"{"id": 1, "title": "A", "project_id": \#(key)}"#, as: Task.self, in: strict)
    let isNumber = !key.contains("\"")
    #expect(try strict.pick(Task.self, "project") == [[isNumber ? 7 : nil]])
    #expect(report.actions == (isNumber ? [] : [.keptLink]))
  }

  @Test(arguments: ["7", "7.0", #""7""#])
  func textKeyMayBeNumberOnlyWithLikeIdentities(_ key: String) async throws {
    let item = #"{"id": 1, "category_id": \#(key)}"#
    let store = try await store(.likeIdentities)
    #expect(try await sync(item, as: Rack.self, in: store).problems.isEmpty)
    #expect(try store.pick(Rack.self, "category") == [["7"]])
    let strict = try await self.store(.strict)
    let isText = key.contains("\"")
    #expect(try await sync(item, as: Rack.self, in: strict).actions == (isText ? [] : [.keptLink]))
    #expect(try strict.pick(Rack.self, "category") == [[isText ? "7" : nil]])
  }

  @Test(arguments: [SyncConfiguration.ForeignKeys.strict, .likeIdentities])
  func uuidKeyIsReadFromTextInAnyCaseOnly(_ keys: SyncConfiguration.ForeignKeys) async throws {
    let store = try await store(keys)
    for (key, names) in [
      ("\"\(Self.uuid.lowercased())\"", true), ("7", false), (#""7""#, false), ("true", false),
    ] {
      let report = try await sync(
        #"{"id": 1, "main_id": \#(key), "device_ids": [\#(key)]}"#, as: Rack.self, in: store)
      #expect(report.actions == (names ? [] : [.keptLink, .ignoredElements]), "\(key)")
      let uuid = SyncJSON.string(Self.uuid)
      #expect(
        try store.pick(Rack.self, "main", "devices") == [names ? [uuid, [uuid]] : [nil, []]], "\(key)")
      try await store.sync(payload: "[]", as: Rack.self)
    }
  }

  @Test func listsOfKeysAreReadLikeIdentities() async throws {
    let store = try await store(.likeIdentities)
    var report = try await sync(
      #"{"id": 1, "title": "A", "tag_ids": ["7", 8, "07"]}"#, as: Task.self, in: store)
    #expect(report.problems.isEmpty)
    #expect(report[Task.self].linked == 2)
    #expect(try store.pick(Task.self, "tags") == [[[7, 8]]])
    report = try await sync(#"{"id": 1, "category_ids": [7, "8"]}"#, as: Rack.self, in: store)
    #expect(report.problems.isEmpty)
    #expect(try store.pick(Rack.self, "categories") == [[["7", "8"]]])
    report = try await sync(#"{"id": 7, "task_ids": ["1"]}"#, as: Project.self, in: store)
    #expect(try store.pick(Task.self, "project") == [[7]])
    // The list is complete, whatever the type of its keys.
    report = try await sync(#"{"id": 1, "tag_ids": ["8"]}"#, as: Task.self, in: store)
    #expect(report[Task.self].unlinked == 1)
    #expect(try store.pick(Task.self, "tags") == [[[8]]])
  }

  @Test func strictListWithInvalidKeysAddsRowsAndRemovesNone() async throws {
    let store = try await store(.strict)
    try await store.sync(item: #"{"id": 1, "title": "A", "tag_ids": [7]}"#, as: Task.self)
    let report = try await sync(#"{"id": 1, "tag_ids": ["7", 8]}"#, as: Task.self, in: store)
    #expect(report.actions == [.ignoredElements])
    #expect(try store.pick(Task.self, "tags") == [[[7, 8]]])
  }

  @Test func bothEndsOfAOneToOneReadKeysLikeIdentities() async throws {
    let near = try await store(.likeIdentities)
    #expect(try await sync(#"{"id": 7, "ship_id": "7"}"#, as: Captain.self, in: near).problems.isEmpty)
    #expect(try near.pick(Captain.self, "ship") == [[7]])
    let far = try await store(.likeIdentities)
    #expect(try await sync(#"{"id": 7, "captain_id": "7"}"#, as: Ship.self, in: far).problems.isEmpty)
    #expect(try far.pick(Captain.self, "ship") == [[7]])
    for (model, item) in [
      ("ship", #"{"id": 7, "ship_id": "7"}"#), ("captain", #"{"id": 7, "captain_id": "7"}"#),
    ] {
      let strict = try await store(.strict)
      let report =
        model == "ship"
        ? try await sync(item, as: Captain.self, in: strict) : try await sync(item, as: Ship.self, in: strict)
      #expect(report.actions == [.keptLink])
      #expect(try strict.pick(Captain.self, "ship") == [[nil]])
    }
  }

  @Test(arguments: [SyncConfiguration.ForeignKeys.strict, .likeIdentities])
  func booleansAndFractionsAreNoKeys(_ keys: SyncConfiguration.ForeignKeys) async throws {
    let store = try await store(keys)
    try await store.sync(item: #"{"id": 1, "title": "A", "project_id": 7, "tag_ids": [7]}"#, as: Task.self)
    try await store.sync(item: #"{"id": 1, "category_id": "7", "category_ids": ["7"]}"#, as: Rack.self)
    for key in ["true", "false", "7.5", #""7.5""#, #""7.0""#, #"" 7 ""#, #""""#] {
      let report = try await sync(
        #"{"id": 1, "project_id": \#(key), "tag_ids": [\#(key)]}"#, as: Task.self, in: store)
      #expect(report.actions == [.keptLink, .ignoredElements], "\(key)")
      #expect(try store.pick(Task.self, "project", "tags") == [[7, [7]]], "\(key)")
    }
    for key in ["true", "false", "7.5"] {
      let report = try await sync(
        #"{"id": 1, "category_id": \#(key), "category_ids": [\#(key)]}"#, as: Rack.self, in: store)
      #expect(report.actions == [.keptLink, .ignoredElements], "\(key)")
      #expect(try store.pick(Rack.self, "category", "categories") == [["7", ["7"]]], "\(key)")
    }
  }

  @Test func pendingKeyOfAnotherTypeIsLinkedWhenItsRowArrives() async throws {
    let store = try makeStore(foreignKeys: .likeIdentities)
    let report = try await store.sync(
      item: #"{"id": 1, "title": "A", "project_id": "7", "tag_ids": ["8"]}"#, as: Task.self)
    #expect(report.waiting.map(\.targetIdentity) == ["7", "8"])
    // The same key in its own form is no other one.
    #expect(
      try await store.sync(item: #"{"id": 1, "project_id": 7, "tag_ids": [8]}"#, as: Task.self).isUnchanged)
    try await store.sync(item: #"{"id": 7, "name": "P"}"#, as: Project.self)
    try await store.sync(item: #"{"id": 8, "name": "T"}"#, as: Tag.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[7, [8]]])
  }

  @Test func keyOfAnotherTypeMatchesItsNestedObject() async throws {
    let store = try makeStore(foreignKeys: .likeIdentities)
    let item = #"{"id": 1, "title": "A", "project_id": "7", "project": {"id": 7, "name": "P"}}"#
    #expect(try await sync(item, as: Task.self, in: store).problems.isEmpty)
    #expect(try store.pick(Project.self, "id", "name") == [[7, "P"]])
    #expect(try store.pick(Task.self, "project") == [[7]])
  }

  @Test func rowOrderDoesNotAffectKeysOfAnotherType() async throws {
    let rows = [
      #"{"id": "a", "name": "A", "parent_id": 1}"#, #"{"id": 1, "name": "B", "child_ids": [2]}"#,
      #"{"id": "2", "name": "C"}"#,
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1], [0, 2, 1], [1, 2, 0]] {
      let store = try makeStore(foreignKeys: .likeIdentities)
      let payload = "[\(order.map { rows[$0] }.joined(separator: ", "))]"
      try await store.sync(payload: payload, as: Category.self)
      // The list is exact, so the key of the row that it does not name yields.
      #expect(
        try store.pick(Category.self, "id", "parent") == [["1", nil], ["2", "1"], ["a", nil]], "\(order)")
      #expect(try await store.sync(payload: payload, as: Category.self).isUnchanged, "\(order)")
    }
  }
}

import Syncline
import SynclineCompiler
import SynclineInterpreter
import Testing

/// Rows that their owner identifies: `@PrimaryKey(\.user)`, and lists whose owner is a part of the identity.
@Suite struct OwnerTests {
  private static let schema = #"""
    model User {
      id: Int
      name: String?
      settings: Settings?
    }
    @PrimaryKey(\.user)
    model Settings {
      user: User
      theme: String?
      @Relationship(inverse: nil) home: Place?
    }
    model Place {
      id: Int
      name: String?
    }
    """#

  private static let payload = """
    [{"id": 1, "name": "A", "settings": {"theme": "dark", "home": {"id": 4}}}, {"id": 2, "settings": null}]
    """

  private func settings(_ store: TextStore) throws -> [[SyncJSON]] {
    try store.values(of: "Settings", "user", "theme")
  }

  /// A store in which the first user has settings.
  private func filled(_ schema: String = OwnerTests.schema) async throws -> TextStore {
    let store = try TextStore(schema)
    try await store.sync(#"[{"id": 1, "settings": {"theme": "dark"}}, {"id": 2}]"#, as: "User")
    return store
  }

  // MARK: One row for each owner

  @Test func eachOwnerHasOneRow() async throws {
    let store = try TextStore(OwnerTests.schema)
    let report = try await store.sync(OwnerTests.payload, as: "User")
    #expect(report.problems.isEmpty && report.waiting.isEmpty)
    #expect(try store.values(of: "Settings", "user", "theme", "home", "syncID") == [[1, "dark", 4, "[1]"]])
    try await store.sync(#"[{"id": 1, "settings": {"theme": "light"}}, {"id": 2}]"#, as: "User")
    #expect(try store.values(of: "Settings", "user", "theme", "home") == [[1, "light", 4]])
  }

  @Test func resyncsOfOwnedRowsChangeNothing() async throws {
    let store = try TextStore(OwnerTests.schema)
    try await store.sync(OwnerTests.payload, as: "User")
    try await store.expectUnchanged(by: OwnerTests.payload, as: "User")
    let exported = try await store.export("Settings")
    #expect(try await store.sync(exported, as: "Settings").isUnchanged, "\(exported)")
  }

  @Test func ownedRowsInTopLevelListAreMergedByOwner() async throws {
    let store = try TextStore(
      #"""
      model User { id: Int }
      @PrimaryKey(\.user) model Settings { user: User; theme: String?; size: Int? }
      """#)
    try await store.sync(#"[{"id": 1}, {"id": 2}]"#, as: "User")
    try await store.sync(
      #"[{"user_id": 1, "theme": "a"}, {"user": {"id": 1}, "size": 3}, {"user_id": 2}]"#, as: "Settings")
    #expect(try store.values(of: "Settings", "user", "theme", "size") == [[1, "a", 3], [2, nil, nil]])
    let report = try await store.sync(#"[{"user_id": 2}, {"theme": "b"}]"#, as: "Settings")
    #expect(report.skipped == 1 && report.deleted == 1)
  }

  @Test func enclosingOwnerWinsOverKeyInObject() async throws {
    let store = try TextStore(OwnerTests.schema)
    try await store.sync(#"[{"id": 1, "settings": {"user_id": 2, "theme": "x"}}, {"id": 2}]"#, as: "User")
    #expect(try settings(store) == [[1, "x"]])
  }

  @Test func ownerCanHaveAnOwnerItself() async throws {
    let store = try TextStore(
      #"""
      model User { id: Int; settings: Settings? }
      @PrimaryKey(\.user) model Settings { user: User; palette: Palette? }
      @PrimaryKey(\.settings) model Palette { settings: Settings; color: String? }
      """#)
    let payload = #"[{"id": 1, "settings": {"palette": {"color": "red"}}}]"#
    let report = try await store.sync(payload, as: "User")
    #expect(report.problems.isEmpty)
    #expect(try store.values(of: "Palette", "settings", "color", "syncID") == [["[1]", "red", "[[1]]"]])
    try await store.expectUnchanged(by: payload, as: "User")
    // What requires the row goes with it.
    try await store.sync(#"[{"id": 1, "settings": null}]"#, as: "User")
    #expect(try store.rows(of: "Palette") == [])
  }

  @Test func itemSyncedWithParentNeedsNoIdentity() async throws {
    let store = try await filled()
    func sync<User: SyncUpdatableModel, Settings: SyncUpdatableModel>(
      _ payload: String, _ settings: Settings.Type, of user: User.Type
    ) async throws -> SyncReport {
      let parent = try #require(2 as? User.SyncID)
      let path = Settings.path(toOne: "user", user)
      return payload.hasPrefix("[")
        ? try await store.container.sync(payload: payload, as: settings, parent: parent, relationship: path)
        : try await store.container.sync(item: payload, as: settings, parent: parent, relationship: path)
    }
    let (model, owner) = (try store.model("Settings"), try store.model("User"))
    let first = try await sync(#"{"theme": "blue"}"#, model, of: owner)
    #expect(first.inserted == 1)
    #expect(try settings(store) == [[1, "dark"], [2, "blue"]])
    let second = try await sync(#"{"theme": "blue"}"#, model, of: owner)
    #expect(second.isUnchanged)
    let last = try await sync("[]", model, of: owner)
    #expect(last.deleted == 1)
    #expect(try settings(store) == [[1, "dark"]])
  }

  // MARK: Null

  @Test(arguments: ["null", "[]"]) func nullDeletesTheOwnedRow(value: String) async throws {
    let store = try await filled()
    let payload = #"[{"id": 1, "settings": \#(value)}, {"id": 2}]"#
    let report = try await store.sync(payload, as: "User")
    #expect(report.deleted == 1 && report.problems.isEmpty)
    #expect(try settings(store) == [])
    #expect(try await store.sync(payload, as: "User").isUnchanged)
  }

  @Test func emptyListDeletesTheOwnedRow() async throws {
    let store = try await filled()
    try await store.sync(#"{"id": 1, "settings": []}"#, as: "User")
    #expect(try settings(store) == [])
  }

  @Test func absentOrUnreadableKeyKeepsTheOwnedRow() async throws {
    let store = try await filled()
    #expect(try await store.sync(#"[{"id": 1}, {"id": 2}]"#, as: "User").isUnchanged)
    // Nothing can be read of a value either.
    let report = try await store.sync(#"{"id": 1, "settings": 7}"#, as: "User")
    #expect(report.problems.map(\.action) == [.keptLink])
    #expect(try settings(store) == [[1, "dark"]])
  }

  private static let marked = schema.replacing("@PrimaryKey", with: #"@SoftDelete(\.goneAt) @PrimaryKey"#)
    .replacing("theme: String?", with: "theme: String?; goneAt: Date?")

  @Test func nullSoftDeletesTheOwnedRow() async throws {
    let store = try await filled(OwnerTests.marked)
    let report = try await store.sync(#"{"id": 1, "settings": null}"#, as: "User")
    #expect(report.softDeleted == 1 && report.deleted == 0)
    #expect(try store.values(of: "Settings", "goneAt").map { $0[0] != .null } == [true])
    #expect(try await store.sync(#"{"id": 1, "settings": null}"#, as: "User").isUnchanged)
    let again = try await store.sync(#"{"id": 1, "settings": {"theme": "dark"}}"#, as: "User")
    #expect(again.reactivated == 1)
    #expect(try store.values(of: "Settings", "theme", "goneAt") == [["dark", nil]])
  }

  @Test func ownedRowIsDeletedOnlyWithDeleteOperation() async throws {
    let store = try await filled()
    let report = try await store.sync(
      #"{"id": 1, "settings": null}"#, as: "User", operations: [.insert, .update])
    #expect(report.isUnchanged && report.problems.isEmpty)
    #expect(try settings(store) == [[1, "dark"]])
    try await store.sync(#"{"id": 1, "settings": null}"#, as: "User", operations: .delete)
    #expect(try settings(store) == [])
  }

  @Test func ownedRowContainedInPayloadIsNotDeleted() async throws {
    let store = try await filled(
      OwnerTests.schema + """

        model Team {
          id: Int
          @Relationship(inverse: nil) captain: User?
          @Relationship(inverse: nil) look: Settings?
        }
        """)
    let payload =
      #"[{"id": 1, "captain": {"id": 1, "settings": null}, "look": {"user_id": 1, "theme": "dark"}}]"#
    for _ in 1...2 {
      let report = try await store.sync(payload, as: "Team")
      #expect(report.deleted == 0)
      #expect(report.problems.allSatisfy { $0.action == .keptRow })
      #expect(try settings(store) == [[1, "dark"]])
    }
  }

  @Test func ownerWithOlderStampDeletesNothing() async throws {
    let store = try TextStore(
      #"""
      @UpdatedAt(\.at) model User { id: Int; at: Date; settings: Settings? }
      @PrimaryKey(\.user) model Settings { user: User; theme: String? }
      """#)
    try await store.sync(#"[{"id": 1, "at": "2025-01-02", "settings": {"theme": "dark"}}]"#, as: "User")
    try await store.sync(#"[{"id": 1, "at": "2025-01-01", "settings": null}]"#, as: "User")
    #expect(try settings(store) == [[1, "dark"]])
    try await store.sync(#"[{"id": 1, "at": "2025-01-03", "settings": null}]"#, as: "User")
    #expect(try settings(store) == [])
  }

  @Test func deletionMarkInObjectDeletesTheOwnedRow() async throws {
    let store = try await filled(
      OwnerTests.schema.replacing("@PrimaryKey", with: #"@Deleted("gone") @PrimaryKey"#))
    try await store.sync(#"{"id": 1, "settings": {"gone": true}}"#, as: "User")
    #expect(try settings(store) == [])
  }

  @Test func ownedRowIsDeletedWithItsOwner() async throws {
    let store = try await filled()
    try await store.sync(#"[{"id": 2}]"#, as: "User")
    #expect(try settings(store) == [])
  }

  // MARK: Lists

  private static let playlists = #"""
    model Playlist { id: String; name: String; @RemoteKey("tracks.items") items: [Entry] }
    @PrimaryKey(\.playlist, \.track) model Entry { playlist: Playlist; track: Track; addedAt: Date? }
    model Track { id: String; name: String? }
    """#

  private func playlist(_ items: String...) -> String {
    #"[{"id": "p", "name": "M", "tracks": {"items": [\#(items.joined(separator: ", "))]}}]"#
  }

  @Test func ownedRowMissingFromItsListIsDeleted() async throws {
    let one = #"{"added_at": "2020-01-01T00:00:00Z", "track": {"id": "t1", "name": "One"}}"#
    let two = #"{"added_at": "2020-01-02T00:00:00Z", "track": {"id": "t2", "name": "Two"}}"#
    let store = try TextStore(OwnerTests.playlists)
    #expect(try await store.sync(playlist(one, two), as: "Playlist").problems.isEmpty)
    let report = try await store.sync(playlist(two), as: "Playlist")
    #expect(report.problems.isEmpty && report.deleted == 1)
    #expect(try store.values(of: "Entry", "playlist", "track") == [["p", "t2"]])
    #expect(try store.values(of: "Track", "id") == [["t1"], ["t2"]])
    try await store.expectUnchanged(by: playlist(two), as: "Playlist")
  }

  private static let members = #"""
    model User { id: Int; memberships: [Membership] }
    model Group { id: Int; memberships: [Membership] }
    @PrimaryKey(\.user, \.group) model Membership { user: User; group: Group; leftAt: Date? }
    """#

  private func filledGroups(_ schema: String) async throws -> TextStore {
    let store = try TextStore(schema)
    try await store.sync(#"[{"id": 1}, {"id": 2}]"#, as: "Group")
    try await store.sync(#"[{"id": 1, "memberships": [{"group_id": 1}, {"group_id": 2}]}]"#, as: "User")
    return store
  }

  @Test func rowOfTwoOwnersIsDeletedByEitherList() async throws {
    let store = try await filledGroups(OwnerTests.members)
    try await store.sync(#"{"id": 1, "memberships": []}"#, as: "Group")
    #expect(try store.values(of: "Membership", "user", "group") == [[1, 2]])
    try await store.sync(#"{"id": 1, "memberships": null}"#, as: "User")
    #expect(try store.rows(of: "Membership") == [])
  }

  @Test func keepRuleRetainsTheOwnedRow() async throws {
    let schema = OwnerTests.members.replacing(
      "model Group { id: Int; ", with: "model Group { id: Int; @Relationship(missing: .keep) ")
    let store = try await filledGroups(schema)
    let report = try await store.sync(#"{"id": 1, "memberships": []}"#, as: "Group")
    #expect(report.problems.isEmpty)
    #expect(try store.values(of: "Membership", "user", "group") == [[1, 1], [1, 2]])
  }

  @Test func rowsMissingFromListOfOwnerAreSoftDeleted() async throws {
    let store = try await filledGroups(
      OwnerTests.members.replacing("@PrimaryKey", with: #"@SoftDelete(\.leftAt) @PrimaryKey"#))
    let report = try await store.sync(#"{"id": 1, "memberships": []}"#, as: "Group")
    #expect(report.softDeleted == 1 && report.deleted == 0)
    #expect(try store.values(of: "Membership", "leftAt").map { $0[0] != .null } == [true, false])
  }

  // MARK: Mistakes

  private func codes(_ text: String) -> [DiagnosticCode] { TextStore.analysis(text).diagnostics.map(\.code) }

  @Test func optionalOwnerIsRefused() {
    #expect(codes(OwnerTests.schema.replacing("user: User", with: "user: User?")) == [.invalidOwner])
  }

  @Test func listOfRowsIdentifiedByOwnerIsRefused() {
    #expect(
      codes(OwnerTests.schema.replacing("settings: Settings?", with: "settings: [Settings]")) == [
        .invalidOwner
      ])
  }

  @Test func scalarOwnerIsRefused() {
    #expect(codes("@PrimaryKey(\\.id) model Task { id: Int }") == [.invalidOwner])
  }

  @Test func missingRuleOnOwnedToOneIsRefused() {
    let text = OwnerTests.schema.replacing(
      "settings: Settings?", with: "@Relationship(missing: .delete) settings: Settings?")
    #expect(codes(text) == [.invalidMissingRule])
  }

  /// An object of a row nested in the row itself may lack the identity, or state another owner.
  @Test(arguments: [
    (
      "model User { id: Int; name: String?; posts: [Post] }; model Post { id: Int; author: User? }", "User",
      #"[{"id": 1, "name": "n", "posts": [{"id": 2, "author": {"id": null, "name": "x"}}]}]"#
    ),
    (
      #"@PrimaryKey(\.user) model Settings { user: User; name: String? }; model User { id: Int; settings: Settings? }"#,
      "Settings", #"[{"user": {"id": 3, "settings": {"user_id": 1, "name": "x"}}, "name": "n"}]"#
    ),
    (
      #"""
      @PrimaryKey(\.user, \.group) model Member { user: User; group: Group; name: String? }
      model User { id: Int; members: [Member] }; model Group { id: Int; members: [Member] }
      """#, "Member",
      #"[{"user": {"id": 1}, "group": {"id": 1, "members": [{"user_id": 1, "group_id": 3, "name": "x"}]}}]"#
    ),
  ])
  func aRowNestedInItselfKeepsItsIdentity(schema: String, model: String, payload: String) async throws {
    let store = try TextStore(schema.replacing("; model", with: "\nmodel"))
    try await store.sync(payload, as: model)
    #expect(try await store.rows("SELECT name FROM \(model)") == ["x"])
    #expect(try await store.sync(payload, as: model).isUnchanged)
  }
}

import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Changes that a server reports: new, changed and deleted rows.
@Suite struct ServerChangesTests {
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(1...5), as: Tag.self)
    return store
  }

  @Test func changesInsertUpdateAndDeleteRowsInOneCall() async throws {
    let store = try await store()
    let changes = #"""
      {"created": [{"id": 6, "name": "new"}], "updated": [{"id": 2, "name": "other"}],
       "deleted": [1, "3", {"id": 4}, 99], "token": "t"}
      """#
    let report = try await store.sync(changes: changes, as: Tag.self)
    let counts = report[Tag.self]
    #expect((counts.inserted, counts.updated, counts.deleted, counts.skipped) == (1, 1, 3, 0))
    #expect(try store.pick(Tag.self, "id", "name") == [[2, "other"], [5, "tag 5"], [6, "new"]])
    let before = try store.writes()
    #expect(try await store.sync(changes: changes, as: Tag.self).isUnchanged)
    #expect(try store.writes() == before)
  }

  @Test func listsOfChangesCanBeAbsentOrNull() async throws {
    let store = try await store()
    try await store.sync(changes: #"{"deleted": [1]}"#, as: Tag.self)
    try await store.sync(changes: #"{"created": null, "updated": [], "deleted": null}"#, as: Tag.self)
    #expect(try store.tags() == [2, 3, 4, 5])
  }

  @Test func keysAndPathOfChangesAreConfigurable() async throws {
    let store = try await store()
    try await store.sync(
      changes: #"{"data": {"add": {"items": [{"id": 9, "name": "n"}]}, "removed": [1]}}"#, at: "data",
      as: Tag.self, keys: SyncChangeKeys(created: "add.items", updated: "changed", deleted: "removed"))
    #expect(try store.tags() == [2, 3, 4, 5, 9])
  }

  @Test func emptyPathOfChangesIsTheRoot() async throws {
    let store = try await store()
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(changes: #"{"deleted": 7}"#, at: "", as: Tag.self)
    }
    #expect(error?.description == "Invalid payload for Tag: the number 7 is not a list (at deleted)")
  }

  @Test func changesWithoutAnyOfTheListsAreRejected() async throws {
    let store = try await store()
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(changes: #"{"added": [], "removed": []}"#, as: Tag.self)
    }
    #expect(
      error?.description
        == "Invalid payload for Tag: the payload has none of “created”, “updated” and “deleted”: it is an object with the keys “added”, “removed”; name the lists with keys:, or the object that has them with at:"
    )
    let other = await #expect(throws: SyncError.self) {
      try await store.sync(changes: #"{"deleted": 7}"#, as: Tag.self)
    }
    #expect(other?.description == "Invalid payload for Tag: the number 7 is not a list (at deleted)")
    let number = await #expect(throws: SyncError.self) { try await store.sync(changes: "7", as: Tag.self) }
    #expect(
      number?.description
        == "Invalid payload for Tag: the payload has none of “created”, “updated” and “deleted”: it is the number 7"
    )
    for text in ["[]", "7", "{", #"{"deleted": [1,]}"#] {
      await #expect(throws: SyncError.self) { try await store.sync(changes: text, as: Tag.self) }
    }
    #expect(try store.tags() == [1, 2, 3, 4, 5])
  }

  /// A path after such a step would be read as one before it.
  @Test func pathsOfChangesMustReferToASingleValue() async throws {
    let store = try await store()
    for keys in [SyncChangeKeys(deleted: "deleted[].task_id"), SyncChangeKeys(created: "all{}")] {
      let error = await #expect(throws: SyncError.self) {
        try await store.sync(changes: #"{"deleted": [{"id": 1, "task_id": 4}]}"#, as: Tag.self, keys: keys)
      }
      #expect(error?.description.contains("the key of a list of changes must select one list") == true)
    }
    let other = await #expect(throws: SyncError.self) {
      try await store.sync(
        changes: #"{"created": [], "removed": 7}"#, as: Tag.self, keys: SyncChangeKeys(deleted: "removed.ids")
      )
    }
    #expect(
      other?.description
        == "Invalid payload for Tag: a value on the path that is not an object is not a list (at removed.ids)"
    )
    #expect(try store.tags() == [1, 2, 3, 4, 5])
  }

  /// A list may still contain a deleted row.
  @Test func repeatedListContainingADeletedRowWritesNothing() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 4, "title": "T"}]}]"#, as: Project.self)
    let changes =
      #"{"updated": [{"id": 9, "title": "N", "project": {"id": 1, "name": "P", "tasks": [9, 4]}}], "deleted": [4]}"#
    try await store.sync(changes: changes, as: Task.self)
    let before = try store.writes()
    #expect(try await store.sync(changes: changes, as: Task.self).isUnchanged)
    #expect(try store.writes() == before)
  }

  @Test func cursorOfEarlierChangesIsIgnoredUnderAnotherKeyStyle() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    let first = SyncResponse(Data(#"{"created": [{"id": 1, "title": "T"}]}"#.utf8), name: "x", cursor: "a")
    try await store.sync(changes: first, as: Task.self)
    let second = SyncResponse(Data(#"{"created": []}"#.utf8), name: "x", cursor: "b")
    try await store.sync(changes: second, as: Task.self)
    let camel = try SyncContainer(
      for: SynclineTestsSchema.self, storage: .file(file),
      configuration: SyncConfiguration(keyStyle: .camelCase))
    #expect(try await camel.cursor(for: Task.self, "x") == nil)
  }

  @Test func problemPathsContainTheListOfChangesAndTheIndex() async throws {
    let store = try await store()
    let changes = #"""
      {"created": [{"id": 7, "title": "A"}], "updated": [{"id": 8, "title": "B", "estimate": "much"}],
       "deleted": [true, {"name": 1}]}
      """#
    let report = try await store.sync(changes: changes, as: Task.self)
    #expect(report.problems.map(\.path) == ["deleted[0]", "updated[0].estimate", "deleted[1]"])
    #expect(report[Task.self].skipped == 2)
  }

  @Test(arguments: ["[]", "[[]]", "[1]", #"["id", 1]"#, #"[["p", "p", "p"], "r"]"#, "[{}]"])
  func arrayInTheListOfDeletedRowsIsSkipped(_ element: String) async throws {
    let store = try await store()
    let changes = #"{"deleted": [\#(element), 2]}"#
    let report = try await store.sync(changes: changes, as: Tag.self)
    #expect(report.problems.map(\.path) == ["deleted[0]"])
    #expect((report[Tag.self].skipped, report[Tag.self].deleted) == (1, 1))
    #expect(try store.pick(Tag.self, "id") == [[1], [3], [4], [5]])
  }

  @Test func elementThatIsNoObjectIsRejectedWithItsPath() async throws {
    let store = try await store()
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(
        changes: #"{"created": [{"id": 9, "name": "n"}], "updated": [7]}"#, as: Tag.self)
    }
    #expect(error?.description == "Invalid payload for Tag: the number 7 is not an object (at updated[0])")
    #expect(try store.tags() == [1, 2, 3, 4, 5])
  }

  @Test func rowBothUpdatedAndDeletedIsNotInserted() async throws {
    let store = try makeStore()
    let rows = #"[{"id": 1, "name": "a"}]"#
    try await store.sync(payload: rows, as: Studio.self)
    let changes = #"{"updated": [{"id": 1, "name": "b"}, {"id": 2, "name": "c"}], "deleted": [1, 2]}"#
    let report = try await store.sync(changes: changes, as: Studio.self)
    #expect(report.softDeleted == 1)
    #expect(report.inserted == 0)
    #expect(try await store.sync(changes: changes, as: Studio.self).isUnchanged)
    #expect(try store.pick(Studio.self, "remoteID", "name") == [["1", "a"]])
  }

  /// Contract, section 9: a soft-deleted row keeps the time of its mark.
  @Test(arguments: [#"{"id": 2, "name": "B"}"#, #"{"id": 2, "name": "B", "deleted_at": null}"#])
  func nestedObjectDoesNotReactivateARowDeletedByTheChanges(_ nested: String) async throws {
    let store = try TextStore(
      #"""
      @SoftDelete(\.deletedAt)
      model Folder {
        id: Int
        name: String
        deletedAt: Date?
        @Relationship(inverse: \Folder.folders) parent: Folder?
        @Relationship(inverse: \Folder.parent) folders: [Folder]
      }
      """#)
    let changes = #"{"created": [{"id": 1, "name": "A", "folders": [\#(nested)]}], "deleted": [2]}"#
    #expect(try await store.sync(changes: changes).inserted == 2)
    let marks = try store.values(of: "Folder", "deletedAt")
    #expect(marks.map { $0 == [.null] } == [true, false])
    #expect(try await store.sync(changes: changes).isUnchanged)
    #expect(try store.values(of: "Folder", "deletedAt") == marks)
  }

  /// Contract, section 7: repeating a payload changes nothing. The stored folder is newer than its object, so it does not get the
  /// note, which would then be deleted with it. The repeated call no longer finds the folder.
  @Test func deletionDoesNotCascadeToRowsOfAStaleNestedObject() async throws {
    let store = try TextStore(
      #"""
      @UpdatedAt(\.updatedAt)
      model Folder {
        id: Int
        updatedAt: Date?
        @Relationship(inverse: \Folder.folders) parent: Folder?
        @Relationship(inverse: \Folder.parent) folders: [Folder]
        @Relationship(inverse: \Note.folder, deleteRule: .cascade) notes: [Note]
      }

      model Note {
        id: Int
        folder: Folder?
      }
      """#)
    try await store.sync(#"[{"id": 2, "updated_at": "2020-01-06T00:00:00Z"}]"#, as: "Folder")
    try await store.sync(#"[{"id": 4}]"#, as: "Note")
    let old = #"{"id": 2, "updated_at": "2020-01-01T00:00:00Z", "note_ids": [4]}"#
    let changes = #"{"created": [{"id": 1, "folders": [\#(old)]}], "deleted": [2]}"#
    #expect(try await store.sync(changes: changes, as: "Folder").deleted == 1)
    #expect(try store.values(of: "Note", "id") == [[4]])
    #expect(try await store.sync(changes: changes, as: "Folder").isUnchanged)
    #expect(try store.values(of: "Note", "id") == [[4]])
  }

  /// Contract, section 7: repeating a payload changes nothing. Neither an object of a deleted row nor its nested rows are
  /// applied, even if the objects of a row are merged, as in the first call here.
  @Test func rowsNestedInADeletedRowAreNotApplied() async throws {
    let store = try TextStore(
      #"""
      model Bag {
        id: Int
        @Relationship(inverse: \Bag.inner) outer: Bag?
        @Relationship(inverse: \Bag.outer, deleteRule: .cascade) inner: [Bag]
        @Relationship(inverse: nil) items: [Item]
      }

      model Item {
        id: Int
        name: String
      }
      """#)
    try await store.sync(#"[{"id": 5, "inner": [1]}]"#)
    let changes = #"""
      {"updated": [{"id": 1, "items": [{"id": 3, "name": "a"}]}, {"id": 2, "items": [{"id": 3, "name": "b"}]}],
       "deleted": [2, 5]}
      """#
    try await store.sync(changes: changes)
    #expect(try store.values(of: "Item", "id", "name") == [[3, "a"]])
    #expect(try await store.sync(changes: changes).isUnchanged)
    #expect(try store.values(of: "Item", "id", "name") == [[3, "a"]])
  }

  @Test func rowOfAnotherParentIsNotDeletedByChanges() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1}, {"id": 2, "title": "B", "project_id": 2}]"#,
      as: Task.self)
    try await store.sync(
      changes: #"{"created": [{"id": 3, "title": "C"}], "deleted": [1, 2]}"#, as: Task.self, parent: 1,
      relationship: \.project)
    #expect(try store.pick(Task.self, "id", "project") == [[2, 2], [3, 1]])
  }

  @Test func parentScopedRowsAreDeletedOnlyInTheirParent() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Board.self)
    for board in 1...2 {
      try await store.sync(
        payload: #"[{"id": 1, "title": "to do"}]"#, as: Column.self, parent: board, relationship: \.board)
    }
    try await store.sync(changes: #"{"deleted": [1]}"#, as: Column.self, parent: 2, relationship: \.board)
    #expect(try store.pick(Column.self, "board", "id") == [[1, 1]])
  }

  @Test func createdAndUpdatedObjectsOfARowAreMerged() async throws {
    let store = try await store()
    let changes =
      #"{"created": [{"id": 6}, {"id": 7, "name": "first"}], "updated": [{"id": 6, "name": "late"}, {"id": 7, "name": "last"}]}"#
    try await store.sync(changes: changes, as: Tag.self)
    #expect(try store.pick(Tag.self, "name").suffix(2) == [["late"], ["last"]])
    #expect(try await store.sync(changes: changes, as: Tag.self).isUnchanged)
  }

  /// Contract, section 2: *later* is the order of the text.
  @Test func createdObjectAfterAnUpdatedOneOfItsRowOverridesIt() async throws {
    let store = try await store()
    let changes =
      #"{"updated": [{"id": 5, "name": "U"}, {"id": 7, "name": "U"}], "created": [{"id": 5, "name": "C"}, {"id": 7, "name": "C"}]}"#
    try await store.sync(changes: changes, as: Tag.self)
    #expect(try store.pick(Tag.self, "id", "name").suffix(2) == [[5, "C"], [7, "C"]])
    #expect(try await store.sync(changes: changes, as: Tag.self).isUnchanged)
  }

  @Test func cursorIsStoredOnlyIfTheChangesSucceed() async throws {
    let store = try await store()
    let changes = SyncResponse(Data(#"{"deleted": [1]}"#.utf8), cursor: "t8")
    try await store.sync(changes: changes, as: Tag.self)
    #expect(try await store.cursor(for: Tag.self) == "t8")
    // A failed sync stores no cursor.
    let broken = SyncResponse(Data(#"{"created": [{"name": "x"}]}"#.utf8), cursor: "t9")
    await #expect(throws: SyncError.self) { try await store.sync(changes: broken, as: Tag.self) }
    #expect(try await store.cursor(for: Tag.self) == "t8")
  }
}

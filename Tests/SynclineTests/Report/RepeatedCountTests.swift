import Syncline
import SynclineTesting
import Testing

/// A row counts once, and a link once for each end that states it, regardless of repetitions in the payload.
@Suite struct RepeatedCountTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let payload: String
    var isOfFolders = true
    /// The numbers of new folders, new documents, links of folders and links of documents.
    let counts: [Int]
  }

  static let cases = [
    Case(
      testDescription: "a new row twice in one list",
      payload: #"[{"id": 2, "documents": [{"id": 2}, {"id": 2}]}]"#, counts: [1, 1, 1, 1]),
    Case(
      testDescription: "a new row and its key",
      payload: #"[{"id": 2, "documents": [{"id": 2}, 2]}]"#, counts: [1, 1, 1, 1]),
    Case(
      testDescription: "a key and its new row",
      payload: #"[{"id": 2, "documents": [2, {"id": 2}]}]"#, counts: [1, 1, 1, 1]),
    Case(
      testDescription: "a known row twice in one list",
      payload: #"[{"id": 2, "documents": [{"id": 7}, {"id": 7}]}]"#, counts: [1, 0, 1, 1]),
    Case(
      testDescription: "the key of a known row twice",
      payload: #"[{"id": 2, "document_ids": [7, 7]}]"#, counts: [1, 0, 1, 1]),
    Case(
      testDescription: "a new row in two lists",
      payload: #"[{"id": 1, "documents": [{"id": 1}]}, {"id": 2, "documents": [{"id": 1}]}]"#,
      counts: [2, 1, 1, 1]),
    Case(
      testDescription: "a new row twice in each of two lists",
      payload:
        #"[{"id": 1, "documents": [{"id": 1}, {"id": 1}]}, {"id": 2, "documents": [{"id": 1}, {"id": 1}]}]"#,
      counts: [2, 1, 1, 1]),
    Case(
      testDescription: "a key of its own, and then a list of another row",
      payload: #"[{"id": 1, "folder_id": 1}, {"id": 2, "folder": {"id": 2, "documents": [{"id": 1}]}}]"#,
      isOfFolders: false, counts: [1, 2, 1, 1]),
    Case(
      testDescription: "a key of its own, and then the list of that row",
      payload: #"[{"id": 1, "folder_id": 2}, {"id": 2, "folder": {"id": 2, "documents": [{"id": 1}]}}]"#,
      isOfFolders: false, counts: [1, 2, 1, 1]),
    Case(
      testDescription: "a list of another row, and then a key of its own",
      payload: #"[{"id": 2, "folder": {"id": 2, "documents": [{"id": 1}]}}, {"id": 1, "folder_id": 1}]"#,
      isOfFolders: false, counts: [1, 2, 1, 1]),
    Case(
      testDescription: "a list, and then a key that leads to its row",
      payload: #"[{"id": 2, "folder": {"id": 2, "documents": [{"id": 1}]}}, {"id": 1, "folder_id": 2}]"#,
      isOfFolders: false, counts: [1, 2, 1, 1]),
    Case(
      testDescription: "a row within a list of the row that it holds",
      payload: #"[{"id": 1, "folder": {"id": 2, "documents": [{"id": 1}]}}]"#,
      isOfFolders: false, counts: [1, 1, 1, 1]),
    Case(
      testDescription: "its key within a list of the row that it holds",
      payload: #"[{"id": 1, "folder": {"id": 2, "document_ids": [1]}}]"#,
      isOfFolders: false, counts: [1, 1, 1, 1]),
  ]

  @Test(arguments: cases) func repeatedChildIsCountedOnce(_ counted: Case) async throws {
    let store = try makeStore()
    try await store.sync(item: #"{"id": 7}"#, as: Document.self)
    func sync() async throws -> SyncReport {
      counted.isOfFolders
        ? try await store.sync(payload: counted.payload, as: Folder.self)
        : try await store.sync(
          payload: counted.payload, as: Document.self, deletionPolicy: DeletionPolicy.none)
    }
    let report = try await sync()
    let (folders, documents) = (report[Folder.self], report[Document.self])
    #expect(
      [folders.inserted, documents.inserted, folders.linked, documents.linked] == counted.counts, "\(report)")
    #expect(report.unlinked == 0 && report.deleted == 0)
    #expect(try await sync().isUnchanged)
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func movedChildIsCountedForBothLists(order: [Int]) async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "documents": [{"id": 1}, {"id": 2}]}, {"id": 2}]"#, as: Folder.self)
    let folders = [#"{"id": 1, "document_ids": [1]}"#, #"{"id": 2, "document_ids": [2]}"#]
    let payload = "[\(order.map { folders[$0] }.joined(separator: ","))]"
    let report = try await store.sync(payload: payload, as: Folder.self)
    #expect(report[Folder.self].linked == 1 && report[Folder.self].unlinked == 1, "\(report)")
    #expect(report[Folder.self].updated == 2)
    #expect(report[Document.self].linked == 1 && report[Document.self].unlinked == 1, "\(report)")
    #expect(try await store.sync(payload: payload, as: Folder.self).isUnchanged)
  }

  @Test func keptRowMissingFromTheLastListIsNotCountedForIt() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "halls": [{"id": 1}, {"id": 2}]}, {"id": 1, "halls": [{"id": 2}]}]"#
    let report = try await store.sync(payload: payload, as: Guild.self)
    #expect(report[Hall.self].inserted == 2 && report[Hall.self].linked == 2, "\(report)")
    #expect(report.actions == [.keptRow])
    // The last list is decisive, and has one of them.
    #expect(report[Guild.self].linked == 1)
    #expect(try await store.sync(payload: payload, as: Guild.self).isUnchanged)
  }

  @Test func newSoftDeletedRowCountsAsInserted() async throws {
    let store = try makeStore()
    let changes = #"""
      {"updated": [{"remote_id": "a", "title": "A",
        "studio": {"remote_id": "s", "name": "S", "rooms": [{"remote_id": "b", "title": "B"}]}}], "deleted": ["b"]}
      """#
    let report = try await store.sync(changes: changes, as: Room.self)
    #expect(report[Room.self].inserted == 2 && report[Room.self].softDeleted == 0, "\(report)")
    #expect(try store.pick(Room.self, "remoteID", "deletedAt").map { $0[1].isNull } == [true, false])
  }

  @Test func knownRowUpdatedAndSoftDeletedCountsAsSoftDeleted() async throws {
    let store = try makeStore()
    try await store.sync(item: #"{"remote_id": "b", "title": "B"}"#, as: Room.self)
    let changes = #"""
      {"updated": [{"remote_id": "a", "title": "A",
        "studio": {"remote_id": "s", "name": "S", "rooms": [{"remote_id": "b", "title": "C"}]}}], "deleted": ["b"]}
      """#
    let report = try await store.sync(changes: changes, as: Room.self)
    let counts = report[Room.self]
    #expect(
      counts.inserted == 1 && counts.softDeleted == 1 && counts.updated + counts.unchanged == 0, "\(report)")
  }

  @Test(arguments: [
    (#"[{"id": 1, "title": "A", "updated_at": 30}, {"id": 1, "title": "B", "updated_at": 20}]"#, "B"),
    (#"[{"id": 1, "title": "A", "updated_at": 30}, {"id": 1, "title": "B"}]"#, "B"),
    (#"[{"id": 1, "title": "A", "updated_at": 5}, {"id": 1, "updated_at": 20}]"#, "A"),
    (#"[{"id": 1, "title": "A", "updated_at": 30}, {"id": 1, "title": "B", "updated_at": 5}]"#, "old"),
    (
      #"[{"id": 1, "title": "A", "updated_at": 30, "deleted_at": "2024-01-01"}, {"id": 1, "updated_at": 31}]"#,
      "A"
    ),
  ])
  func scopedRowObjectsAreMergedBeforeStampComparison(
    _ payload: String, _ title: String
  ) async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "b"}, {"id": 2, "name": "c"}]"#, as: Board.self)
    func sync(_ payload: String, _ board: Int) async throws -> SyncReport {
      try await store.sync(payload: payload, as: Lane.self, parent: board, relationship: \.board)
    }
    for board in [1, 2] {
      _ = try await sync(#"[{"id": 1, "title": "old", "updated_at": 10}]"#, board)
    }
    let report = try await sync(payload, 1)
    #expect(report[Lane.self].updated == (title == "old" ? 0 : 1), "\(report)")
    #expect(
      try store.pick(Lane.self, "title", "board").map { "\($0)" }.sorted() == [
        "[\"\(title)\", 1]", "[\"old\", 2]",
      ])
    let second = try await sync(payload, 1)
    #expect(second.isUnchanged, "\(second)")
  }
}

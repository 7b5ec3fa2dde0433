import Foundation
import GRDB
import Syncline
import SynclineInterpreter
import TestSupport

/// Openings that evolve stores with edits, and tables that Syncline did not create.
extension Workload {
  static let evolvedCalls = [
    evolvedEdits("evolved-edits", call: opened), evolvedEdits("evolved-pool", call: openedPool),
    keptOffline, droppedOffline, adoptedEdits, movedLinks, textKeys,
  ]

  private static let edited = """
    @Offline model Task { id: Int; title: String; note: String?; project: Project?; tags: [Tag] }
    @Offline model Project { id: Int; name: String }
    @Offline model Tag { id: Int }
    """

  @Sendable
  private static func prepareEdits(_ store: TextStore) async throws {
    try await store.sync(list: Payloads.list(1..<4) { #"{"id":\#($0),"name":"p\#($0)"}"# }, as: "Project")
    try await store.sync(list: Payloads.list(1..<6) { #"{"id":\#($0)}"# }, as: "Tag")
    try await store.sync(
      list: Payloads.list(1..<40) {
        #"{"id":\#($0),"title":"t\#($0)","note":"n","project_id":\#($0 % 3 + 1),"tag_ids":[\#($0 % 5 + 1)]}"#
      }, as: "Task")
    try await store.run("UPDATE Task SET title = 'mine' WHERE id <= 10")
    try await store.run("DELETE FROM Task WHERE id = 20")
    try await store.run("INSERT INTO Task (id, title, note, project) VALUES (900, 'new', 'n', 1)")
    try await store.run(#"INSERT INTO "Task.tags" (source, target) VALUES (2, 5), (900, 1)"#)
    try await store.run("UPDATE Project SET name = 'mine' WHERE id = 2")
  }

  /// Required properties are added and renamed while rows have edits, and a model without edits is no longer offline.
  private static func evolvedEdits(
    _ name: String, call: @escaping @Sendable (Site) async throws -> String
  ) -> Workload {
    Workload(
      name: name, schema: edited,
      evolved: #"""
        @Offline model Task {
          id: Int; @RenamedFrom("title") name: String; note: String; rank: Int = 7; project: Project?; tags: [Tag]
        }
        @Offline model Project { id: Int; name: String; isOpen: Bool = true }
        model Tag { id: Int; label: String? }
        """#,
      start: .closedStore, errors: .ofDatabase, traps: [.connection, .transaction], mayFailWhenDone: true,
      prepare: prepareEdits, call: call)
  }

  private static let keptOffline = Workload(
    name: "more-offline", schema: "model Task { id: Int; title: String; tags: [Tag] } model Tag { id: Int }",
    evolved: "@Offline model Task { id: Int; title: String; tags: [Tag] } @Offline model Tag { id: Int }",
    start: .closedStore, traps: [.connection], mayFailWhenDone: true,
    prepare: { store in
      try await store.sync(list: Payloads.list(1..<40) { #"{"id":\#($0),"title":"t","tag_ids":[]}"# })
    },
    call: opened)

  private static let droppedOffline = Workload(
    name: "dropped-offline", schema: edited,
    evolved: "@Offline model Task { id: Int; title: String; note: String? }",
    start: .closedStore, traps: [.connection], mayFailWhenDone: true,
    prepare: { store in
      try await prepareEdits(store)
      try await store.run("DELETE FROM syncline_edit_Project")
      try await store.run("DELETE FROM syncline_edit_Tag")
    }, call: opened)

  private static let adoptedEdits = Workload(
    name: "adopted-offline", schema: "model Other { id: Int }",
    evolved: "@Offline model Task { id: Int; title: String = \"x\" } model Other { id: Int }",
    start: .closedStore, traps: [.connection], mayFailWhenDone: true,
    prepare: { store in
      try await store.run("CREATE TABLE Task (id INTEGER, title TEXT)")
      try await store.run("INSERT INTO Task VALUES (1, 'a'), (2, NULL), (3, 'c')")
    }, call: opened)

  /// A to-one becomes a list while rows have edits and links are pending.
  private static let movedLinks = Workload(
    name: "moved-links", schema: edited,
    evolved: """
      @Offline model Task {
        id: Int; title: String; note: String?; @RenamedFrom("project") projects: [Project]; tags: [Tag]
      }
      @Offline model Project { id: Int; name: String }
      @Offline model Tag { id: Int }
      """,
    start: .closedStore, traps: [.connection], mayFailWhenDone: true,
    prepare: { store in
      try await prepareEdits(store)
      try await store.container.discardAllPendingChanges()
    }, call: opened)

  private static let textKeys = Workload(
    name: "text-keys", schema: edited,
    evolved: """
      @Offline model Task { id: String; title: String; note: String?; project: Project?; tags: [Tag] }
      @Offline model Project { id: String; name: String }
      @Offline model Tag { id: String }
      """,
    start: .closedStore, traps: [.connection], mayFailWhenDone: true,
    prepare: { store in
      try await prepareEdits(store)
      try await store.sync(item: #"{"id":7,"title":"waits","project_id":99,"tag_ids":[98]}"#, as: "Task")
    }, call: opened)

  /// Opens a database of the user, whose settings must stay the same.
  @Sendable
  private static func openedPool(_ site: Site) async throws -> String {
    let pool = try DatabasePool(path: site.file.path)
    func settings() throws -> [Int] {
      try pool.writeWithoutTransaction { database in
        try ["foreign_keys", "legacy_alter_table"].map {
          try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? -1
        }
      }
    }
    let result = Result { _ = try TextStore(site.schema, in: .database(pool)) }
    Disk.disarm()
    let after = try settings()
    try pool.close()
    if after != [1, 0] { throw CocoaError(.featureUnsupported, userInfo: ["settings": after]) }
    try result.get()
    return "opened"
  }

  @Sendable
  private static func opened(_ site: Site) async throws -> String {
    // A fault must not count as damage, for which the store would be moved aside.
    let container = try SyncContainer(
      models: InterpretedSchema(try TextStore.schema(site.schema)).models, isWhole: true,
      storage: .file(site.file), configuration: SyncConfiguration(), recoverOnFailure: true)
    try container.database.close()
    let store = try site.open()
    var edits = ""
    if (try? store.model("Task")) != nil, try await store.container.hasPendingChanges() {
      edits = try await store.container.pendingChanges()
        .map { "\($0.kind) \($0.id) \($0.properties)" }.joined(separator: ";")
    }
    return edits
  }
}

import Foundation
import GRDB
import Syncline
import SynclineTooling
import TestSupport

/// Other forms of payloads and exports, change notices, and imports of other programs' files.
extension Workload {
  static let otherCalls = [
    edited("pages-edited") { site, store in
      func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
        let pages = AsyncStream<SyncPage> { pages in
          for number in 0..<3 {
            let rows = Payloads.list(number * 10 + 1..<number * 10 + 10) {
              #"{"id":\#($0),"title":"second","project_id":\#($0 % 3 + 1),"tag_ids":[]}"#
            }
            pages.yield(SyncPage(rows, cursor: number < 2 ? "p\(number)" : nil))
          }
          pages.finish()
        }
        return try await store.container.sync(
          pages: pages, as: model, deletionPolicy: DeletionPolicy.hardDeleteMissing
        ).text()
      }
      return try await sync(store.model("Task"))
    },
    edited("lines") { site, store in
      func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
        let file = site.folder.appending(path: "rows.ndjson")
        return try await store.container.sync(
          pages: SyncLinePages(of: file, rowsPerPage: 9), as: model,
          deletionPolicy: DeletionPolicy.hardDeleteMissing
        ).text()
      }
      return try await sync(store.model("Task"))
    },
    soft("soft-pages", hasSteps: true) { store in
      func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
        let pages = AsyncStream<SyncPage> { pages in
          for number in 0..<3 {
            pages.yield(
              SyncPage(
                Payloads.list(number * 10..<number * 10 + 10) {
                  #"{"id":\#($0),"title":"second","parts":[{"id":\#($0 * 2),"n":1}]}"#
                }, cursor: number < 2 ? "p\(number)" : nil))
          }
          pages.finish()
        }
        return try await store.container.sync(
          pages: pages, as: model, deletionPolicy: DeletionPolicy.hardDeleteMissing
        ).text()
      }
      return try await sync(store.model("Item"))
    },
    soft("soft-list") { store in
      try await store.sync(
        list: Payloads.list(0..<20) { #"{"id":\#($0),"n":2}"# }, as: "Part", policy: .hardDeleteMissing
      ).text()
    },
    soft("json-api") { store in
      let data = Payloads.list(0..<60) {
        #"""
        {"type":"items","id":"\#($0)","attributes":{"title":"api"},\#
        "relationships":{"parts":{"data":[{"type":"parts","id":"\#($0 + 3)"}]}}}
        """#
      }
      let included = Payloads.list(3..<12) { #"{"type":"parts","id":"\#($0)","attributes":{"n":5}}"# }
      return try await store.sync(jsonAPI: #"{"data":\#(data),"included":\#(included)}"#, as: "Item").text()
    },
    soft("exports") { store in
      let document = try await store.exportDocument("Item").description
      let rows = try await store.exportedRows(of: "Item").description
      return try await "\(document) \(rows) \(chunks(store, "Item")) \(store.exportData("Part"))"
    },
    changeNotices, pendingNotices, coreData, coreDataCopy, inferred,
  ]

  private static func edited(
    _ name: String, _ call: @escaping @Sendable (Site, TextStore) async throws -> String
  ) -> Workload {
    Workload(
      name: name, schema: offlineSchema, hasUnknownSteps: true, prepare: prepareAnswered,
      prepareFiles: { folder in
        let rows = (1..<40).map {
          #"{"id":\#($0),"title":"second","project_id":\#($0 % 3 + 1),"tag_ids":[]}"#
        }
        try Data(rows.joined(separator: "\n").utf8).write(to: folder.appending(path: "rows.ndjson"))
      }
    ) { try await call($0, $0.open()) }
  }

  private static func soft(
    _ name: String, hasSteps: Bool = false, _ call: @escaping @Sendable (TextStore) async throws -> String
  ) -> Workload {
    Workload(
      name: name,
      schema: #"""
        @SoftDelete(\.deletedAt)
        model Item { id: Int; title: String; deletedAt: Date?; parts: [Part] }
        model Part { id: Int; n: Int?; item: Item? }
        """#,
      hasUnknownSteps: hasSteps,
      prepare: { store in
        try await store.sync(
          list: Payloads.list(0..<60) {
            #"{"id":\#($0),"title":"first","parts":[{"id":\#($0 * 2),"n":1},{"id":\#($0 * 2 + 1)}]}"#
          }, as: "Item")
      }
    ) { try await call($0.open()) }
  }

  private static func chunks(_ store: TextStore, _ name: String) async throws -> String {
    func chunks<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      var text = ""
      for try await chunk in store.container.exportChunks(as: model) {
        text += String(decoding: chunk, as: UTF8.self)
      }
      return text
    }
    return try await chunks(store.model(name))
  }

  // MARK: Notices

  private static let changeNotices = Workload(
    name: "notices", schema: Payloads.schema, errors: .ofDatabase, traps: [.connection, .transaction],
    hasUnknownSteps: true,
    prepare: { try await $0.sync(list: Payloads.articles(0..<30, titled: "old"), as: "Article") },
    call: { site in
      let store = try site.open()
      var notices = store.container.changes().makeAsyncIterator()
      try await store.sync(list: Payloads.articles(0..<31, titled: "new"), as: "Article")
      try await store.container.database.write {
        try $0.execute(sql: "DELETE FROM Article WHERE id = 3; INSERT OR IGNORE INTO Folder (id) VALUES (1)")
      }
      var count = 0
      while count < 1, let changes = try await notices.next() { count += changes.tables.isEmpty ? 0 : 1 }
      return "noticed"
    })

  private static let pendingNotices = Workload(
    name: "pending-notices", schema: offlineSchema, errors: .ofDatabase, traps: [.connection, .transaction],
    hasUnknownSteps: true, prepare: prepareAnswered
  ) { site in
    let store = try site.open()
    func follow<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      var counts = store.container.pendingCount(for: model).makeAsyncIterator()
      let first = try await counts.next() ?? -1
      try await store.container.database.write {
        try $0.execute(sql: "UPDATE Task SET title = 'mine' WHERE id IN (30, 31)")
      }
      if first < 11 { while let count = try await counts.next(), count < 11 {} }
      return "followed"
    }
    return try await follow(store.model("Task"))
  }

  // MARK: Files of other programs

  private static let sourceName = "source.sqlite"

  @Sendable
  private static func makeCoreData(in folder: URL) throws {
    let source = try DatabaseQueue(path: folder.appending(path: sourceName).path)
    try source.write { database in
      try database.execute(
        sql: """
          CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
          CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
          CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
          CREATE TABLE ZPROJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER, ZNAME VARCHAR);
          CREATE TABLE ZTODOITEM (
            Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISDONE INTEGER, ZMAINPROJECT INTEGER,
            ZCREATEDAT TIMESTAMP, ZTITLE VARCHAR, ZID BLOB);
          CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER, ZNAME VARCHAR);
          CREATE TABLE Z_2TAGS (Z_2TODOS INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2TODOS, Z_3TAGS));
          CREATE INDEX ZTODOITEM_ZMAINPROJECT_INDEX ON ZTODOITEM (ZMAINPROJECT);
          INSERT INTO Z_PRIMARYKEY VALUES (1, 'Project', 0, 2), (2, 'TodoItem', 0, 2), (3, 'Tag', 0, 1);
          INSERT INTO ZPROJECT VALUES (1, 1, 1, 10, 'Home'), (2, 1, 1, 11, 'Work');
          INSERT INTO ZTAG VALUES (1, 3, 1, 7, 'urgent'), (5, 3, 1, 8, 'old');
          """)
      for id in 1...40 {
        try database.execute(
          sql: "INSERT INTO ZTODOITEM VALUES (?, 2, 1, 0, ?, 736000000.5, 'Milk', ?)",
          arguments: [id, id % 2 + 1, Data(repeating: UInt8(id), count: 16)])
        try database.execute(sql: "INSERT INTO Z_2TAGS VALUES (?, ?)", arguments: [id, id % 2 == 0 ? 1 : 5])
      }
    }
    try source.close()
  }

  private static let coreData = Workload(
    name: "core-data", schema: "", start: .nothingOrAll, errors: .ofDatabase,
    traps: [.connection, .transaction],
    prepareFiles: makeCoreData,
    call: { try SQLiteImport($0.folder.appending(path: sourceName).path).text })

  private static let coreDataCopy = Workload(
    name: "core-data-copy", schema: "", start: .nothingOrAll, errors: .ofDatabase,
    traps: [.connection, .transaction], prepareFiles: makeCoreData,
    call: { try await SQLiteCopy(of: $0.folder.appending(path: sourceName).path, to: $0.file).text })

  private static let inferred = Workload(
    name: "import-proposal", schema: "", start: .nothingOrAll, errors: .ofDatabase,
    traps: [.connection, .transaction],
    prepareFiles: { folder in
      let source = try DatabaseQueue(path: folder.appending(path: sourceName).path)
      try source.write { database in
        try database.execute(
          sql: """
            CREATE TABLE a (id TEXT PRIMARY KEY, data JSON, at DATETIME, flag BOOLEAN) WITHOUT ROWID;
            CREATE TABLE b (x INTEGER, y TEXT DEFAULT 'z', a TEXT REFERENCES a(id) ON DELETE CASCADE, UNIQUE (y));
            CREATE VIEW v AS SELECT * FROM a; CREATE INDEX i ON b (y, x);
            INSERT INTO a VALUES ('k', '{"a":1}', '2024-01-01', 1); INSERT INTO b VALUES (1, 'y', 'k');
            """)
      }
      try source.close()
    },
    call: { try SQLiteImport($0.folder.appending(path: sourceName).path).text })
}

import Foundation
import GRDB
@_spi(Generated) @testable import Syncline
import TestSupport
import Testing

/// Rows of any request can be decoded as models. Columns are found by name, as in GRDB, at any position.
@Suite struct ReadingTests {
  private let folder = TemporaryFolder()

  private static let values = """
    {"id": 7, "text": "été", "int": 5, "double": 2.5, "bool": true, "date": "2024-01-02T03:04:05.123456Z",
     "uuid": "C3E7A1B2-1001-4000-8000-000000000001", "url": "https://example.com/a", "decimal": 1.25,
     "data": "AAEC", "level": 2, "words": ["a", "b"], "json": {"k": [1]}}
    """

  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: "[\(Self.values)]", as: Required.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "opened_at": "2024-01-02T03:04:05Z", "user": {"id": 5, "name": "U"},
          "closed_by": {"id": 6, "name": "V"}},
         {"id": 2, "title": "B", "opened_at": 1, "user_id": 5}, {"id": 3, "title": "C", "opened_at": 2}]
        """#, as: Fault.self)
    return store
  }

  @Test func columnsAreFoundByNameInAnySelection() async throws {
    let columns = Required.syncTable.columns.map(\.name)
    try await store().database.read { db in
      let expected = try #require(try Required.fetchOne(db))
      for seed in 0..<200 {
        var random = SeededGenerator(seed: seed)
        // The columns in any order and case, with other columns between them. Some are repeated later with another value.
        var selection = columns.shuffled(using: &random).map { name in
          #""\#(name)" AS "\#(Bool.random(using: &random) ? name : name.uppercased())""#
        }
        for name in columns where random.next() % 4 == 0 { selection.append(#"NULL AS "\#(name)""#) }
        for _ in 0..<random.next() % 3 {
          selection.insert("'other' AS other", at: Int.random(in: 0...columns.count, using: &random))
        }
        let sql = "SELECT \(selection.joined(separator: ", ")) FROM Required"
        #expect(try Required.fetchAll(db, sql: sql) == [expected], "\(sql)")
        // A copied row, which has no statement.
        let row = try #require(try Row.fetchOne(db, sql: sql))
        #expect(try Required(row: row) == expected, "\(sql)")
        #expect(try Required(row: row.copy()) == expected, "\(sql)")
        // Columns that adapters rename and hide.
        let prefixed = columns.map { #""\#($0)" AS "x_\#($0)""# }.joined(separator: ", ")
        let renaming = RenameColumnAdapter { String($0.dropFirst(2)) }
        #expect(
          try Required.fetchAll(db, sql: "SELECT \(prefixed) FROM Required", adapter: renaming) == [expected])
        let suffix = SuffixRowAdapter(fromIndex: 2)
        #expect(
          try Required.fetchAll(db, sql: "SELECT 1, NULL AS id, * FROM Required", adapter: suffix)
            == [expected])
      }
    }
  }

  @Test func adaptersOfTheSameColumnsAreDistinguished() async throws {
    try await store().database.read { db in
      let sql = "SELECT 1 AS id, 'one' AS name, 2 AS id2, 'two' AS name2, NULL AS email"
      let first = ColumnMapping(["id": "id", "name": "name", "email": "email"])
      let second = ColumnMapping(["id": "id2", "name": "name2", "email": "email"])
      let swapped = ColumnMapping(["id": "id", "name": "name2", "email": "name"])
      let statement = try db.makeStatement(sql: sql)
      for _ in 0..<3 {
        #expect(try User.fetchAll(statement, adapter: first) == [User(id: 1, name: "one")])
        #expect(try User.fetchAll(statement, adapter: second) == [User(id: 2, name: "two")])
        #expect(try User.fetchAll(statement, adapter: swapped) == [User(id: 1, name: "two", email: "one")])
      }
      // Scopes of one row, with one model twice.
      let scopes = ScopeAdapter(["first": first, "second": second, "swapped": swapped])
      let rows = try Row.fetchCursor(
        db, sql: "WITH n(i) AS (VALUES (1), (2), (3)) SELECT q.* FROM n, (\(sql)) AS q", adapter: scopes)
      var count = 0
      while let row = try rows.next() {
        #expect(try row.joined(forKey: "first") == User(id: 1, name: "one"))
        #expect(try row.joined(forKey: "second") == User(id: 2, name: "two"))
        #expect(row["swapped"] == User(id: 1, name: "two", email: "one"))
        #expect(row["first"] == User(id: 1, name: "one"))
        #expect(try row.joined(forKey: "swapped") == User(id: 1, name: "two", email: "one"))
        count += 1
      }
      #expect(count == 3)
    }
  }

  @Test func unselectedOptionalColumnsAreNil() async throws {
    try await store().database.read { db in
      let fault = try Fault.select(Fault.Columns.id, Fault.Columns.title, Fault.Columns.openedAt).fetchOne(db)
      #expect(fault?.title == "A")
      #expect(fault?.user == nil)
      let error = SyncError.unreadableRow(
        model: "Fault", reason: "the required column “title” is missing")
      #expect(throws: error) { try Fault.fetchAll(db, sql: "SELECT id, openedAt FROM Fault") }
      let row = try #require(try Row.fetchOne(db, sql: "SELECT id, openedAt FROM Fault"))
      #expect(throws: error) { try Fault(row: row) }
      #expect(throws: error) { try Fault(row: Row(["id": 1])) }
      #expect(throws: SyncError.self) { try Fault(row: Row()) }
    }
  }

  @Test(arguments: [
    ("text", "NULL", "String", "null"), ("text", "x'00ff'", "String", "2 bytes"),
    ("int", "'five'", "Int", "the string “five”"), ("int", "1.5", "Int", "the number 1.5"),
    ("double", "'x'", "Double", "the string “x”"), ("bool", "'maybe'", "Bool", "the string “maybe”"),
    ("date", "'soon'", "Date", "the string “soon”"), ("date", "NULL", "Date", "null"),
    ("uuid", "x'0011'", "UUID", "2 bytes"), ("uuid", "NULL", "UUID", "null"),
    ("words", "'[1'", "[String]", "the string “[1”"),
    ("text", "printf('%.*c', 70, 'x') || x'ff00'", "String", "the text"),
  ])
  func invalidColumnValueThrowsATypedError(
    _ column: String, _ value: String, _ type: String, _ found: String
  ) async throws {
    let others = Required.syncTable.columns.map(\.name).filter { $0 != column }.map { "\"\($0)\"" }.joined(
      separator: ", ")
    try await store().database.read { db in
      let sql = "SELECT \(others), \(value) AS \"\(column)\" FROM Required"
      let row = try #require(try Row.fetchOne(db, sql: sql))
      let reads: [() throws -> Required?] = [
        { try Required.fetchOne(db, sql: sql) }, { try Required(row: row) },
        { try Required(row: row.copy()) },
      ]
      for read in reads {
        do {
          // Invalid UTF-8 is repaired in the same way as in GRDB.
          let text = try read()?.text ?? ""
          #expect(column == "text" && text.hasPrefix("xxx"))
        } catch SyncError.unreadableRow(let model, let reason) {
          #expect(model == "Required")
          #expect(reason == "the column “\(column)” does not hold a valid \(type): \(found)")
        }
      }
    }
  }

  @Test func wholeNumbersOfAnotherStorageClassAreRead() async throws {
    try await store().database.read { db in
      let others = Required.syncTable.columns.map(\.name).filter { !["int", "double", "bool"].contains($0) }
        .map { "\"\($0)\"" }.joined(separator: ", ")
      let sql = "SELECT \(others), 3.0 AS int, 4 AS double, 1.0 AS bool FROM Required"
      let row = try #require(try Required.fetchOne(db, sql: sql))
      #expect((row.int, row.double, row.bool) == (3, 4, true))
    }
  }

  @Test func joinedModelsAreReadByTheirAssociationKey() async throws {
    struct FaultRow: FetchableRecord {
      let fault: Fault
      let user: User?
      let closedBy: User?

      init(row: Row) throws {
        fault = try Fault(row: row)
        user = try row.joinedIfPresent(forKey: "user")
        closedBy = try row.joinedIfPresent(forKey: "closedBy")
      }
    }
    try await store().database.read { db in
      let request = Fault.including(optional: Fault.user).including(optional: Fault.closedBy)
        .order(Fault.Columns.id)
      let rows = try FaultRow.fetchAll(db, request)
      let (u, v) = (User(id: 5, name: "U"), User(id: 6, name: "V"))
      #expect(rows.map(\.fault.title) == ["A", "B", "C"])
      #expect(rows.map(\.user) == [u, u, nil])
      #expect(rows.map(\.closedBy) == [v, nil, nil])
      // Copied rows own their values.
      let copies = try Row.fetchAll(db, request)
      #expect(try copies.map { try $0.joinedIfPresent(User.self, forKey: "user") } == [u, u, nil])
      #expect(try copies.first?.joined(forKey: "closedBy") == v)
      let error = SyncError.unreadableRow(
        model: "User", reason: "the request joined no row for the association key “nobody”")
      #expect(throws: error) { try copies.first?.joined(User.self, forKey: "nobody") }
      let cursor = try Row.fetchCursor(db, request)
      let first = try #require(try cursor.next())
      #expect(throws: error) { try first.joined(User.self, forKey: "nobody") }
      #expect(try first.joinedIfPresent(User.self, forKey: "nobody") == nil)
    }
  }

  @Test func selfJoinedModelIsReadFromBothRows() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": "a", "name": "A", "children": [{"id": "b", "name": "B"}, {"id": "c", "name": "C"}]}]"#,
      as: Category.self)
    try await store.database.read { db in
      let request = Category.including(required: Category.parent).order(Category.Columns.id)
      let rows = try Row.fetchCursor(db, request)
      var found: [[String]] = []
      while let row = try rows.next() {
        let parent: Category = row["parent"]
        found.append([
          try Category(row: row).id, parent.id, try row.joined(Category.self, forKey: "parent").name,
        ])
      }
      #expect(found == [["b", "a", "A"], ["c", "a", "A"]])
    }
  }

  @Test func interleavedCursorsReadTheirOwnRows() async throws {
    try await store().database.read { db in
      let cursors = try (0..<40).map { offset in
        // In each request the columns are at other positions.
        let padding = (0..<offset).map { "NULL AS p\($0), " }.joined()
        return try User.fetchCursor(
          db,
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
            SELECT \(padding)i + \(offset * 100) AS id, 'u' || i AS name, NULL AS email FROM n
            """)
      }
      for row in 0..<10 {
        for (offset, cursor) in cursors.enumerated() {
          let user = try cursor.next()
          #expect(user == User(id: offset * 100 + row, name: "u\(row)"))
        }
      }
    }
  }

  @Test func rowsAreReadOnManyThreads() async throws {
    let store = try makeStore(in: folder)
    let payload = (1...200).map { #"{"id": \#($0), "name": "U\#($0)"}"# }.joined(separator: ",")
    try await store.sync(payload: "[\(payload)]", as: User.self)
    await withTaskGroup(of: Bool.self) { group in
      for part in 0..<16 {
        group.addTask {
          let columns = ["id", "name", "email"].shuffled().joined(separator: ", ")
          let ids = try? await store.database.read { db in
            try (0..<20).map { _ in
              try User.fetchAll(db, sql: "SELECT \(columns) FROM User WHERE id % 16 = \(part) ORDER BY id")
                .map(
                  \.id)
            }
          }
          let expected = (1...200).filter { $0 % 16 == part }
          return ids?.allSatisfy { $0 == expected } ?? false
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func modelIsDecodedByFetchableRecordDecoder() async throws {
    try await store().database.read { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM User WHERE id = 5"))
      let decoded = try FetchableRecordDecoder().decode(User.self, from: row)
      #expect(decoded == User(id: 5, name: "U"))
    }
  }

  @Test func columnDecodingStrategyIsApplied() async throws {
    struct Flat: Decodable, FetchableRecord {
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
      let fault: Fault

      init(from decoder: any Decoder) throws { fault = try Fault(from: decoder) }
    }
    let fault = try await store().database.read { db in
      try Flat.fetchOne(
        db, sql: "SELECT id, title, openedAt AS opened_at, user, closedBy AS closed_by FROM Fault")?.fault
    }
    #expect(fault?.closedBy?.id == 6)
  }

  // MARK: One row

  @Test func aRowIsFetchedByItsIdentity() async throws {
    let store = try await store()
    try await store.database.read { db in
      let user = try User.fetchOne(db, id: 5)
      #expect(user?.name == "U")
      #expect(try User.fetchOne(db, id: 50) == nil)
      #expect(try User.fetchOne(db, key: "6")?.name == "V")
      #expect(try User.fetchOne(db, key: DatabaseValue.null) == nil)
      #expect(try User.fetchOne(db, key: nil as Int?) == nil)
      #expect(try User.find(db, id: 5).name == "U")
      #expect(try Fault.fetchOne(db, key: ["id": 1])?.title == "A")
    }
    try await store.sync(payload: #"[{"id": "x", "name": "X"}]"#, as: Category.self)
    #expect(try await store.database.read { try Category.fetchOne($0, id: "x")?.name } == "X")
  }

  @Test func fetchAfterARolledBackTransactionThrows() async throws {
    let store = try await store()
    let error = await #expect(throws: DatabaseError.self) {
      try await store.database.write { db in
        try? db.execute(sql: "INSERT OR ROLLBACK INTO User (id, name) VALUES (5, 'X')")
        _ = try User.fetchOne(db, id: 6)
      }
    }
    #expect(error?.resultCode == .SQLITE_ABORT)
  }

  @Test func aRowFetchedByItsIdentityIsObserved() async throws {
    let store = try await store()
    let (names, continuation) = AsyncStream.makeStream(of: String?.self)
    let observation = ValueObservation.tracking { db in try User.fetchOne(db, id: 5)?.name }
    let cancellable = observation.start(
      in: store.database, scheduling: .async(onQueue: .main), onError: { _ in continuation.finish() },
      onChange: { continuation.yield($0) })
    defer { cancellable.cancel() }
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "U")
    // A change of another row causes no notice.
    try await store.database.write { try $0.execute(sql: "UPDATE User SET name = 'W' WHERE id = 6") }
    try await store.database.write { try $0.execute(sql: "UPDATE User SET name = 'T' WHERE id = 5") }
    #expect(await iterator.next() == "T")
    try await store.database.write { try $0.execute(sql: "DELETE FROM User WHERE id = 5") }
    #expect(await iterator.next() == .some(nil))
  }

  @Test func rowIsFetchedByIdentityDuringACursor() async throws {
    try await store().database.read { db in
      let cursor = try User.order(User.Columns.id).fetchCursor(db)
      var pairs: [[Int?]] = []
      while let user = try cursor.next() {
        pairs.append([user.id, try User.fetchOne(db, id: user.id)?.id])
      }
      #expect(pairs == [[5, 5], [6, 6]])
    }
  }
}

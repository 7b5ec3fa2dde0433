import Foundation
import Syncline
import SynclineInterpreter
import SynclineTooling
import Testing

/// Copying the rows of an SQLite file into a store of the proposed schema.
@Suite struct SQLiteCopyTests {
  /// The result of a copy, and the rows that a query finds in the new store.
  func copied(_ sql: String, then query: String) async throws -> (SQLiteCopy, [String]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (old, new) = (folder.appending(path: "old.sqlite"), folder.appending(path: "new.sqlite"))
    try Self.make(old, sql)
    let before = try Data(contentsOf: old)
    let copy = try await SQLiteCopy(of: old.path, to: new)
    #expect(try Data(contentsOf: old) == before)
    try Self.open(new, with: SQLiteImport(old.path).text)
    return (copy, try Self.rows(of: new, query))
  }

  static func make(_ file: URL, _ sql: String) throws {
    var configuration = Configuration()
    // Files have rows that refer to nothing.
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  private static func rows(of file: URL, _ query: String) throws -> [String] {
    try DatabaseQueue(path: file.path).read { database in
      try Row.fetchAll(database, sql: query).map { row in
        row.databaseValues.map(\.description).joined(separator: " ")
      }
    }
  }

  /// An app whose schema is the proposed one opens the store as it is.
  private static func open(_ file: URL, with text: String) throws {
    let schema = try #require(analysisWithoutErrors(of: text).schema)
    let container = try SyncContainer(
      models: InterpretedSchema(schema).models, isWhole: true, storage: .file(file),
      configuration: SyncConfiguration(), recoverOnFailure: false)
    #expect(container.evolution == nil)
  }

  func counts(_ copy: SQLiteCopy) -> [String] {
    copy.counts.map { "\($0.source) > \($0.target): \($0.copied) of \($0.found)" }
  }

  /// A column without a type has strings that look like other JSON values.
  @Test func stringsOfColumnsWithoutATypeAreCopied() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE settings (name TEXT PRIMARY KEY, value);
      INSERT INTO settings VALUES ('a', 'null'), ('c', '5'), ('d', 'true'), ('e', 12);
      """, then: "SELECT value FROM Setting ORDER BY name")
    #expect(rows == [#""\"null\"""#, #""\"5\"""#, #""\"true\"""#, #""12""#], "\(rows)")
    #expect(copy.isComplete)
  }

  @Test func stringsThatAreNotUTF8AreReported() async throws {
    let (copy, _) = try await copied(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO a VALUES (1, CAST(x'ff41' AS TEXT)), (2, 'é');",
      then: "SELECT 1")
    #expect(copy.problems == ["a.t: A string is not UTF-8. Invalid bytes are replaced."])
  }

  /// The rows are copied in parts, and the row that another one requires may be in a later part.
  @Test func rowsThatRequireLaterRowsOfTheirTableAreCopied() async throws {
    let (copy, _) = try await copied(
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, parent_id INT NOT NULL REFERENCES n (id));
      WITH RECURSIVE i (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM i WHERE v < 3000)
      INSERT INTO n SELECT v, v % 3000 + 1 FROM i;
      """, then: "SELECT 1")
    #expect(counts(copy) == ["n > N: 3000 of 3000", "n.parent_id > N.parent: 3000 of 3000"])
  }

  @Test func rowsAndLinksAreCopied() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE orders (number INTEGER PRIMARY KEY, customer_id INT NOT NULL REFERENCES customers, total REAL);
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, made_at DATETIME);
      CREATE TABLE tags (slug TEXT PRIMARY KEY);
      CREATE TABLE order_tags (order_number INT REFERENCES orders, tag_slug TEXT REFERENCES tags);
      INSERT INTO customers VALUES (7, 'Ada', '2024-05-02 10:01:12'), (8, 'Grace', NULL);
      INSERT INTO orders VALUES (1, 8, 2.5), (2, 7, NULL), (3, 7, 4);
      INSERT INTO tags VALUES ('new'), ('old');
      INSERT INTO order_tags VALUES (1, 'new'), (1, 'old'), (3, 'old');
      """,
      then: #"SELECT number, customer, total FROM "Order" ORDER BY number"#)
    #expect(
      counts(copy) == [
        "orders > Order: 3 of 3", "orders.customer_id > Order.customer: 3 of 3",
        "customers > Customer: 2 of 2", "tags > Tag: 2 of 2", "order_tags > Order.tags: 3 of 3",
      ])
    #expect(copy.isComplete, "\(copy.text)")
    #expect(rows == ["1 8 2.5", "2 7 NULL", "3 7 4.0"])
  }

  @Test func linkToMissingRowIsCountedAsNotCopied() async throws {
    let (copy, _) = try await copied(
      """
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent_id INT REFERENCES nodes);
      INSERT INTO nodes VALUES (1, 2), (2, NULL), (3, 99);
      """, then: "SELECT 1")
    #expect(counts(copy) == ["nodes > Node: 3 of 3", "nodes.parent_id > Node.parent: 1 of 2"])
    #expect(!copy.isComplete)
  }

  @Test func valueInvalidForItsTypeIsReported() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE events (id INTEGER PRIMARY KEY, at DATETIME);
      INSERT INTO events VALUES (1, 'soon'), (2, '2024-05-02');
      """, then: "SELECT at FROM Event ORDER BY id")
    #expect(counts(copy) == ["events > Event: 2 of 2"])
    #expect(copy.problemCount == 1)
    #expect(copy.text.contains("“soon” is not a valid Date"), "\(copy.text)")
    #expect(rows.first == "NULL")
  }

  @Test func valuesKeepTheirTypes() async throws {
    let (_, rows) = try await copied(
      """
      CREATE TABLE files (uuid UUID PRIMARY KEY, body BLOB, "a.b" JSON, size INT, ok BOOLEAN);
      INSERT INTO files VALUES (x'00112233445566778899aabbccddeeff', x'ff00', '{"x": [1]}', 9007199254740993, 1);
      CREATE TABLE parts (id INTEGER PRIMARY KEY, file UUID REFERENCES files);
      INSERT INTO parts VALUES (1, x'00112233445566778899aabbccddeeff');
      """,
      then: """
        SELECT hex(uuid), hex(body), aB ->> '$.x[0]', size, ok, (SELECT file = uuid FROM Part) FROM File
        """)
    #expect(rows == [#""00112233445566778899AABBCCDDEEFF" "FF00" 1 9007199254740993 1 1"#])
  }

  /// What the new store cannot have as it is in the file is reported, and nothing is cut off.
  @Test func valuesThatDoNotFitTheirColumnAreReported() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT, r REAL, b BLOB);
      INSERT INTO a VALUES (1, 'a' || char(0) || 'b', 1.5, 'text'), (2, x'00ff', 9e999, x'00ff');
      """, then: "SELECT hex(t), r, hex(b) FROM A ORDER BY id")
    #expect(rows == [#""610062" 1.5 "74657874""#, #""" NULL "00FF""#])
    #expect(copy.problemCount == 2 && !copy.isComplete)
  }

  /// Two references do not make a join table of a table whose rows have identities, or to which others refer.
  @Test func tableWithIdentityIsNotAJoinTable() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY);
      CREATE TABLE rooms (id INTEGER PRIMARY KEY);
      CREATE TABLE bookings (id INTEGER PRIMARY KEY, user_id INT REFERENCES users, room_id INT REFERENCES rooms);
      CREATE TABLE payments (id INTEGER PRIMARY KEY, booking_id INT REFERENCES bookings, shop_id INT REFERENCES shops);
      INSERT INTO users VALUES (1);
      INSERT INTO rooms VALUES (5);
      INSERT INTO bookings VALUES (100, 1, 5), (101, 1, 5), (102, 1, NULL);
      INSERT INTO payments VALUES (1, 102, 7);
      """, then: "SELECT id, user, room FROM Booking UNION ALL SELECT id, booking, shopID FROM Payment")
    #expect(rows == ["100 1 5", "101 1 5", "102 1 NULL", "1 102 7"])
    #expect(copy.isComplete)
  }

  @Test func realDecimalAndBlobKeysAreCopied() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE a (id REAL PRIMARY KEY, n INT);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a_id REAL REFERENCES a);
      INSERT INTO a VALUES (1.5, 1), (2.0, 2), (1e300, 3);
      INSERT INTO b VALUES (1, 1e300), (2, 2);
      CREATE TABLE c (id DECIMAL(10,0) PRIMARY KEY);
      CREATE TABLE d (id BLOB PRIMARY KEY, c_id INT REFERENCES c);
      CREATE TABLE e (id INTEGER PRIMARY KEY, d_id BLOB REFERENCES d);
      INSERT INTO c VALUES (2);
      INSERT INTO d VALUES (x'00ff11fe', 2);
      INSERT INTO e VALUES (1, x'00ff11fe');
      """,
      then: """
        SELECT id FROM A UNION ALL SELECT a FROM B UNION ALL SELECT c FROM D UNION ALL SELECT d FROM E
        """)
    #expect(
      rows == [#""1.5""#, #""1e+300""#, #""2""#, #""1e+300""#, #""2""#, #""2""#, #""AP8R/g==""#])
    #expect(copy.isComplete, "\(copy.text)")
  }

  @Test func keysWithNULAreCopiedOnce() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, n INT) WITHOUT ROWID;
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4100)
      INSERT INTO t SELECT 'a' || char(0) || printf('%05d', x), x FROM n;
      """, then: "SELECT count(*), sum(n) FROM T")
    #expect(rows == ["4100 8407050"])
    #expect(copy.isComplete, "\(copy.text)")
  }

  /// The last row of the first chunk has an empty string, or a key that differs from the next one only in case.
  @Test func chunkOfRowsMayEndWithAnyKey() async throws {
    let (copy, _) = try await copied(
      """
      CREATE TABLE stock (shop INT NOT NULL, sku TEXT NOT NULL, PRIMARY KEY (shop, sku)) WITHOUT ROWID;
      WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 1999)
      INSERT INTO stock SELECT 0, 'a' || n FROM t;
      INSERT INTO stock VALUES (1, ''), (1, 'a'), (1, 'b');
      CREATE TABLE words (word TEXT COLLATE NOCASE, PRIMARY KEY (word COLLATE BINARY)) WITHOUT ROWID;
      WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 1999)
      INSERT INTO words SELECT 'A' || n FROM t;
      INSERT INTO words VALUES ('B'), ('b');
      """, then: "SELECT 1")
    #expect(counts(copy) == ["stock > Stock: 2002 of 2002", "words > Word: 2001 of 2001"])
    #expect(copy.isComplete, "\(copy.text)")
  }

  @Test func aTableWithoutReadableIdentitiesIsLeftOut() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE a (id TEXT PRIMARY KEY);
      CREATE TABLE b (id INTEGER PRIMARY KEY);
      INSERT INTO a VALUES (NULL);
      INSERT INTO b VALUES (1);
      """, then: "SELECT id FROM B")
    #expect(rows == ["1"])
    #expect(counts(copy) == ["a > A: 0 of 1", "b > B: 1 of 1"])
    #expect(copy.problems.first?.contains("no row has an identity") == true)
  }

  @Test func rowsMergedByEqualIdentityAreReported() async throws {
    let (copy, _) = try await copied(
      """
      CREATE TABLE a (id TEXT PRIMARY KEY, n INT);
      INSERT INTO a VALUES ('a', 1), (x'61', 2), ('b', 3), (x'62', 4);
      """, then: "SELECT 1")
    #expect(copy.problems == ["2 rows have the same identity as another row of a, and were merged with it."])
    #expect(copy.problemCount == 1 && !copy.isComplete)
    #expect(counts(copy) == ["a > A: 2 of 4"])
  }

  @Test func duplicateLinksAreCountedAsNotCopied() async throws {
    let (copy, _) = try await copied(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY);
      CREATE TABLE posts (id INTEGER PRIMARY KEY);
      CREATE TABLE views (user_id INT REFERENCES users, post_id INT REFERENCES posts);
      INSERT INTO users VALUES (1);
      INSERT INTO posts VALUES (1);
      INSERT INTO views VALUES (1, 1), (1, 1), (1, NULL);
      """, then: "SELECT 1")
    #expect(counts(copy).contains("views > User.posts: 1 of 3"))
    #expect(!copy.isComplete)
  }

  /// Where no column identifies a row, its number does.
  @Test func columnsNamedLikeRelationshipKeysKeepTheirValues() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, profile_id TEXT, task_ids TEXT, tags TEXT);
      CREATE TABLE profiles (id INTEGER PRIMARY KEY, person_id INT UNIQUE REFERENCES people);
      CREATE TABLE tasks (id INTEGER PRIMARY KEY, person_id INT REFERENCES people);
      CREATE TABLE tags (id INTEGER PRIMARY KEY);
      CREATE TABLE people_tags (person_id INT REFERENCES people, tag_id INT REFERENCES tags);
      INSERT INTO people VALUES (1, 'c', '[7]', 'd');
      INSERT INTO profiles VALUES (5, 1);
      INSERT INTO tasks VALUES (6, 1);
      INSERT INTO tags VALUES (7);
      INSERT INTO people_tags VALUES (1, 7);
      """,
      then:
        "SELECT profileID, taskIDs, tags, profile2 FROM Person UNION ALL SELECT id, person, '', '' FROM Task")
    #expect(rows == [#""c" "[7]" "d" 5"#, #"6 1 "" """#], "\(copy.text)")
    #expect(copy.isComplete, "\(copy.text)")
  }

  /// A key is read in both styles, so no schema can tell these columns apart.
  @Test func columnDifferingOnlyInKeyStyleIsReported() async throws {
    let (copy, rows) = try await copied(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, createdAt TEXT, created_at TEXT);
      INSERT INTO people VALUES (1, 'a', 'b');
      """, then: "SELECT createdAt FROM Person")
    #expect(rows == [#""a""#])
    #expect(copy.problems == ["Left out: the column people.created_at."])
    #expect(!copy.isComplete)
  }

  @Test func rowsWithoutIdentityAreIdentifiedByRowID() async throws {
    let (copy, rows) = try await copied(
      "CREATE TABLE log (line TEXT); INSERT INTO log VALUES ('a'), ('a'), ('b');",
      then: "SELECT id, line FROM Log ORDER BY id")
    #expect(copy.isComplete, "\(copy.text)")
    #expect(rows == [#"1 "a""#, #"2 "a""#, #"3 "b""#])
  }

  @Test func tablesAreCopiedInChunks() async throws {
    let (copy, _) = try await copied(
      """
      CREATE TABLE stock (shop INT NOT NULL, sku TEXT NOT NULL, n INT, PRIMARY KEY (shop, sku)) WITHOUT ROWID;
      WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 4001)
      INSERT INTO stock SELECT n % 7, 'sku' || n, n FROM t;
      CREATE TABLE items (id INTEGER PRIMARY KEY, before INT REFERENCES items);
      WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 4001)
      INSERT INTO items SELECT n, 4002 - n FROM t;
      """, then: "SELECT 1")
    #expect(
      counts(copy) == [
        "stock > Stock: 4001 of 4001", "items > Item: 4001 of 4001",
        "items.before > Item.before: 4001 of 4001",
      ])
    #expect(copy.isComplete, "\(copy.text)")
  }

  @Test func aFileThatExistsIsNotReplaced() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let old = folder.appending(path: "old.sqlite")
    try Self.make(old, "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    await #expect(throws: SQLiteCopy.Failure.self) { try await SQLiteCopy(of: old.path, to: old) }
  }

  @Test func aFileThatIsNoDatabaseLeavesNoStore() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (old, new) = (folder.appending(path: "old.sqlite"), folder.appending(path: "new.sqlite"))
    try Data(String(repeating: "no database ", count: 50).utf8).write(to: old)
    await #expect(throws: (any Error).self) { try await SQLiteCopy(of: old.path, to: new) }
    #expect(!FileManager.default.fileExists(atPath: new.path))
  }
}

import SynclineTooling
import TestSupport
import Testing

/// Importing the files of Core Data and SwiftData, which have the names and types that these write.
@Suite struct CoreDataImportTests {
  private static let bookkeeping = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    """

  private func copied(_ sql: String, then query: String) async throws -> (SQLiteCopy, [String]) {
    try await SQLiteCopyTests().copied(Self.bookkeeping + sql, then: query)
  }

  private func proposal(_ sql: String) throws -> String {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let file = try folder.file()
    try SQLiteCopyTests.make(file, Self.bookkeeping + sql)
    return try SQLiteImport(file.path).text
  }

  @Test func entitiesAttributesAndRelationshipsAreNamed() async throws {
    let sql = """
      CREATE TABLE ZPROJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER, ZNAME VARCHAR);
      CREATE TABLE ZTODOITEM (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISDONE INTEGER, ZRATING INTEGER, ZMAINPROJECT INTEGER,
        Z_FOK_MAINPROJECT INTEGER, ZCREATEDAT TIMESTAMP, ZPRICE DECIMAL, ZWEIGHT FLOAT, ZTITLE VARCHAR, ZID BLOB, ZPHOTO BLOB);
      CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER, ZNAME VARCHAR);
      CREATE TABLE Z_2TAGS (Z_2TODOS INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2TODOS, Z_3TAGS));
      CREATE INDEX ZTODOITEM_ZMAINPROJECT_INDEX ON ZTODOITEM (ZMAINPROJECT);
      CREATE UNIQUE INDEX Z_TodoItem_UNIQUE_id ON ZTODOITEM (ZID);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Project', 0, 2), (2, 'TodoItem', 0, 2), (3, 'Tag', 0, 1);
      INSERT INTO ZPROJECT VALUES (1, 1, 1, 10, 'Home'), (2, 1, 1, 11, 'Work');
      INSERT INTO ZTODOITEM VALUES
        (1, 2, 1, 0, 1, 2, 7, 736000000.5, 12.5, 4.5, 'Milk', x'0123456789ABCDEF0123456789ABCDEF', x'FFD8'),
        (2, 2, 3, 1, 5, NULL, 0, 736000100, 1, 1, NULL, x'1123456789ABCDEF0123456789ABCDEF', NULL);
      INSERT INTO ZTAG VALUES (1, 3, 1, 7, 'urgent'), (5, 3, 1, 8, 'old');
      INSERT INTO Z_2TAGS VALUES (1, 1), (2, 1), (2, 5);
      """
    let (copy, rows) = try await copied(
      sql,
      then: """
        SELECT title, isDone, mainproject, createdAt, price, weight, hex(photo),
          (SELECT group_concat("source", ',') FROM "Tag.todoItems" WHERE "target" = TodoItem.id) FROM TodoItem
        """)
    #expect(
      try proposal(sql) == """
        // Core Data stores names in uppercase only: check the case of names that have several words.

        model Project {
          id: Int
          name: String?
          @Relationship(inverse: \\TodoItem.mainproject) todoItems: [TodoItem]
        }

        model TodoItem {
          isDone: Bool?
          rating: Int?
          mainproject: Project?
          createdAt: Date?
          price: Decimal?
          weight: Double?
          title: String?
          id: UUID
          photo: Data?
          // In the file these are the rows of TodoItem_tags.
          @Relationship(inverse: \\Tag.todoItems) tags: [Tag]
        }

        model Tag {
          id: Int
          name: String?
          @Relationship(inverse: \\TodoItem.tags) todoItems: [TodoItem]
        }

        """)
    #expect(copy.isComplete, "\(copy.text)")
    #expect(
      rows == [
        #""Milk" 0 11 "2024-04-28 12:26:40.500" "12.5" 4.5 "FFD8" "7""#,
        #"NULL 1 NULL "2024-04-28 12:28:20.000" "1" 1.0 "" "7,8""#,
      ])
  }

  /// Without an identity of their own, objects have their row number. Entities that inherit share a table.
  @Test func rowNumbersIdentifyObjectsWithoutAnIdentity() async throws {
    let sql = """
      CREATE TABLE ZNODE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, ZOWNER INTEGER, ZID INTEGER);
      CREATE TABLE Z_1FRIENDS (Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE));
      CREATE INDEX ZNODE_ZPARENT_INDEX ON ZNODE (ZPARENT);
      CREATE INDEX ZNODE_ZOWNER_INDEX ON ZNODE (ZOWNER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Node', 0, 3), (2, 'Leaf', 1, 0), (3, NULL, 9, 0);
      INSERT INTO ZNODE VALUES (1, 1, 1, NULL, 40, 5), (2, 2, 1, 1, NULL, 5), (3, 2, 1, 1, 41, NULL);
      INSERT INTO Z_1FRIENDS VALUES (2, 3);
      """
    let (copy, rows) = try await copied(sql, then: "SELECT pk, entity, parent, owner FROM Node")
    #expect(copy.isComplete, "\(copy.text)")
    #expect(rows == [#"1 "Node" NULL 40"#, #"2 "Leaf" 1 NULL"#, #"3 "Leaf" 1 41"#])
    let text = try proposal(sql)
    #expect(text.contains("@PrimaryKey pk: Int"))
    #expect(text.contains("whose values are row numbers: Node.owner."))
  }

  /// Only the first issue has comments, so the row numbers could be the values of a flag.
  @Test func relationshipThatBeginsLikeAFlagIsNotAFlag() async throws {
    let sql = """
      CREATE TABLE ZISSUE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
      CREATE TABLE ZCOMMENT (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISSUE INTEGER, ZHASPHOTO INTEGER, ZTEXT VARCHAR);
      CREATE INDEX ZCOMMENT_ZISSUE_INDEX ON ZCOMMENT (ZISSUE);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Issue', 0, 1), (2, 'Comment', 0, 2);
      INSERT INTO ZISSUE VALUES (1, 1, 1, 'A');
      INSERT INTO ZCOMMENT VALUES (1, 2, 1, 1, 0, 'x'), (2, 2, 1, 1, 1, 'y');
      """
    let (copy, rows) = try await copied(sql, then: "SELECT issue, hasPhoto, text FROM Comment ORDER BY pk")
    #expect(copy.isComplete, "\(copy.text)")
    #expect(rows == [#"1 0 "x""#, #"1 1 "y""#])
    let text = try proposal(sql)
    #expect(text.contains("  issue: Issue?\n") && text.contains("  hasPhoto: Bool?\n"), "\(text)")
  }

  @Test func valuesOfOtherTypesInCoreDataTablesDoNotTrap() throws {
    let text = try proposal(
      """
      DROP TABLE Z_PRIMARYKEY;
      CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER);
      CREATE TABLE ZTASK (Z_PK INTEGER PRIMARY KEY, ZID, ZAT TIMESTAMP, ZWHAT UNKNOWN);
      INSERT INTO Z_PRIMARYKEY VALUES ('a', 'B', 1), (1, x'00', 2), (2, 'Task', 'x'), (3, 'Gone', 2.5), (NULL, NULL, NULL);
      INSERT INTO ZTASK VALUES (1, x'FF', 'soon', 2), (2, 7, NULL, 'w');
      """)
    #expect(text.contains("model Task {"), "\(text)")
  }

  /// A file that only has a table of the same name is imported like any other.
  @Test func tablesNamedLikeThoseOfCoreDataAreImportedAsTheyAre() async throws {
    let (_, rows) = try await SQLiteCopyTests().copied(
      "CREATE TABLE Z_PRIMARYKEY (id INTEGER PRIMARY KEY); CREATE TABLE ZTASK (id INTEGER PRIMARY KEY, at TIMESTAMP);"
        + "INSERT INTO ZTASK VALUES (1, 0)", then: "SELECT at FROM Ztask")
    #expect(rows == [#""1970-01-01 00:00:00.000""#])
  }
}

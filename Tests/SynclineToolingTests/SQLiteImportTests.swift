import Foundation
import Syncline
import SynclineTooling
import Testing

/// What is proposed for the tables of an SQLite file.
@Suite struct SQLiteImportTests {
  private func schema(of sql: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "old.sqlite").path
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    let before = try Data(contentsOf: URL(filePath: path))
    let text = try SQLiteImport(path).text
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    _ = try TextStore.schema(text)
    return text
  }

  @Test func tablesAreModels() throws {
    let sql = """
      CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, full_name VARCHAR(80),
        is_active BOOLEAN NOT NULL DEFAULT 1, created_at DATETIME NOT NULL, balance DECIMAL(10,2) NOT NULL DEFAULT 0);
      CREATE TABLE profiles (id TEXT PRIMARY KEY,
        customer_id INTEGER NOT NULL UNIQUE REFERENCES customers(id) ON DELETE CASCADE, avatar BLOB, description TEXT);
      CREATE TABLE orders (number INTEGER PRIMARY KEY,
        customer_id INTEGER REFERENCES customers(id) ON DELETE CASCADE, state TEXT NOT NULL DEFAULT 'it''s',
        placed_at DATETIME, total REAL DEFAULT 0.5);
      CREATE INDEX orders_state ON orders(state, placed_at);
      CREATE TABLE tags (slug TEXT PRIMARY KEY);
      CREATE TABLE order_tags (order_number INTEGER REFERENCES orders(number), tag_slug TEXT REFERENCES tags(slug),
        PRIMARY KEY (order_number, tag_slug));
      CREATE TABLE messages (id INTEGER PRIMARY KEY, sender_id INTEGER REFERENCES customers(id),
        receiver_id INTEGER NOT NULL REFERENCES customers(id), parent_id INTEGER REFERENCES messages(id), text);
      CREATE TABLE stock (shop TEXT, sku, amount INT NOT NULL, PRIMARY KEY (shop, sku));
      CREATE TABLE log (line TEXT);
      CREATE VIRTUAL TABLE search USING fts5(text);
      CREATE VIEW names AS SELECT full_name FROM customers;
      """
    #expect(
      try schema(of: sql) == """
        // Left out, because they are views or virtual tables: search, names.

        model Customer {
          id: Int
          @Unique email: String
          fullName: String?
          isActive: Bool = true
          createdAt: Date
          balance: Decimal = 0
          @Relationship(inverse: \\Profile.customer) profile: Profile?
          @Relationship(inverse: \\Order.customer, deleteRule: .cascade) orders: [Order]
        }

        model Profile {
          id: String
          customer: Customer
          avatar: Data?
          @RemoteKey("description") descriptionText: String?
        }

        @Index(\\.state, \\.placedAt) model Order {
          @PrimaryKey number: Int
          customer: Customer?
          state: String = "it's"
          placedAt: Date?
          total: Double? = 0.5
          // In the file these are the rows of order_tags.
          @Relationship(inverse: \\Tag.orders) tags: [Tag]
        }

        model Tag {
          @PrimaryKey slug: String
          @Relationship(inverse: \\Order.tags) orders: [Order]
        }

        model Message {
          id: Int
          @Relationship(inverse: nil) sender: Customer?
          @Relationship(inverse: nil) receiver: Customer
          @Relationship(inverse: nil) parent: Message?
          text: JSON?
        }

        @PrimaryKey(\\.shop, \\.sku) model Stock {
          shop: String
          // In the file it is of no type, which cannot be an identity.
          sku: String
          amount: Int
        }

        // No column identifies a row: “id” is a placeholder to replace.
        model Log {
          id: Int
          line: String?
        }

        """)
  }

  @Test func listsHavePluralNames() throws {
    let text = try schema(
      of: """
        CREATE TABLE Country (id INTEGER PRIMARY KEY);
        CREATE TABLE City (id INTEGER PRIMARY KEY, country_id INT REFERENCES Country);
        CREATE TABLE person (id INTEGER PRIMARY KEY, country_id INT REFERENCES Country);
        CREATE TABLE news (id INTEGER PRIMARY KEY, country_id INT REFERENCES Country);
        CREATE TABLE addresses (id INTEGER PRIMARY KEY, country_id INT REFERENCES Country);
        """)
    for list in ["cities: [City]", "people: [Person]", "news: [News]", "addresses: [Address]"] {
      #expect(text.contains(") \(list)\n"), "\(text)")
    }
  }

  @Test func tablesOfFrameworksAreLeftOut() throws {
    #expect(
      try schema(
        of: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          CREATE TABLE "__EFMigrationsHistory" (MigrationId TEXT PRIMARY KEY);
          CREATE TABLE migrations (id INTEGER PRIMARY KEY, bird TEXT);
          """) == """
          // Left out, because they contain data of frameworks: grdb_migrations, __EFMigrationsHistory.

          model Migration {
            id: Int
            bird: String?
          }

          """)
  }

  @Test func defaultsAndForeignKeysThatAreDroppedGetAComment() throws {
    #expect(
      try schema(
        of: """
          CREATE TABLE shelves (room TEXT NOT NULL, number INT NOT NULL, PRIMARY KEY (room, number));
          CREATE TABLE authors (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
          CREATE TABLE books (id INTEGER PRIMARY KEY, made_at DATETIME DEFAULT CURRENT_TIMESTAMP, room TEXT, number INT,
            author_email TEXT REFERENCES authors(email), pages INT DEFAULT (2 * 3),
            FOREIGN KEY (room, number) REFERENCES shelves);
          """) == #"""
          @PrimaryKey(\.room, \.number) model Shelf {
            room: String
            number: Int
          }

          model Author {
            id: Int
            @Unique email: String?
          }

          // Left out: the foreign key (room, number) to shelves.
          model Book {
            id: Int
            // The default CURRENT_TIMESTAMP is left out.
            madeAt: Date?
            room: String?
            number: Int?
            // In the file it refers to authors.email, which is not the identity.
            authorEmail: String?
            // The default 2 * 3 is left out.
            pages: Int?
          }

          """#)
  }

  /// A default that is computed, or a number in a form that schemas do not have, gets a comment and changes nothing else.
  @Test func onlyLiteralsAreDefaults() throws {
    let text = try schema(
      of: #"""
        CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT DEFAULT ('a' || 'b'), note TEXT DEFAULT ('it''s'),
          rate REAL DEFAULT -.5, low REAL DEFAULT -0.5, mask REAL DEFAULT 0x10);
        """#)
    #expect(
      text == #"""
        model Thing {
          id: Int
          // The default 'a' || 'b' is left out.
          name: String?
          note: String? = "it's"
          // The default -.5 is left out.
          rate: Double?
          low: Double? = -0.5
          // The default 0x10 is left out.
          mask: Double?
        }

        """#)
  }

  /// The names of the lists of a table to which many refer do not depend on each other.
  @Test func listsOfManyReferencingTablesGetUniqueNames() throws {
    let tables = (1...60).map {
      "CREATE TABLE item_\($0) (id INTEGER PRIMARY KEY, user_id INT REFERENCES users);"
    }
    let text = try schema(
      of: "CREATE TABLE users (id INTEGER PRIMARY KEY, item_7s TEXT);" + tables.joined())
    #expect(text.contains(#"@Relationship(inverse: \Item8.user) item8s: [Item8]"#), "\(text)")
    #expect(text.contains(#"@Relationship(inverse: \Item7.user) item7s2: [Item7]"#), "\(text)")
  }

  @Test func columnsWithoutATypeHaveTheTypeOfTheirValues() throws {
    #expect(
      try schema(
        of: """
          CREATE TABLE things (code PRIMARY KEY, amount, price, mixed, empty);
          INSERT INTO things VALUES ('a', 1, 1.5, 'x', NULL), ('b', NULL, 2, 3, NULL);
          """) == """
          model Thing {
            @PrimaryKey code: String
            // In the file it has no type; this is the type of its values.
            amount: Int?
            // In the file it has no type; this is the type of its values.
            price: Double?
            mixed: JSON?
            empty: JSON?
          }

          """)
  }

  @Test func sqlWithoutSchemaEquivalentGetsAComment() throws {
    let text = try schema(
      of: """
        CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, size INT, twice INT GENERATED ALWAYS AS (size * 2) STORED);
        CREATE UNIQUE INDEX by_name ON users (lower(name));
        CREATE TABLE settings (user_id INTEGER PRIMARY KEY REFERENCES users, theme_id INT REFERENCES themes);
        """)
    #expect(text.contains("// Left out: the index by_name, which has an expression."), "\(text)")
    #expect(text.contains("// In the file it is computed from other columns.\n  twice: Int?"), "\(text)")
    #expect(text.contains("// In the file it is also the key of a row of users."), "\(text)")
  }

  @Test func partialUniqueIndexAddsNoUniqueAttribute() throws {
    let text = try schema(
      of: """
        CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT, deleted_at DATETIME);
        CREATE UNIQUE INDEX living ON users (email) WHERE deleted_at IS NULL;
        """)
    #expect(!text.contains("@Unique"), "\(text)")
  }

  @Test func columnNameWithDotIsQuotedAsOneKey() throws {
    let text = try schema(of: #"CREATE TABLE t (id INTEGER PRIMARY KEY, "a.b" TEXT)"#)
    #expect(text.contains(##"@RemoteKey(#""a.b""#) aB: String?"##), "\(text)")
  }

  /// Names that are words of Swift or of schemas, references to nothing, and to what is there twice.
  @Test func unusualNamesGiveACompilingSchema() throws {
    let text = try schema(
      of: """
        CREATE TABLE "class" ("self" INTEGER PRIMARY KEY, "a.b" TEXT, "é" INT, "" TEXT, "x y" DATE, "init" REFERENCES "nothing"(id));
        CREATE TABLE "String" (uuid UUID PRIMARY KEY, string_id REFERENCES "String"(uuid), other REFERENCES "class"("self"));
        CREATE TABLE classes (id DOUBLE PRIMARY KEY, hash_value TEXT, sync_id INT UNIQUE);
        CREATE TABLE friends (id INTEGER PRIMARY KEY, a INT REFERENCES "class", b INT REFERENCES "class");
        CREATE TABLE wide (id INTEGER PRIMARY KEY, made GENERATED ALWAYS AS (id * 2) VIRTUAL, n INT DEFAULT (1 + 2));
        CREATE TABLE [a "b"] (id INTEGER PRIMARY KEY);
        CREATE TABLE plain (id INTEGER PRIMARY KEY, n INT);
        CREATE INDEX [n"] ON plain (n);
        """)
    #expect(text.contains("model Class"))
    #expect(text.contains(#"// Left out: the table "a \"b\"", because its name or"#), "\(text)")
    #expect(
      text.contains(#"// Left out: the table "plain", because"#) && !text.contains("model Plain"), "\(text)")
  }

  @Test func emptyOrInvalidDatabaseGivesNoModels() throws {
    #expect(try schema(of: "SELECT 1").contains("The file has no tables to import."))
    let file = FileManager.default.temporaryDirectory.appending(path: "no-store-\(UUID())")
    try Data(
      "{}, which is no store, but long enough to have a header of a hundred bytes or more, as SQLite reads it. "
        .utf8
    )
    .write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(throws: (any Error).self) { try SQLiteImport(file.path) }
  }
}

import Testing

@testable import Syncline

/// Properties that come, go, and change.
@Suite struct PropertyEvolutionTests {
  @Test func anOptionalPropertyIsAdded() throws {
    let store = try EvolvingStore("model Task { id: Int; title: String }", "INSERT INTO Task VALUES (1, 'a')")
    let evolution = try store.evolve(to: "model Task { id: Int; title: String; note: String? }")
    #expect(evolution.changes.map(\.description) == ["Task.note is new, String?"])
    #expect(evolution.statements == [#"ALTER TABLE "Task" ADD COLUMN "note" TEXT"#])
    #expect(try store.rows("SELECT * FROM Task") == ["1|a|-"])
  }

  @Test func aPropertyWithADefaultIsAdded() throws {
    let store = try EvolvingStore("model Task { id: Int }", "INSERT INTO Task VALUES (1)")
    try store.evolve(
      to: #"model Task { id: Int; level: Int = 3; name: String? = "it's" }"#,
      defaults: ["Task.level": "3", "Task.name": "'it''s'"])
    #expect(try store.rows("SELECT * FROM Task") == ["1|3|it's"])
  }

  @Test func aRequiredPropertyWithoutADefaultIsRefusedWhereThereAreRows() throws {
    let store = try EvolvingStore("model Task { id: Int }", "INSERT INTO Task VALUES (1), (2)")
    #expect(
      try store.refusal(of: "model Task { id: Int; level: Int }") == """
        Task.level is new, required and without a default, but there are 2 rows of Task. Make it optional, give it a default, \
        or add the column "level" and fill it in `beforeEvolution`
        """)
    try store.execute("DELETE FROM Task")
    try store.evolve(to: "model Task { id: Int; level: Int }")
  }

  @Test func evolutionStepFillsARequiredProperty() throws {
    let store = try EvolvingStore(
      "model Person { id: Int; name: String }", "INSERT INTO Person VALUES (1, 'Ada Lovelace'), (2, 'Plato')")
    var configuration = SyncConfiguration()
    configuration.beforeEvolution = { db, schema in
      #expect(schema.model("Person")?.property("name")?.type == "String")
      try db.execute(
        sql: """
          ALTER TABLE Person ADD COLUMN firstName TEXT;
          ALTER TABLE Person ADD COLUMN lastName TEXT;
          UPDATE Person SET firstName = substr(name, 1, instr(name || ' ', ' ') - 1),
            lastName = substr(name, instr(name || ' ', ' ') + 1);
          """)
    }
    configuration.afterEvolution = { db, _ in
      try db.execute(sql: "UPDATE Person SET lastName = '?' WHERE lastName = ''")
    }
    let evolution = try store.evolve(
      to: "model Person { id: Int; firstName: String; lastName: String }", configuration)
    #expect(evolution.rebuiltTables == ["Person"])
    #expect(
      try store.rows("SELECT id, firstName, lastName FROM Person") == ["1|Ada|Lovelace", "2|Plato|?"])
  }

  @Test func aPropertyIsDropped() throws {
    let store = try EvolvingStore(
      "@Index(\\.note, \\.id) model Task { id: Int; title: String; note: String? }",
      "INSERT INTO Task VALUES (1, 'a', 'b')")
    let evolution = try store.evolve(to: "model Task { id: Int; title: String }")
    #expect(
      evolution.changes.map(\.description) == [
        "Task.note is dropped, with its values", "Task no longer has an index of note, id",
      ])
    #expect(evolution.rebuiltTables == [])
    #expect(try store.rows("SELECT * FROM Task") == ["1|a"])
  }

  @Test func aPropertyIsRenamed() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; @Index title: String }", "INSERT INTO Task VALUES (1, 'a')")
    let evolution = try store.evolve(
      to: #"model Task { id: Int; @Index @RenamedFrom("title") name: String }"#)
    #expect(evolution.statements == [#"ALTER TABLE "Task" RENAME COLUMN "title" TO "name""#])
    #expect(try store.rows("SELECT name FROM Task") == ["a"])
  }

  @Test func twoPropertiesSwapTheirNamesOnce() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; a: String; b: String }", "INSERT INTO Task VALUES (1, 'was a', 'was b')")
    let swapped = #"model Task { id: Int; @RenamedFrom("b") a: String; @RenamedFrom("a") b: String }"#
    try store.evolve(to: swapped)
    #expect(try store.rows("SELECT a, b FROM Task") == ["was b|was a"])
    // An unrelated version after it does not swap again.
    try store.evolve(
      to: #"model Task { id: Int; @RenamedFrom("b") a: String; @RenamedFrom("a") b: String; c: Int? }"#)
    #expect(try store.rows("SELECT a, b FROM Task") == ["was b|was a"])
  }

  @Test func threePropertiesRotateTheirNames() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; a: String; b: String; c: String }", "INSERT INTO Task VALUES (1, 'a', 'b', 'c')")
    try store.evolve(
      to:
        #"model Task { id: Int; @RenamedFrom("c") a: String; @RenamedFrom("a") b: String; @RenamedFrom("b") c: String }"#
    )
    #expect(try store.rows("SELECT a, b, c FROM Task") == ["c|a|b"])
  }

  @Test func chainedPropertyRenamesAreAppliedTogether() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; a: String; b: String }", "INSERT INTO Task VALUES (1, 'a', 'b')")
    try store.evolve(to: #"model Task { id: Int; @RenamedFrom("a") b: String; @RenamedFrom("b") c: String }"#)
    #expect(try store.rows("SELECT b, c FROM Task") == ["a|b"])
  }

  @Test func aPropertyTakesTheNameOfOneThatIsDropped() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; title: String; name: String }", "INSERT INTO Task VALUES (1, 'title', 'name')")
    try store.evolve(to: #"model Task { id: Int; @RenamedFrom("name") title: String }"#)
    #expect(try store.rows("SELECT * FROM Task") == ["1|name"])
  }

  @Test func formerNameOfAPropertyIsReused() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; title: String }", "INSERT INTO Task VALUES (1, 'a')")
    try store.evolve(to: #"model Task { id: Int; @RenamedFrom("title") name: String }"#)
    try store.evolve(to: "model Task { id: Int; name: String; title: String? }")
    #expect(try store.rows("SELECT name, title FROM Task") == ["a|-"])
    // And back.
    let other = try EvolvingStore(
      "model Task { id: Int; title: String }", "INSERT INTO Task VALUES (1, 'a')")
    try other.evolve(to: #"model Task { id: Int; @RenamedFrom("title") name: String }"#)
    try other.evolve(to: #"model Task { id: Int; @RenamedFrom("name") title: String; note: Int? }"#)
    #expect(try other.rows("SELECT title FROM Task") == ["a"])
  }

  @Test func propertyIsRenamedOnlyInLetterCase() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; URL: String }", "INSERT INTO Task VALUES (1, 'a')")
    try store.evolve(to: #"model Task { id: Int; @RenamedFrom("URL") url: String }"#)
    #expect(try store.rows("SELECT url FROM Task") == ["a"])
    try store.evolve(to: "model Task { id: Int; Url: String }")
    #expect(try store.rows("SELECT Url FROM Task") == ["a"])
  }

  @Test func formerNamesAreTriedAndTwoMatchesAreRefused() throws {
    let text = #"model Task { id: Int; @RenamedFrom("title", "label") name: String? }"#
    let store = try EvolvingStore("model Task { id: Int; label: String }", "INSERT INTO Task VALUES (1, 'a')")
    try store.evolve(to: text)
    #expect(try store.rows("SELECT name FROM Task") == ["a"])
    let both = try EvolvingStore(
      "model Task { id: Int; title: String; label: String }", "INSERT INTO Task VALUES (1, 'a', 'b')")
    #expect(
      try both.refusal(of: text)
        == "Task.name was renamed from “title” and from “label”, and the store has both")
  }

  // MARK: Optional and required

  @Test func aRequiredPropertyBecomesOptional() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; @Index title: String }", "INSERT INTO Task VALUES (1, 'a')")
    let evolution = try store.evolve(to: "model Task { id: Int; @Index title: String? }")
    #expect(evolution.rebuiltTables == ["Task"])
    try store.execute("INSERT INTO Task VALUES (2, NULL)")
    #expect(try store.rows("SELECT * FROM Task") == ["1|a", "2|-"])
  }

  @Test func rebuildWithUnchangedColumnsCopiesTheWholeTable() throws {
    let store = try EvolvingStore("model Task { id: Int; title: String; n: Int }")
    let evolution = try store.evolve(to: "model Task { id: Int; title: String?; n: Int }")
    #expect(evolution.statements[1] == #"INSERT INTO "syncline_former_1" SELECT * FROM "Task""#)
  }

  @Test func optionalPropertyBecomesRequiredIfAllRowsHaveAValue() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; title: String? }", "INSERT INTO Task VALUES (1, 'a'), (2, NULL)")
    #expect(
      try store.refusal(of: "model Task { id: Int; title: String }") == """
        Task.title is required, but 1 row has no value, the first is Task 2. Keep it optional, give it a default, \
        or fill them in `beforeEvolution`
        """)
    try store.execute("UPDATE Task SET title = 'b' WHERE id = 2")
    try store.evolve(to: "model Task { id: Int; title: String }")
    #expect(try store.rows("SELECT * FROM Task") == ["1|a", "2|b"])
  }

  @Test func aDefaultFillsTheRowsWithoutAValue() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; title: String? }", "INSERT INTO Task VALUES (1, 'a'), (2, NULL)")
    try store.evolve(to: #"model Task { id: Int; title: String = "-" }"#, defaults: ["Task.title": "'?'"])
    #expect(try store.rows("SELECT * FROM Task") == ["1|a", "2|?"])
  }

  // MARK: Types

  @Test func anIntegerIsWidenedWithoutTouchingTheTable() throws {
    let store = try EvolvingStore("model Task { id: Int; n: Int8 }", "INSERT INTO Task VALUES (1, 7)")
    let evolution = try store.evolve(to: "model Task { id: Int; n: Int }")
    #expect(evolution.changes.map(\.description) == ["Task.n was Int8 and is Int"])
    #expect(evolution.statements == [])
    try store.evolve(to: "enum Level: Int { case low = 1 } model Task { id: Int; n: Level }")
    #expect(try store.rows("SELECT * FROM Task") == ["1|7"])
  }

  @Test func integerTypeIsNarrowedIfAllValuesFit() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; n: Int }", "INSERT INTO Task VALUES (1, 7), (17, 300), (18, 301), (19, -129)")
    #expect(
      try store.refusal(of: "model Task { id: Int; n: Int8 }") == """
        Task.n: 3 values cannot be converted to Int8, the first is 300 (Task 17). Keep the type, or change them in `beforeEvolution`
        """)
    try store.execute("DELETE FROM Task WHERE id > 1")
    try store.evolve(to: "model Task { id: Int; n: Int8 }")
  }

  @Test(arguments: [
    ("Int", "7", "Double", "7.0"), ("Int", "-3", "String", "-3"),
    ("Double", "0.1 + 0.2", "String", "0.30000000000000004"),
    ("Double", "2.0", "Int", "2"), ("String", "'42'", "Int", "42"), ("String", "'a'", "URL", "a"),
    ("Bool", "1", "String", "true"), ("Int", "1", "Bool", "1"), ("Decimal", "'0.1'", "Double", "0.1"),
    ("Double", "0.1", "Decimal", "0.1"), ("String", "'2018-07-14'", "Date", "2018-07-14 00:00:00.000"),
    ("Date", "'2018-07-14 01:02:03.456789'", "String", "2018-07-14T01:02:03.456789Z"),
    ("[Int]", "'[1,2]'", "[String]", #"["1","2"]"#), ("[Int]", "'[1,2]'", "JSON", "[1,2]"),
    ("Int", "7", "JSON", "7"),
    ("UInt8", "7", "Int16", "7"),
  ])
  func valuesAreConvertedToTheNewType(from: String, value: String, to: String, expected: String) throws {
    let store = try EvolvingStore(
      "model Task { id: Int; before: String; n: \(from)?; after: String }",
      "INSERT INTO Task VALUES (1, 'b', \(value), 'a'), (2, 'b', NULL, 'a')")
    try store.evolve(to: "model Task { id: Int; before: String; n: \(to)?; after: String }")
    #expect(try store.rows("SELECT * FROM Task") == ["1|b|\(expected)|a", "2|b|-|a"])
  }

  @Test(arguments: [
    ("Int", "9007199254740993", "Double"), ("Double", "1.5", "Int"), ("String", "'x'", "Int"),
    ("Bool", "1", "Int"),
    ("Double", "0.1234567890123", "Float"), ("String", "'12,5'", "Decimal"), ("Int", "2", "Bool"),
    ("String", "'a'", "[String]"),
    ("Date", "'2018-07-14 00:00:00.000'", "Int"), ("Int", "-1", "UInt"), ("Data", "x'00ff'", "UUID"),
  ])
  func valueThatCannotBeConvertedIsRefused(from: String, value: String, to: String) throws {
    let store = try EvolvingStore(
      "model Task { id: Int; n: \(from)? }", "INSERT INTO Task VALUES (1, \(value)), (2, NULL)")
    let reason = try store.refusal(of: "model Task { id: Int; n: \(to)? }")
    #expect(reason.hasPrefix("Task.n: 1 value cannot be converted to \(to), the first is "))
    #expect(reason.hasSuffix("(Task 1). Keep the type, or change them in `beforeEvolution`"))
  }

  @Test func enumAndItsRawTypeAreInterchangeable() throws {
    let store = try EvolvingStore(
      "enum State: String { case open, done } model Task { id: Int; state: State }",
      "INSERT INTO Task VALUES (1, 'new')")
    #expect(try store.evolve(to: "model Task { id: Int; state: String }").isEmpty)
    #expect(try store.evolve(to: "enum S: String { case a } model Task { id: Int; state: S }").isEmpty)
    #expect(try store.rows("SELECT * FROM Task") == ["1|new"])
  }

  // MARK: Indexes

  @Test func indexesAreAddedAndRemoved() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; @Index a: String; b: Int }", "INSERT INTO Task VALUES (1, 'a', 2)")
    let evolution = try store.evolve(to: "@Index(\\.b, \\.a) model Task { id: Int; a: String; b: Int }")
    #expect(evolution.statements.count == 2)
    #expect(
      evolution.changes.map(\.description) == [
        "Task has an index of b, a", "Task no longer has an index of a",
      ])
  }

  @Test func softDeleteAndStampColumnsEvolveLikeOthers() throws {
    let store = try EvolvingStore("model Task { id: Int }", "INSERT INTO Task VALUES (1)")
    try store.evolve(
      to: """
        @SoftDelete(\\.deletedAt) @UpdatedAt(\\.updatedAt)
        model Task { id: Int; deletedAt: Date?; updatedAt: Date? }
        """)
    try store.execute("UPDATE Task SET deletedAt = '2024-01-01 00:00:00.000'")
    #expect(
      try store.evolve(to: "model Task { id: Int; deletedAt: Date?; updatedAt: Date? }").isEmpty)
    try store.evolve(to: "model Task { id: Int; updatedAt: Date? }")
    #expect(try store.rows("SELECT * FROM Task") == ["1|-"])
  }

  /// Also in lists and in texts.
  @Test func conversionThatLosesDigitsIsRefused() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; list: [Int]; text: String?; more: [Decimal] }",
      """
      INSERT INTO Task VALUES (1, '[1,9007199254740993]', '9007199254740993', '["0.1"]'), (2, '[2]', '0.1', '["0.5"]')
      """)
    let text = "model Task { id: Int; list: [Double]; text: Double?; more: [Double] }"
    #expect(
      try store.refusal(of: text) == """
        Task.list: 1 value cannot be converted to [Double], the first is “[1,9007199254740993]” (Task 1). Keep the type, or \
        change them in `beforeEvolution`; Task.text: 1 value cannot be converted to Double, the first is “9007199254740993” \
        (Task 1). Keep the type, or change them in `beforeEvolution`
        """)
    try store.execute("UPDATE Task SET list = '[1,9007199254740992]', text = '9007199254740992' WHERE id = 1")
    try store.evolve(to: text)
    #expect(try store.rows("SELECT text FROM Task") == ["9007199254740992.0", "0.1"])
  }
}

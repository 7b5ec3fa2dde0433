import Foundation
import TestRuns
import Testing

@testable import Syncline

/// Models that come, go, and change.
@Suite(.enabled(if: TestKind.thorough.runs))
struct ModelEvolutionTests {
  private let pair = """
    model Task { id: Int; title: String; project: Project?; @Relationship(inverse: \\Tag.tasks) tags: [Tag] }
    model Project { id: Int; name: String; tasks: [Task] }
    model Tag { id: Int; tasks: [Task] }
    """
  private let rows = """
    INSERT INTO Project VALUES (1, 'p'), (2, 'q');
    INSERT INTO Task VALUES (10, 'a', 1), (11, 'b', 2), (12, 'c', NULL);
    INSERT INTO Tag VALUES (7), (8);
    INSERT INTO "Tag.tasks" VALUES (7, 10), (8, 10), (7, 11);
    INSERT INTO syncline_pending_link VALUES ('Task', 'project', 12, NULL, 'Project', 99), ('Tag', 'tasks', 8, NULL, 'Task', 98);
    """

  @Test func aModelIsAdded() throws {
    let store = try EvolvingStore("model Task { id: Int }", "INSERT INTO Task VALUES (1)")
    let evolution = try store.evolve(to: "model Task { id: Int } model Note { id: Int; task: Task? }")
    #expect(evolution.changes.map(\.description) == ["the model Note is new"])
    #expect(try store.rows("SELECT * FROM Task") == ["1"])
  }

  @Test func aModelIsDroppedWithItsLinks() throws {
    let store = try EvolvingStore(pair, rows)
    let evolution = try store.evolve(
      to:
        "model Task { id: Int; title: String; project: Project? } model Project { id: Int; name: String; tasks: [Task] }"
    )
    #expect(
      evolution.changes.map(\.description) == [
        "the model Tag is dropped, with its rows", "Task.tags is dropped, with its values",
      ])
    #expect(try store.rows("SELECT * FROM Task") == ["10|a|1", "11|b|2", "12|c|-"])
    #expect(try store.waiting() == ["Task.project|12|Project|99"])
  }

  @Test func aModelWithChildrenIsDroppedAndTheChildrenStay() throws {
    let store = try EvolvingStore(pair, rows)
    try store.evolve(
      to: """
        model Task { id: Int; title: String; @Relationship(inverse: \\Tag.tasks) tags: [Tag] }
        model Tag { id: Int; tasks: [Task] }
        """)
    #expect(try store.rows("SELECT * FROM Task") == ["10|a", "11|b", "12|c"])
    #expect(try store.rows("SELECT * FROM \"Tag.tasks\" ORDER BY 1, 2") == ["7|10", "7|11", "8|10"])
    #expect(try store.waiting() == ["Tag.tasks|8|Task|98"])
  }

  @Test func aModelIsRenamedWithAllReferences() throws {
    let store = try EvolvingStore(pair, rows)
    let evolution = try store.evolve(
      to: """
        @RenamedFrom("Task")
        model Todo { id: Int; title: String; project: Project?; @Relationship(inverse: \\Tag.tasks) tags: [Tag] }
        model Project { id: Int; name: String; tasks: [Todo] }
        model Tag { id: Int; tasks: [Todo] }
        """)
    #expect(evolution.rebuiltTables == [])
    #expect(try store.rows("SELECT * FROM Todo") == ["10|a|1", "11|b|2", "12|c|-"])
    #expect(try store.rows("SELECT * FROM \"Tag.tasks\" ORDER BY 1, 2") == ["7|10", "7|11", "8|10"])
    #expect(try store.waiting() == ["Tag.tasks|8|Todo|98", "Todo.project|12|Project|99"])
    // It keeps its index.
    #expect(evolution.statements.allSatisfy { !$0.contains("CREATE INDEX \"Todo") })
  }

  @Test func renameThatMovesTheJoinTableKeepsItsLinks() throws {
    let store = try EvolvingStore(pair, rows)
    try store.evolve(
      to: """
        model Task { id: Int; title: String; project: Project?; @Relationship(inverse: \\Ztag.tasks) tags: [Ztag] }
        model Project { id: Int; name: String; tasks: [Task] }
        @RenamedFrom("Tag") model Ztag { id: Int; tasks: [Task] }
        """)
    #expect(try store.rows("SELECT * FROM \"Task.tags\" ORDER BY 1, 2") == ["10|7", "10|8", "11|7"])
    #expect(try store.waiting() == ["Task.project|12|Project|99", "Ztag.tasks|8|Task|98"])
  }

  @Test func swappedModelNamesKeepPendingLinks() throws {
    let store = try EvolvingStore(
      """
      model A { id: Int; b: B?; note: String }
      model B { id: Int; aa: [A]; size: Int }
      """,
      """
      INSERT INTO B VALUES (1, 5); INSERT INTO A VALUES (2, 1, 'n');
      INSERT INTO syncline_pending_link VALUES ('A', 'b', 2, NULL, 'B', 9), ('B', 'aa', 1, NULL, 'A', 8);
      """)
    let swapped = """
      @RenamedFrom("A") model B { id: Int; @RenamedFrom("b") a: A?; note: String }
      @RenamedFrom("B") model A { id: Int; @RenamedFrom("aa") bb: [B]; size: Int }
      """
    try store.evolve(to: swapped)
    #expect(try store.rows("SELECT * FROM B") == ["2|1|n"])
    #expect(try store.rows("SELECT * FROM A") == ["1|5"])
    #expect(try store.waiting() == ["A.bb|1|B|8", "B.a|2|A|9"])
    try store.evolve(to: swapped + " model C { id: Int }")
    #expect(try store.rows("SELECT * FROM A") == ["1|5"])
  }

  @Test func modelsWithEqualPropertiesSwapTheirNames() throws {
    let store = try EvolvingStore(
      "model A { id: Int; n: Int } model B { id: Int; n: Int }",
      "INSERT INTO A VALUES (1, 10); INSERT INTO B VALUES (2, 20)")
    try store.evolve(
      to: #"@RenamedFrom("B") model A { id: Int; n: Int } @RenamedFrom("A") model B { id: Int; n: Int }"#)
    #expect(try store.rows("SELECT * FROM A") == ["2|20"])
    #expect(try store.rows("SELECT * FROM B") == ["1|10"])
  }

  @Test func aModelTakesTheNameOfOneThatIsDropped() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; title: String } model Todo { id: Int; @Index n: Int }",
      "INSERT INTO Task VALUES (1, 'a'); INSERT INTO Todo VALUES (2, 3)")
    try store.evolve(to: #"@RenamedFrom("Todo") model Task { id: Int; @Index n: Int }"#)
    #expect(try store.rows("SELECT * FROM Task") == ["2|3"])
  }

  @Test func newModelReusesTheFormerNameOfARenamedModel() throws {
    let store = try EvolvingStore("model Task { id: Int; @Index n: Int }", "INSERT INTO Task VALUES (1, 2)")
    try store.evolve(to: #"@RenamedFrom("Task") model Todo { id: Int; @Index n: Int }"#)
    try store.evolve(to: "model Todo { id: Int; @Index n: Int } model Task { id: Int; @Index n: Int }")
    #expect(try store.rows("SELECT * FROM Todo") == ["1|2"])
    #expect(try store.rows("SELECT * FROM Task") == [])
    #expect(
      try store.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'T%' ORDER BY 1")
        .count == 2)
  }

  // MARK: Identities

  @Test func anIdentityIsRenamed() throws {
    let store = try EvolvingStore(pair, rows)
    let evolution = try store.evolve(
      to: """
        model Task { id: Int; title: String; project: Project?; @Relationship(inverse: \\Tag.tasks) tags: [Tag] }
        model Project { @PrimaryKey @RenamedFrom("id") number: Int; name: String; tasks: [Task] }
        model Tag { @PrimaryKey @RenamedFrom("id") key: Int; tasks: [Task] }
        """)
    #expect(evolution.rebuiltTables == [])
    #expect(try store.rows("SELECT number, name FROM Project") == ["1|p", "2|q"])
    #expect(try store.rows("SELECT * FROM \"Tag.tasks\" ORDER BY 1, 2") == ["7|10", "7|11", "8|10"])
  }

  @Test func integerIdentitiesAreConvertedToTextInAllTables() throws {
    let store = try EvolvingStore(pair, rows)
    let evolution = try store.evolve(to: pair.replacingOccurrences(of: "id: Int", with: "id: String"))
    #expect(Set(evolution.rebuiltTables) == ["Project", "Tag", "Task"])
    #expect(
      try store.rows("SELECT *, typeof(id), typeof(project), rowid FROM Task") == [
        "10|a|1|text|text|10", "11|b|2|text|text|11", "12|c|-|text|null|12",
      ])
    #expect(
      try store.rows("SELECT *, typeof(source), typeof(target) FROM \"Tag.tasks\" ORDER BY 1, 2") == [
        "7|10|text|text", "7|11|text|text", "8|10|text|text",
      ])
    #expect(
      try store.rows("SELECT typeof(ownerID), typeof(targetID) FROM syncline_pending_link") == [
        "text|text", "text|text",
      ])
    try store.forgetHistory()
    try store.evolve(to: pair)
    #expect(try store.rows("SELECT * FROM Task") == ["10|a|1", "11|b|2", "12|c|-"])
    #expect(try store.rows("SELECT * FROM \"Tag.tasks\" ORDER BY 1, 2") == ["7|10", "7|11", "8|10"])
    #expect(try store.waiting() == ["Tag.tasks|8|Task|98", "Task.project|12|Project|99"])
  }

  @Test func identityConversionThatCausesDuplicatesIsRefused() throws {
    let store = try EvolvingStore("model Task { id: String }", "INSERT INTO Task VALUES ('7'), ('07'), ('x')")
    #expect(
      try store.refusal(of: "model Task { id: Int }") == """
        Task: 1 identity would be the same for several rows, the first is “07”. Make them unique in `beforeEvolution`; \
        Task.id: 1 value cannot be converted to Int, the first is “x” (Task “x”). Keep the type, or change them in `beforeEvolution`
        """)
  }

  @Test func compositeIdentityIsKeptWhenItsPropertiesAreRenamed() throws {
    let store = try EvolvingStore(
      """
      model User { id: Int; seats: [Seat] }
      @PrimaryKey(\\.user, \\.row) model Seat { user: User; row: Int8; note: String? }
      """, "INSERT INTO User VALUES (1); INSERT INTO Seat VALUES (1, 2, 'n', '[1,2]')")
    try store.evolve(
      to: """
        @RenamedFrom("User") model Guest { id: Int64; seats: [Seat] }
        @PrimaryKey(\\.guest, \\.line)
        model Seat { @RenamedFrom("user") guest: Guest; @RenamedFrom("row") line: Int; text: String? }
        """)
    #expect(try store.rows("SELECT guest, line, syncID FROM Seat") == ["1|2|[1,2]"])
  }

  @Test func changedCompositeIdentityIsRefusedIfRowsExist() throws {
    func text(_ key: String, _ user: String = "Int", row: String = "Int") -> String {
      "model User { id: \(user); seats: [Seat] }\n\(key) model Seat { user: User; row: \(row); id: Int }"
    }
    let store = try EvolvingStore(text("@PrimaryKey(\\.user, \\.row)"), "INSERT INTO User VALUES (1)")
    try store.evolve(to: text(""))
    try store.forgetHistory()
    try store.evolve(to: text("@PrimaryKey(\\.row, \\.user)"))
    try store.execute("INSERT INTO Seat VALUES (1, 2, 3, '[2,1]')")
    try store.forgetHistory()
    #expect(
      try store.refusal(of: text("@PrimaryKey(\\.user, \\.row)"))
        == "Seat is identified by “user: Int, row: Int”, but 1 stored row is identified by “row: Int, user: Int”. Keep the identity, or begin a new store"
    )
    #expect(
      try store.refusal(of: text("")).hasPrefix("Seat is identified by “id”, but 1 stored row is"))
    for other in [
      text("@PrimaryKey(\\.row, \\.user)", "String"), text("@PrimaryKey(\\.row, \\.user)", row: "String"),
      text("@PrimaryKey(\\.row, \\.user, \\.id)"),
    ] {
      #expect(try store.refusal(of: other).hasPrefix("Seat is identified by “row"))
    }
    try store.evolve(to: text("@PrimaryKey(\\.row, \\.user)", "Int32", row: "UInt8"))
  }

  @Test func singletonAndOwnerIdentitiesSurviveRenames() throws {
    let store = try EvolvingStore(
      """
      model User { id: Int; settings: Settings? }
      @PrimaryKey(\\.user) model Settings { user: User; theme: String? }
      @Singleton model Config { theme: String? }
      """,
      """
      INSERT INTO User VALUES (1);
      INSERT INTO Settings VALUES (1, 'a', '[1]');
      INSERT INTO Config VALUES ('b', '[]')
      """)
    try store.evolve(
      to: """
        model User { id: Int; look: Settings? }
        @PrimaryKey(\\.owner) model Settings { @RenamedFrom("user") owner: User; theme: String }
        @Singleton @RenamedFrom("Config") model Setup { @RenamedFrom("theme") look: String }
        """)
    #expect(try store.rows("SELECT owner, theme, syncID FROM Settings") == ["1|a|[1]"])
    #expect(try store.rows("SELECT look, syncID FROM Setup") == ["b|[]"])
    try store.forgetHistory()
    #expect(
      try store.refusal(
        of: """
          model User { id: Int; look: Settings? }
          @PrimaryKey(\\.owner) model Settings { owner: User; theme: String }
          model Setup { @PrimaryKey look: String }
          """
      ).hasPrefix("Setup is identified by “look”, but 1 stored row is identified by “@Singleton”"))
  }

  @Test func changedIdentityIsRefusedIfRowsExist() throws {
    let store = try EvolvingStore("model Task { id: Int; key: String }", "INSERT INTO Task VALUES (1, 'a')")
    let text = "model Task { id: Int; @PrimaryKey key: String }"
    #expect(
      try store.refusal(of: text) == """
        Task is identified by “key”, but 1 stored row is identified by “id”. Keep the identity, or begin a new store
        """)
    try store.execute("DELETE FROM Task")
    try store.evolve(to: text)
  }

  /// Foreign keys name the column of the identity, also if its type stays the same.
  @Test func foreignKeysReferToTheNewIdentityColumn() throws {
    func text(_ attribute: String) -> String {
      """
      model Task { id: Int; user: User?; @Relationship(inverse: \\Tag.tasks) tags: [Tag] }
      model User { id: String; \(attribute)login: String; tasks: [Task] }
      model Tag { id: Int; \(attribute)number: Int; tasks: [Task] }
      """
    }
    let store = try EvolvingStore(text(""), "INSERT INTO Task VALUES (1, NULL)")
    let evolution = try store.evolve(to: text("@PrimaryKey "))
    #expect(Set(evolution.rebuiltTables) == ["Tag", "Task", "User"])
    try store.execute(
      """
      INSERT INTO User (id, login) VALUES ('x', 'a'); INSERT INTO Tag (id, number) VALUES (5, 7);
      UPDATE Task SET user = 'a'; INSERT INTO "Tag.tasks" VALUES (7, 1);
      """)
    #expect(try store.rows("SELECT * FROM Task") == ["1|a"])
  }

  // MARK: Parent scopes

  private let scoped = """
    @ParentScoped(\\.project) model Task { id: Int; title: String; project: Project? }
    model Project { id: Int; name: String; tasks: [Task] }
    """

  @Test func parentScopeIsAddedAndRemoved() throws {
    let plain = scoped.replacingOccurrences(of: "@ParentScoped(\\.project) ", with: "")
    let store = try EvolvingStore(
      plain,
      "INSERT INTO Project VALUES (1, 'p'), (2, 'q'); INSERT INTO Task VALUES (10, 'a', 1), (11, 'b', 2)")
    let evolution = try store.evolve(to: scoped)
    #expect(evolution.changes.map(\.description) == ["Task is unique by its identity within project"])
    #expect(try store.rows("SELECT *, rowid FROM Task") == ["10|a|1|10", "11|b|2|11"])
    try store.execute("INSERT INTO Task VALUES (10, 'c', 2)")
    try store.forgetHistory()
    #expect(
      try store.refusal(of: plain)
        == "Task: 1 identity would be the same for several rows, the first is 10. Make them unique in `beforeEvolution`"
    )
    try store.execute("DELETE FROM Task WHERE title = 'c'")
    try store.evolve(to: plain)
    #expect(try store.rows("SELECT * FROM Task") == ["10|a|1", "11|b|2"])
  }

  /// The parent is as new as the scope.
  @Test func parentScopeIsAddedWithItsRelationship() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; title: String } model Project { id: Int; name: String }",
      "INSERT INTO Project VALUES (1, 'p'); INSERT INTO Task VALUES (10, 'a'), (11, 'b')")
    try store.evolve(
      to: "@ParentScoped(\\.project) model Task { id: Int; title: String; project: Project? } "
        + "model Project { id: Int; name: String; tasks: [Task] }")
    #expect(try store.rows("SELECT id, title, project FROM Task") == ["10|a|-", "11|b|-"])
    try store.evolve(
      to: "model Task { id: Int; title: String } model Project { id: Int; name: String; other: Int? }")
    #expect(try store.rows("SELECT * FROM Task") == ["10|a", "11|b"])
  }

  /// A link that waits is its owner's, whose identity is unique within a parent.
  @Test func pendingLinksAreUpdatedWhenTheOwnersParentScopeChanges() throws {
    func text(_ type: String, _ scope: String) -> String {
      """
      \(scope) model Task {
        id: Int; @Relationship(inverse: nil) project: Project?; @Relationship(inverse: nil) team: Team?
        @Relationship(inverse: nil) assignee: User?
      }
      model Project { id: \(type) } model Team { id: Int } model User { id: Int }
      """
    }
    let store = try EvolvingStore(
      text("Int", ""),
      """
      INSERT INTO Project VALUES (1), (2); INSERT INTO Team VALUES (5), (6);
      INSERT INTO Task VALUES (10, 1, 5, NULL), (11, 2, 6, NULL);
      INSERT INTO syncline_pending_link VALUES ('Task', 'assignee', 10, NULL, 'User', 99);
      """)
    let waiting = #"SELECT "ownerID", "ownerParent", typeof("ownerParent") FROM syncline_pending_link"#
    try store.evolve(to: text("Int", "@ParentScoped(\\.project)"))
    #expect(try store.rows(waiting) == ["10|1|integer"])
    try store.evolve(to: text("String", "@ParentScoped(\\.project)"))
    #expect(try store.rows(waiting) == ["10|1|text"])
    try store.execute("INSERT INTO Task VALUES (10, '2', 5, NULL)")
    #expect(
      try store.refusal(of: text("String", "@ParentScoped(\\.team)"))
        == "Task: 1 identity would be the same for several rows, the first is 10. Make them unique in `beforeEvolution`"
    )
    try store.execute("DELETE FROM Task WHERE project = '2' AND id = 10")
    try store.evolve(to: text("String", "@ParentScoped(\\.team)"))
    #expect(try store.rows(waiting) == ["10|5|integer"])
    try store.evolve(to: text("String", ""))
    #expect(try store.rows(waiting) == ["10|-|null"])
  }

  // MARK: Chains

  @Test func everyEarlierVersionEvolvesToTheLast() throws {
    let versions = [
      "model A { id: Int; x: Int }",
      "model A { id: Int; x: Int; b: B? } model B { id: Int; aa: [A] }",
      #"model A { id: Int; @RenamedFrom("x") y: Int; b: B? } model B { id: Int; aa: [A] }"#,
      #"@RenamedFrom("A") model C { id: Int; @RenamedFrom("x") y: Int; b: B? } model B { id: Int; @RenamedFrom("aa") cc: [C] }"#,
      #"@RenamedFrom("A") model C { id: Int; @RenamedFrom("x") y: Int?; b: B? } model B { id: Int; @RenamedFrom("aa") cc: [C] }"#,
      #"@RenamedFrom("A") model C { id: Int; @RenamedFrom("x") y: Double?; b: B?; note: String? } model B { id: Int; @RenamedFrom("aa") cc: [C] }"#,
      #"@RenamedFrom("A") model C { id: String; @RenamedFrom("x") y: Double?; b: B? } model B { id: Int; @RenamedFrom("aa") cc: [C] }"#,
      #"@RenamedFrom("A") model C { id: String; @RenamedFrom("x") y: Double?; @RenamedFrom("b") @Relationship(inverse: \B.cc) bb: [B] } model B { id: Int; @RenamedFrom("aa") cc: [C] }"#,
      #"@RenamedFrom("A", "C") model D { id: String; @RenamedFrom("x", "y") z: String?; @RenamedFrom("b") @Relationship(inverse: \B.cc) bb: [B] } model B { id: Int; @RenamedFrom("aa") cc: [D] }"#,
      #"@RenamedFrom("A", "C") model D { id: String; @RenamedFrom("x", "y") z: String?; @RenamedFrom("b") @Relationship(inverse: \Z.cc) bb: [Z] } @RenamedFrom("B") model Z { id: Int; @RenamedFrom("aa") cc: [D] }"#,
    ]
    for start in versions.indices {
      for step in [1, versions.count] where start + 1 < versions.count {
        let store = try EvolvingStore(versions[0], "INSERT INTO A VALUES (1, 5), (2, 6)")
        for version in versions.indices.dropFirst() where version <= start {
          try store.evolve(to: versions[version])
        }
        var version = start
        while version < versions.count - 1 {
          version = min(version + step, versions.count - 1)
          try store.evolve(to: versions[version])
        }
        let values = try store.rows("SELECT id, z FROM D ORDER BY id")
        #expect(values == ["1|5", "2|6"] || values == ["1|5.0", "2|6.0"])
      }
    }
  }
}

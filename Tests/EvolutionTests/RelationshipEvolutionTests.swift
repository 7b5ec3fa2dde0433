import Foundation
import Testing

@testable import Syncline

/// Relationships that come, go, and are stored elsewhere.
@Suite struct RelationshipEvolutionTests {
  private func pair(_ task: String, _ project: String) -> String {
    "model Task { id: Int; title: String; \(task) } model Project { id: Int; \(project) }"
  }

  private func store(_ task: String, _ project: String, _ sql: String) throws -> EvolvingStore {
    try EvolvingStore(
      pair(task, project),
      "INSERT INTO Project (id) VALUES (1), (2); INSERT INTO Task (id, title) VALUES (10, 'a'), (11, 'b'), (12, 'c'); "
        + sql)
  }

  private let toOne = ("project: Project?", "tasks: [Task]")
  private let links = (
    #"@RenamedFrom("project") @Relationship(inverse: \Project.tasks) projects: [Project]"#, "tasks: [Task]"
  )

  @Test func aToOneIsAdded() throws {
    let store = try EvolvingStore(
      "model Task { id: Int } model Project { id: Int }", "INSERT INTO Task VALUES (1)")
    let evolution = try store.evolve(
      to: "model Task { id: Int; project: Project? } model Project { id: Int }")
    #expect(evolution.rebuiltTables == [])
    #expect(try store.rows("SELECT * FROM Task") == ["1|-"])
  }

  @Test func aRequiredToOneIsRefusedWhereThereAreRows() throws {
    let store = try EvolvingStore(
      "model Task { id: Int } model Project { id: Int }", "INSERT INTO Task VALUES (1)")
    #expect(
      try store.refusal(of: "model Task { id: Int; project: Project } model Project { id: Int }").hasPrefix(
        "Task.project is new, required and without a default, but there is 1 row of Task."))
  }

  @Test func aToOneIsDroppedAndRenamed() throws {
    let store = try store(toOne.0, toOne.1, "UPDATE Task SET project = 1 WHERE id = 10")
    try store.evolve(to: pair(#"@RenamedFrom("project") folder: Project?"#, "tasks: [Task]"))
    #expect(try store.rows("SELECT id, folder FROM Task ORDER BY id") == ["10|1", "11|-", "12|-"])
    let evolution = try store.evolve(to: "model Task { id: Int; title: String } model Project { id: Int }")
    #expect(evolution.rebuiltTables == [])
    #expect(try store.rows("SELECT * FROM Task") == ["10|a", "11|b", "12|c"])
  }

  @Test func renamedToOneIsRecognizedByItsInverse() throws {
    let store = try store(toOne.0, toOne.1, "UPDATE Task SET project = 1 WHERE id = 10")
    try store.evolve(to: pair("folder: Project?", "tasks: [Task]"))
    #expect(try store.rows("SELECT id, folder FROM Task ORDER BY id") == ["10|1", "11|-", "12|-"])
  }

  @Test func aToOneBecomesAList() throws {
    let store = try store(
      toOne.0, toOne.1,
      """
      UPDATE Task SET project = 1 WHERE id IN (10, 11);
      INSERT INTO syncline_pending_link VALUES ('Task', 'project', 12, NULL, 'Project', 99), ('Project', 'tasks', 2, NULL, 'Task', 98)
      """)
    let evolution = try store.evolve(to: pair(links.0, links.1))
    #expect(
      evolution.changes.map(\.description).contains(
        "Project.tasks is stored in a join table, and was in Task"))
    #expect(try store.rows(#"SELECT * FROM "Project.tasks" ORDER BY 1, 2"#) == ["1|10", "1|11"])
    #expect(try store.waiting() == ["Project.tasks|2|Task|98", "Task.projects|12|Project|99"])
  }

  @Test func toManyBecomesToOneIfNoRowHasSeveralLinks() throws {
    let store = try store(
      links.0, links.1, #"INSERT INTO "Project.tasks" VALUES (1, 10), (1, 11), (2, 10)"#)
    let text = pair(#"@RenamedFrom("projects") project: Project?"#, "tasks: [Task]")
    #expect(
      try store.refusal(of: text) == """
        Task.project refers to one Project, but 1 row has several, the first is Task 10. Keep the list, or remove some in \
        `beforeEvolution`
        """)
    try store.execute(#"DELETE FROM "Project.tasks" WHERE source = 2"#)
    try store.evolve(to: text)
    #expect(try store.rows("SELECT id, project FROM Task ORDER BY id") == ["10|1", "11|1", "12|-"])
  }

  @Test func toManyBecomesRequiredToOneIfEachRowHasOneLink() throws {
    let store = try store(links.0, links.1, #"INSERT INTO "Project.tasks" VALUES (1, 10), (1, 11)"#)
    let text = pair(#"@RenamedFrom("projects") project: Project"#, "tasks: [Task]")
    #expect(
      try store.refusal(of: text) == """
        Task.project is required, but 1 row has no related row, the first is Task 12. Make the relationship optional, or set it in \
        `beforeEvolution`
        """)
    try store.execute(#"INSERT INTO "Project.tasks" VALUES (2, 12)"#)
    let evolution = try store.evolve(to: text)
    #expect(evolution.rebuiltTables == ["Task"])
    #expect(try store.rows("SELECT id, project FROM Task ORDER BY id") == ["10|1", "11|1", "12|2"])
  }

  @Test func oneToOneColumnMovesToTheOtherModel() throws {
    let store = try EvolvingStore(
      "model Car { id: Int; owner: Person? } model Person { id: Int; car: Car? }",
      "INSERT INTO Person VALUES (1), (2); INSERT INTO Car VALUES (5, 1), (6, NULL)")
    #expect(try store.rows("SELECT * FROM Car") == ["5|1", "6|-"])
    // The required end holds the column.
    let evolution = try store.evolve(
      to: #"model Zcar { id: Int; owner: Person? } model Person { id: Int; car: Zcar? }"#
        .replacingOccurrences(of: "model Zcar", with: #"@RenamedFrom("Car") model Zcar"#))
    #expect(evolution.changes.map(\.description).contains("Person.car is stored in Person, and was in Car"))
    #expect(try store.rows("SELECT * FROM Person") == ["1|5", "2|-"])
    #expect(try store.rows("SELECT * FROM Zcar") == ["5", "6"])
  }

  @Test func aOneToOneBecomesOneToManyAndBack() throws {
    let one = "model Car { id: Int; owner: Person? } model Person { id: Int; car: Car? }"
    let many =
      #"model Car { id: Int; owner: Person? } model Person { id: Int; @RenamedFrom("car") cars: [Car] }"#
    let store = try EvolvingStore(
      one, "INSERT INTO Person VALUES (1), (2); INSERT INTO Car VALUES (5, 1), (6, 2)")
    #expect(try store.evolve(to: many).rebuiltTables == [])
    try store.execute("UPDATE Car SET owner = 1")
    let back =
      #"model Car { id: Int; owner: Person? } model Person { id: Int; @RenamedFrom("cars") car: Car? }"#
    try store.forgetHistory()
    #expect(
      try store.refusal(of: back) == """
        Car.owner refers to Person one to one, but 1 row has several, the first is Person 1. Keep the list, or remove some in \
        `beforeEvolution`
        """)
    try store.execute("UPDATE Car SET owner = 2 WHERE id = 6")
    try store.evolve(to: back)
    #expect(try store.rows("SELECT * FROM Car") == ["5|1", "6|2"])
  }

  @Test func changedTargetModelIsRefusedIfRowsHaveLinks() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; owner: User? } model User { id: Int } model Team { id: Int }",
      "INSERT INTO User VALUES (1); INSERT INTO Task VALUES (10, 1), (11, NULL)")
    let text = "model Task { id: Int; owner: Team? } model User { id: Int } model Team { id: Int }"
    #expect(
      try store.refusal(of: text) == """
        Task.owner refers to Team, and 1 row refers to User, the first is Task 10. Give it another name, or clear them in \
        `beforeEvolution`
        """)
    try store.execute("UPDATE Task SET owner = NULL")
    try store.evolve(to: text)
  }

  /// A name that stays, and nothing of what it held.
  @Test(arguments: [
    (
      "[String]", "[Tag]", #"INSERT INTO Task VALUES (1, '["a"]'), (2, '[]')"#, "UPDATE Task SET tags = '[]'",
      "has a value"
    ),
    (
      "String?", "[Tag]", "INSERT INTO Task VALUES (1, 'a'), (2, NULL)", "UPDATE Task SET tags = NULL",
      "has a value"
    ),
    (
      "[Tag]", "[String]?",
      #"INSERT INTO Task VALUES (1), (2); INSERT INTO "Task.tags" VALUES (1, 7), (1, 8)"#,
      #"DELETE FROM "Task.tags""#, "refers to Tag"
    ),
    (
      "[Tag]", "[Label]", #"INSERT INTO Task VALUES (1), (2); INSERT INTO "Task.tags" VALUES (1, 7)"#,
      #"DELETE FROM "Task.tags""#, "refers to Tag"
    ),
    (
      "[Tag]", "Label?", #"INSERT INTO Task VALUES (1), (2); INSERT INTO "Task.tags" VALUES (1, 7)"#,
      #"DELETE FROM "Task.tags""#, "refers to Tag"
    ),
    (
      "Tag?", "[Label]", "INSERT INTO Task VALUES (1, 7), (2, NULL)", "UPDATE Task SET tags = NULL",
      "refers to Tag"
    ),
  ])
  func incompatibleTypeChangeIsRefusedIfRowsHaveValues(
    from: String, to: String, rows: String, clear: String, held: String
  ) throws {
    func text(_ type: String) -> String {
      let relation = type.contains("Tag") || type.contains("Label") ? "@Relationship(inverse: nil) " : ""
      return "model Task { id: Int; \(relation)tags: \(type) } model Tag { id: Int } model Label { id: Int }"
    }
    let store = try EvolvingStore(text(from), "INSERT INTO Tag VALUES (7), (8); " + rows)
    let now = to.contains("String") ? "is \(to)" : "refers to \(to.trimmingCharacters(in: ["[", "]", "?"]))"
    #expect(
      try store.refusal(of: text(to)) == """
        Task.tags \(now), and 1 row \(held), the first is Task 1. Give it another name, or clear them in `beforeEvolution`
        """)
    try store.execute(clear)
    try store.evolve(to: text(to))
    #expect(try store.rows("SELECT id FROM Task") == ["1", "2"])
  }

  @Test func keyPropertyBecomesARelationshipWithPendingLinks() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; projectID: Int? } model Project { id: Int }",
      "INSERT INTO Project VALUES (1); INSERT INTO Task VALUES (10, 1), (11, 99), (12, NULL)")
    try store.evolve(
      to: #"model Task { id: Int; @RenamedFrom("projectID") project: Project? } model Project { id: Int }"#)
    #expect(try store.rows("SELECT * FROM Task") == ["10|1", "11|-", "12|-"])
    #expect(try store.waiting() == ["Task.project|11|Project|99"])
    try store.forgetHistory()
    try store.evolve(
      to: #"model Task { id: Int; @RenamedFrom("project") projectID: Int? } model Project { id: Int }"#)
    #expect(try store.rows("SELECT * FROM Task") == ["10|1", "11|-", "12|-"])
    #expect(try store.waiting() == [])
  }

  @Test func requiredKeyBecomesARelationshipIfAllTargetsExist() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; projectID: Int } model Project { id: Int }",
      "INSERT INTO Project VALUES (1); INSERT INTO Task VALUES (10, 1), (11, 99)")
    let text =
      #"model Task { id: Int; @RenamedFrom("projectID") project: Project } model Project { id: Int }"#
    #expect(
      try store.refusal(of: text) == """
        Task.project refers to Project, but 1 value matches no row, the first is 99 (Task 11). Make the property optional, or correct the values in \
        `beforeEvolution`
        """)
    try store.execute("DELETE FROM Task WHERE id = 11")
    try store.evolve(to: text)
    #expect(try store.rows("SELECT * FROM Task") == ["10|1"])
  }

  @Test func toOneBecomesRequiredAndOptionalAgain() throws {
    let store = try store(toOne.0, toOne.1, "UPDATE Task SET project = 1")
    try store.evolve(to: pair("project: Project", toOne.1))
    try store.execute("DELETE FROM Project WHERE id = 1")
    #expect(try store.rows("SELECT * FROM Task") == [])
    try store.forgetHistory()
    try store.evolve(to: pair(toOne.0, toOne.1))
  }

  @Test func relationshipIsSplitInTwoButMergingIsRefused() throws {
    let two = """
      model Task { id: Int; @Relationship(inverse: nil) tags: [Tag] }
      model Tag { id: Int; @Relationship(inverse: nil) tasks: [Task] }
      """
    let one =
      "model Task { id: Int; @Relationship(inverse: \\Tag.tasks) tags: [Tag] } model Tag { id: Int; tasks: [Task] }"
    let store = try EvolvingStore(
      one, #"INSERT INTO Task VALUES (1); INSERT INTO Tag VALUES (2); INSERT INTO "Tag.tasks" VALUES (2, 1)"#)
    try store.evolve(to: two)
    #expect(try store.rows(#"SELECT * FROM "Task.tags""#) == ["1|2"])
    #expect(try store.rows(#"SELECT * FROM "Tag.tasks""#) == ["2|1"])
    try store.forgetHistory()
    #expect(
      try store.refusal(of: one).hasPrefix(
        "Tag.tasks and Task.tags are one relationship, but were two: Tag.tasks and Task.tags.")
    )
  }

  @Test func aTreeIsTurnedIntoAGraphAndBack() throws {
    let tree = "model Node { id: Int; parent: Node?; @Relationship(inverse: \\Node.parent) children: [Node] }"
    let graph =
      "model Node { id: Int; @RenamedFrom(\"parent\") parents: [Node]; @Relationship(inverse: \\Node.parents) children: [Node] }"
    let store = try EvolvingStore(tree, "INSERT INTO Node VALUES (1, NULL), (2, 1), (3, 1)")
    try store.evolve(to: graph)
    #expect(try store.rows(#"SELECT * FROM "Node.children" ORDER BY 1, 2"#) == ["1|2", "1|3"])
    try store.forgetHistory()
    try store.evolve(
      to:
        "model Node { id: Int; @RenamedFrom(\"parents\") parent: Node?; @Relationship(inverse: \\Node.parent) children: [Node] }"
    )
    #expect(try store.rows("SELECT * FROM Node") == ["1|-", "2|1", "3|1"])
  }
}

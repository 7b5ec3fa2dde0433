import GRDB
import Syncline
import TestSupport
import Testing

/// What is stored about rows and links follows an evolution (contract, sections 8 and 11).
@Suite struct StoredStateTests {
  private static let note = "model Note { id: Int }"
  private static let task = "model Task { id: Int; title: String? }"

  /// The third schema reads tasks as the first one does.
  @Test(arguments: ["", "model Task { id: Int }"])
  func cursorIsRemovedWithTheRowsOrValuesOfItsModel(second: String) async throws {
    let database = try DatabaseQueue()
    func open(_ models: String...) throws -> TextStore {
      try TextStore(models.joined(separator: "\n"), in: .database(database))
    }
    let first = try open(Self.task, Self.note)
    try await first.sync(#"[{"id": 1, "title": "a"}]"#, as: "Task")
    try await first.setCursor("t1", of: "Task")
    try await first.setCursor("n1", of: "Note")
    _ = try open(second, Self.note)
    let third = try open(Self.task, Self.note, "model Tag { id: Int }")
    #expect(try await third.cursor(of: "Task") == nil)
    #expect(try await third.cursor(of: "Note") == "n1")
  }

  /// Another model gets the former name of a renamed one, and is read as that was.
  @Test func cursorIsRemovedWithTheNameOfItsModel() async throws {
    let database = try DatabaseQueue()
    func open(_ models: String...) throws -> TextStore {
      try TextStore(models.joined(separator: "\n"), in: .database(database))
    }
    let first = try open(Self.task)
    try await first.sync(#"[{"id": 1, "title": "a"}]"#, as: "Task")
    try await first.setCursor("t1", of: "Task")
    let todo = #"@RenamedFrom("Task") model Todo { id: Int; title: String? }"#
    #expect(try await open(todo).rows("SELECT id FROM Todo") == ["1"])
    let third = try open("model Todo { id: Int; title: String? }", Self.task)
    #expect(try await third.cursor(of: "Task") == nil)
  }

  /// None of these changes concerns the name, the key or the stored type of a property.
  @Test(arguments: [
    ("text: String }", "text: String; lang: String? }", "Article"),
    ("case image: ImageBlock", #"case image: ImageBlock = "picture""#, "Article"),
    ("case photo: Photo", #"case photo: Photo = "image""#, "Note"),
    (#""type" { case photo"#, #""kind" { case photo"#, "Board"),
    ("model Photo", #"@TypeName("images") model Photo"#, "Photo"),
    ("model Step", #"@ParentScoped(\.project) model Step"#, "Step"),
    ("@Relationship(missing: .keep) ", "", "User"),
    (#"@UpdatedAt(\.made)"#, #"@UpdatedAt(\.changed)"#, "Entry"),
    (#"@SoftDelete(\.gone)"#, "", "Entry"),
  ])
  func cursorIsRemovedIfItsModelIsReadInAnotherWay(old: String, new: String, model: String) async throws {
    let schema = """
      union Block on "type" { case text: TextBlock; case image: ImageBlock }
      struct TextBlock { text: String }
      struct ImageBlock { url: String }
      model Article { id: Int; body: [Block] }
      union Item on "type" { case photo: Photo; case post: Post }
      model Note { id: Int; subject: Item? }
      model Board { id: Int; items: [Item] }
      model Photo { id: Int; name: String? }
      model Post { id: Int; name: String? }
      model Project { id: Int; steps: [Step] }
      model Step { id: Int; project: Project }
      model User { id: Int; @Relationship(missing: .keep) visits: [Visit] }
      model Visit { id: Int; user: User? }
      @UpdatedAt(\\.made) @SoftDelete(\\.gone)
      model Entry { id: Int; made: Date; changed: Date; gone: Date? }
      """
    let database = try DatabaseQueue()
    let first = try TextStore(schema, in: .database(database))
    try await first.setCursor("a", of: model)
    try await first.setCursor("b", of: "Post")
    let second = try TextStore(schema.replacing(old, with: new), in: .database(database))
    #expect(try await second.cursor(of: model) == nil)
    #expect(try await second.cursor(of: "Post") == "b")
  }

  @Test func valuesDoNotBecomeKeysThatAreLookedUp() async throws {
    let database = try DatabaseQueue()
    let project =
      "model Project { id: Int; @Unique code: Int; @Relationship(inverse: \\Task.project) tasks: [Task] }\n"
    let old = try TextStore(
      "model Task { id: Int; code: Int? }\nmodel Project { id: Int; @Unique code: Int }",
      in: .database(database))
    try await old.sync(#"[{"id": 1, "code": 5}, {"id": 5, "code": 9}]"#, as: "Project")
    try await old.sync(#"[{"id": 1, "code": 5}]"#, as: "Task")
    let new =
      project + #"model Task { id: Int; @RenamedFrom("code") @Relationship(by: \.code) project: Project? }"#
    let error = #expect(throws: SyncError.self) { try TextStore(new, in: .database(database)) }
    #expect(
      "\(error.map { "\($0)" } ?? "")".contains("Task.project refers to Project, and 1 row has a value"))
    try await old.run("UPDATE Task SET code = NULL")
    let store = try TextStore(new, in: .database(database))
    try await store.sync(#"[{"id": 1, "project_id": 5}]"#, as: "Task")
    #expect(try await store.rows("SELECT project FROM Task") == ["1"])
  }

  @Test func pendingLinksByAValueFollowItsType() async throws {
    let database = try DatabaseQueue()
    func open(_ type: String) throws -> TextStore {
      try TextStore(
        """
        model Task { id: Int; @Relationship(by: \\.code) project: Project? }
        model Project { id: Int; @Unique code: \(type) }
        """, in: .database(database))
    }
    try await open("Int").sync(#"[{"id": 1, "project_id": 5}]"#, as: "Task")
    let store = try open("String")
    try await store.sync(#"[{"id": 3, "code": "5"}]"#, as: "Project")
    #expect(try await store.rows("SELECT project FROM Task") == ["3"])
  }

  /// The parents of many rows with pending links are looked up by an index.
  @Test func pendingLinksOfManyRowsThatGetAParentAreKept() async throws {
    let database = try DatabaseQueue()
    func open(_ scope: String) throws -> TextStore {
      try TextStore(
        """
        model Project { id: Int; tasks: [Task] }
        \(scope) model Task { id: Int; project: Project; @Relationship(inverse: nil) tag: Tag? }
        model Tag { id: Int }
        """, in: .database(database))
    }
    let tasks = (1...3000).map { #"{"id": \#($0), "tag_id": 9}"# }.joined(separator: ", ")
    try await open("").sync(#"[{"id": 1, "tasks": [\#(tasks)]}]"#, as: "Project")
    let counter = StepCounter()
    database.inDatabase { counter.start($0) }
    let store = try open(#"@ParentScoped(\.project)"#)
    database.inDatabase { counter.stop($0) }
    // Searching the table for each row would take more than 20 million.
    #expect(counter.steps < 3_000_000, "\(counter.steps)")
    #expect(try await store.rows("SELECT DISTINCT ownerParent FROM syncline_pending_link") == ["1"])
    try await store.sync(#"[{"id": 9}]"#, as: "Tag")
    #expect(try await store.rows("SELECT count(*) FROM Task WHERE tag = 9") == ["3000"])
  }

  @Test func pendingLinksOfManyRelationshipsAreKept() async throws {
    let database = try DatabaseQueue()
    let links = (0..<190).map { "@Relationship(inverse: nil) link\($0): Tag?" }.joined(separator: "; ")
    let others = (0..<6).map { "model Other\($0) { id: Int; \(links) }\n" }.joined()
    func open(_ task: String) throws -> TextStore {
      try TextStore("\(task)\n\(others)model Tag { id: Int }", in: .database(database))
    }
    try await open("model Task { id: Int; tag: Tag? }").sync(#"[{"id": 1, "tag_id": 9}]"#, as: "Task")
    let store = try open("model Task { id: Int; tag: Tag?; title: String? }")
    try await store.sync(#"[{"id": 9}]"#, as: "Tag")
    #expect(try await store.rows("SELECT tag FROM Task") == ["9"])
  }
}

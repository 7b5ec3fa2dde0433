import Syncline
import SynclineInterpreter
import TestSupport
import Testing

/// An item resets only the edits that it may concern; other payloads reset all edits. Both leave the same store.
@Suite struct ItemEditTests {
  private static func schema(_ identity: String) -> String {
    """
    @Offline model Task {
      id: \(identity)
      title: String?
      owner: User?
      @Relationship(inverse: nil) parent: Task?
      topics: [Topic]
    }
    model User { id: \(identity); name: String?; @Relationship(inverse: \\Task.owner) tasks: [Task] }
    model Topic { id: \(identity); name: String?; @Relationship(inverse: \\Task.topics) tasks: [Task] }
    """
  }

  /// What is stored of the edits, apart from their order: one that changes nothing may have ended, and begun again.
  private static let edits = """
    SELECT hex("key"), "isNew", ifnull("isGone", 0), ifnull("isAside", 0), "base_title", hex("base_owner"),
    hex("base_parent"), "base_topics", "own_title", hex("own_owner"), hex("own_parent"), "own_topics"
    FROM "syncline_edit_Task" ORDER BY 1
    """

  /// Random payloads, and random edits in SQL.
  private struct Script {
    var random: SeededGenerator
    let type: String

    func id(_ number: Int) -> String {
      switch type {
      case "Int": "\(number)"
      case "String": "\"aB\(number)\""
      default: "\"ABCDEF00-0000-0000-0000-\(String(1_000_000_000_000 + number).dropFirst())\""
      }
    }

    func sql(_ number: Int) -> String {
      switch type {
      case "Int": "\(number)"
      case "String": "'aB\(number)'"
      default: "x'ABCDEF00000000000000\(String(1_000_000_000_000 + number).dropFirst())'"
      }
    }

    private mutating func number(_ limit: Int = 6) -> Int { Int.random(in: 1...limit, using: &random) }

    private mutating func ids() -> String {
      var ids: [String] = []
      for number in 1...6 where random.chance(35) { ids.append(id(number)) }
      return "[\(ids.joined(separator: ", "))]"
    }

    mutating func task() -> String {
      var members = [#""id": \#(id(number(9)))"#]
      if random.chance(60) { members.append(#""title": "\#(random.pick(["a", "b", "c"]))""#) }
      if random.chance(50) { members.append(#""owner_id": \#(random.chance(20) ? "null" : id(number()))"#) }
      if random.chance(40) { members.append(#""parent_id": \#(random.chance(20) ? "null" : id(number(9)))"#) }
      if random.chance(50) { members.append(#""topic_ids": \#(ids())"#) }
      return "{\(members.joined(separator: ", "))}"
    }

    mutating func item() -> (model: String, text: String) {
      let model = random.pick(["Task", "Task", "User", "Topic"])
      guard model != "Task" else { return (model, task()) }
      var members = [#""id": \#(id(number()))"#, #""name": "\#(random.pick(["x", "y"]))""#]
      if random.chance(60) {
        let tasks = random.chance(40) ? "[\(task())]" : ids()
        members.append(#""\#(tasks.hasPrefix("[{") ? "tasks" : "task_ids")": \#(tasks)"#)
      }
      return (model, "{\(members.joined(separator: ", "))}")
    }

    mutating func edit() -> String {
      let task = sql(number(9))
      return switch number(7) {
      case 1: "UPDATE Task SET title = '\(random.pick(["mine", "other"]))' WHERE id = \(task)"
      case 2: "UPDATE Task SET owner = NULL WHERE id = \(task)"
      case 3: "UPDATE Task SET owner = (SELECT id FROM User ORDER BY id LIMIT 1) WHERE id = \(task)"
      case 4: "DELETE FROM Task WHERE id = \(task)"
      case 5: #"DELETE FROM "Task.topics" WHERE "source" = \#(task) AND "target" <> \#(sql(number()))"#
      case 6:
        #"""
        INSERT INTO "Task.topics" ("source", "target") SELECT t.id, o.id FROM Task t, Topic o
        WHERE t.id = \#(task) AND o.id = \#(sql(number())) ON CONFLICT DO NOTHING
        """#
      default: "INSERT INTO Task (id, title) VALUES (\(sql(number(12))), 'new') ON CONFLICT DO NOTHING"
      }
    }
  }

  /// The item is decided as if nobody had edited the row, then the edit is applied again.
  @Test(arguments: [
    ("Int", "9007199254740993", "9007199254740993.0"),
    ("String", "12345678901234567890", "12345678901234567890.0"),
    ("String", "100000000000000000000", "1e20"),
  ])
  func itemWithALargeWholeNumberAsIdentityKeepsAnEdit(type: String, id: String, number: String) async throws {
    let store = try TextStore("@Offline model Task { id: \(type); title: String }")
    try await store.sync(#"{"id": \#(id), "title": "old"}"#)
    try await store.run("UPDATE Task SET title = 'mine'")
    try await store.sync(#"{"id": \#(number), "title": "server"}"#)
    let stored = #"SELECT title, "base_title" FROM Task, "syncline_edit_Task""#
    #expect(try await store.rows(stored) == ["mine server"])
  }

  /// The list of a task deletes its step, and the step its photo, which the item does not name.
  @Test func itemOfAUnionResetsTheSameEditsAsThatOfItsModel() async throws {
    let schema = InterpretedSchema(
      try TextStore.schema(
        """
        union Entry on "type" { case note: Note; case task: Task }
        model Note { id: Int; text: String }
        model Task { id: Int; title: String; @Relationship(missing: .delete) steps: [Step] }
        @Offline model Step { id: Int; text: String; task: Task?; photos: [Photo] }
        @Offline model Photo { id: Int; text: String; step: Step }
        """))
    func sync<Union: SyncUnion>(item: String, as union: Union.Type, in store: TextStore) async throws {
      try await store.container.sync(item: item, as: union)
    }
    let union = try #require(schema.union("Entry"))
    for isOfUnion in [false, true] {
      let store = try TextStore(schema, in: .inMemory)
      try await store.sync(
        #"[{"id": 1, "title": "t", "steps": [{"id": 5, "text": "a"}, {"id": 60, "text": "b"}]}]"#, as: "Task")
      try await store.sync(#"[{"id": 90, "text": "c", "step_id": 60}]"#, as: "Photo")
      try await store.run("UPDATE Photo SET text = 'mine'")
      let item = #"{"type": "task", "id": 1, "title": "t", "steps": [{"id": 5, "text": "a"}]}"#
      if isOfUnion {
        try await sync(item: item, as: union, in: store)
      } else {
        try await store.sync(item, as: "Task")
      }
      #expect(try await store.rows("SELECT id FROM Step") == ["5"])
      #expect(try await store.pending() == ["Photo update 90 aside"])
    }
  }

  /// The list gives the task a project, which is no edit.
  @Test func linkByAPatternInAnItemIsNotAnEdit() async throws {
    let store = try TextStore(
      """
      @Offline model Task { id: Int; title: String; project: Project? }
      model Project { id: Int; @RemoteKey("tasks") @KeyPattern("/tasks/{}") tasks: [Task] }
      """)
    try await store.sync(#"[{"id": 5, "title": "old"}]"#, as: "Task")
    try await store.run("UPDATE Task SET title = 'mine'")
    try await store.sync(#"{"id": 1, "tasks": ["/tasks/5"]}"#, as: "Project")
    #expect(try await store.rows("SELECT title, project FROM Task") == ["mine 1"])
    #expect(try await store.pushes(of: "Task") == [#"PATCH {"title":"mine"}"#])
  }

  /// The payload does not contain the identity of the linked row.
  @Test func itemKeepsTheEditOfARowThatItsObjectDoesNotIdentify() async throws {
    let store = try TextStore(
      """
      @Offline model Task { id: Int; title: String; project: Project? }
      @Offline model Project { id: Int; name: String; color: String? }
      """)
    try await store.sync(#"[{"id": 1, "title": "t", "project": {"id": 5, "name": "a"}}]"#)
    try await store.run("UPDATE Project SET name = 'mine'")
    try await store.sync(#"{"id": 1, "title": "t", "project": {"name": "b", "color": "red"}}"#)
    #expect(try await store.rows("SELECT name, color FROM Project") == ["mine red"])
    #expect(try await store.rows(#"SELECT "base_name" FROM "syncline_edit_Project""#) == ["b"])
  }

  /// The item names a member of the list, and not the deleted one.
  @Test func itemKeepsTheEditOfAListWithADeletedMember() async throws {
    let store = try TextStore(
      """
      @Offline model Task { id: Int; title: String; @Relationship(inverse: nil) tags: [Tag] }
      @Offline model Tag { id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 1}, {"id": 2}]"#, as: "Tag")
    try await store.sync(#"[{"id": 5, "title": "t", "tag_ids": [1, 2]}]"#)
    try await store.run("DELETE FROM Tag WHERE id = 1")
    try await store.sync(item: #"{"id": 2, "name": "x"}"#, as: "Tag")
    #expect(try await store.pending() == ["Tag delete 1 pending", "Task update 5 pending"])
    try await store.discardAll(of: "Tag")
    #expect(try await store.rows("SELECT target FROM \"Task.tags\" ORDER BY 1") == ["1", "2"])
    #expect(try await store.pending() == [])
  }

  /// The call gives the item a partner that the payload does not contain.
  @Test func itemResetsTheRowThatHasItsParentAsPartner() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": "p", "number": "2", "project_id": 1}]"#, as: Passport.self)
    try await store.run("UPDATE Passport SET number = '3'")
    try await store.sync(
      item: #"{"id": "q", "number": "4"}"#, as: Passport.self, parent: 1, relationship: \.project)
    let rows = try await store.rows("SELECT id, number, project FROM Passport ORDER BY id")
    #expect(rows == ["p 3 -", "q 4 1"])
    // The server has unlinked the row, not the user.
    #expect(try await store.edits("Passport") == ["update p number"])
  }

  /// A list with the parent would be synced, too.
  @Test func itemResetsTheDeletionOfItsParent() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    try await store.run("DELETE FROM Project WHERE id = 1")
    try await store.sync(item: #"{"id": 5, "title": "t"}"#, as: Task.self, parent: 1, relationship: \.project)
    #expect(try await store.rows("SELECT id, project FROM Task") == ["5 -"])
    #expect(try await store.edits("Project") == ["delete 1"])
    #expect(try await store.edits("Task") == ["update 5 project"])
  }

  @Test(arguments: ["Int", "String", "UUID"])
  func itemsLeaveTheSameStoreAsChanges(type: String) async throws {
    let schema = InterpretedSchema(try TextStore.schema(ItemEditTests.schema(type)))
    for seed in 1...25 {
      var script = Script(random: SeededGenerator(seed: seed), type: type)
      let stores = [try TextStore(schema, in: .inMemory), try TextStore(schema, in: .inMemory)]
      var log: [String] = []
      for _ in 0..<12 {
        if script.random.chance(50) {
          let sql = script.edit()
          log.append(sql)
          for store in stores { try await store.run(sql) }
        } else {
          let (model, text) = script.item()
          log.append("\(model) \(text)")
          try await stores[0].sync(item: text, as: model)
          try await stores[1].sync(changes: #"{"updated": [\#(text)]}"#, as: model)
        }
        let (item, changes) = (try StoreDump(stores[0].container), try StoreDump(stores[1].container))
        let edits: Set = ["syncline_edit_Task"]
        let isSame = item.without(edits) == changes.without(edits)
        #expect(isSame, "seed \(seed): \(log.joined(separator: "\n"))")
        if !isSame { return }
      }
      // Resets all edits, and ends those that change nothing.
      let last = #"{"updated": [{"id": \#(script.id(99)), "name": "last"}]}"#
      for store in stores { try await store.sync(changes: last, as: "User") }
      let (item, changes) = (
        try await stores[0].rows(ItemEditTests.edits), try await stores[1].rows(ItemEditTests.edits)
      )
      let isSame = item == changes
      #expect(isSame, "seed \(seed): \(log.joined(separator: "\n"))\n\(item)\n\(changes)")
      if !isSame { return }
    }
  }
}

import Syncline
import Testing

/// Deleted rows of models with `@SoftDelete`: they are applied like any other row, and marked.
@Suite struct DeletedMarkTests {
  private func store() async throws -> TextStore {
    let store = try TextStore(
      """
      @SoftDelete(\\.deletedAt) @Deleted("gone")
      model Item { id: Int; name: String; deletedAt: Date? }
      """)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
    return store
  }

  @Test func deletedRowIsUpdatedAndMarkedWithPayloadDate() async throws {
    let store = try await store()
    let payload = #"""
      [{"id": 1, "name": "x", "gone": true, "deleted_at": "2024-05-02T00:00:00Z"}, {"id": 2, "name": "b"}]
      """#
    let report = try await store.sync(payload)
    #expect([report.softDeleted, report.updated, report.unchanged] == [1, 0, 1])
    let rows = try await store.rows("SELECT id, name, substr(deletedAt, 1, 10) FROM Item ORDER BY 1")
    #expect(rows == ["1 x 2024-05-02", "2 b -"])
    #expect(try await store.sync(payload).isUnchanged)
  }

  @Test(arguments: [#"{"id": 1, "gone": true}"#, #"{"id": 1, "gone": true, "deleted_at": null}"#])
  func deletedRowWithoutDateIsMarkedOnce(object: String) async throws {
    let store = try await store()
    let report = try await store.sync("[\(object)]", policy: DeletionPolicy.none)
    #expect(report.softDeleted == 1)
    let marked = try await store.rows("SELECT id, deletedAt FROM Item ORDER BY 1")
    #expect(marked[0] != "1 -" && marked[1] == "2 -")
    for _ in 1...2 {
      #expect(try await store.sync("[\(object)]", policy: DeletionPolicy.none).isUnchanged)
      #expect(try await store.rows("SELECT id, deletedAt FROM Item ORDER BY 1") == marked)
    }
    let back = try await store.sync(#"[{"id": 1, "name": "a"}]"#, policy: DeletionPolicy.none)
    #expect(back.reactivated == 1)
    #expect(try await store.rows("SELECT id, deletedAt FROM Item ORDER BY 1") == ["1 -", "2 -"])
  }

  @Test func missingRowIsStillSoftDeleted() async throws {
    let store = try await store()
    #expect(try await store.sync(#"[{"id": 1, "gone": true}]"#).softDeleted == 2)
    #expect(try await store.rows("SELECT id, deletedAt IS NULL FROM Item ORDER BY 1") == ["1 0", "2 0"])
  }

  @Test func unknownDeletedRowIsIgnored() async throws {
    let store = try await store()
    let report = try await store.sync(
      #"[{"id": 9, "name": "z", "gone": true}]"#, policy: DeletionPolicy.none)
    #expect(report.isUnchanged)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "2"])
  }

  @Test func equalStampSoftDeletesAndOlderStampChangesNothing() async throws {
    let store = try TextStore(
      """
      @SoftDelete(\\.deletedAt) @UpdatedAt(\\.updatedAt) @Deleted("gone")
      model Item { id: Int; name: String; updatedAt: Date?; deletedAt: Date? }
      """)
    try await store.sync(#"[{"id": 1, "name": "a", "updated_at": "2024-05-02T00:00:00Z"}]"#)
    let old = #"[{"id": 1, "gone": true, "updated_at": "2024-05-01T00:00:00Z"}]"#
    #expect(try await store.sync(old).isUnchanged)
    let equal = #"""
      [{"id": 1, "name": "x", "gone": true, "updated_at": "2024-05-02T00:00:00Z", "deleted_at": "2024-05-03T00:00:00Z"}]
      """#
    #expect(try await store.sync(equal).softDeleted == 1)
    #expect(
      try await store.rows("SELECT name, substr(deletedAt, 1, 10) FROM Item ORDER BY 1") == ["a 2024-05-03"])
    for payload in [equal, old] {
      #expect(try await store.sync(payload).isUnchanged)
      #expect(
        try await store.rows("SELECT name, substr(deletedAt, 1, 10) FROM Item ORDER BY 1") == ["a 2024-05-03"]
      )
    }
  }

  @Test func nestedDeletedObjectIsAppliedButNotLinked() async throws {
    let store = try TextStore(
      """
      model Post { id: Int; author: Author?; comments: [Comment] }
      @SoftDelete(\\.deletedAt) @Deleted("gone") model Author { id: Int; name: String; deletedAt: Date? }
      @SoftDelete(\\.deletedAt) @Deleted("gone")
      model Comment { id: Int; text: String; post: Post?; deletedAt: Date? }
      """)
    try await store.sync(
      item: #"""
        {"id": 1, "author": {"id": 3, "name": "A"}, "comments": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}
        """#)
    let item = #"""
      {"id": 1, "author": {"id": 3, "name": "B", "gone": true},
       "comments": [{"id": 1, "text": "a"}, {"id": 2, "text": "c", "gone": true}, {"id": 9, "text": "d", "gone": true}]}
      """#
    #expect(try await store.sync(item: item).softDeleted == 2)
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 -"])
    #expect(try await store.rows("SELECT id, name, deletedAt IS NULL FROM Author ORDER BY 1") == ["3 B 0"])
    #expect(
      try await store.rows("SELECT id, text, post, deletedAt IS NULL FROM Comment ORDER BY 1") == [
        "1 a 1 1", "2 c - 0",
      ])
    #expect(try await store.sync(item: item).isUnchanged)
  }

  /// A row may stand once more in the objects of its list. These are merged with it as any of its objects are.
  @Test(arguments: [#""id": 1, "#, ""])
  func parentCanBeMarkedDeletedInsideItsOwnList(identity: String) async throws {
    let store = try TextStore(
      """
      @UpdatedAt(\\.updatedAt) @SoftDelete(\\.deletedAt) @Deleted("gone")
      model Post { id: Int; updatedAt: Date?; deletedAt: Date?; comments: [Comment] }
      model Comment { id: Int; post: Post }
      """)
    try await store.sync(#"[{"id": 1}]"#, as: "Post")
    let payload = #"""
      [{"id": 1, "updated_at": "2024-05-01T00:00:00Z", "comments": [
        {"id": 5, "post": {\#(identity)"gone": 1, "updated_at": "2024-05-04T00:00:00Z"}}]}]
      """#
    #expect(try await store.sync(payload, as: "Post").softDeleted == 1)
    #expect(try await store.rows("SELECT substr(updatedAt, 1, 10) FROM Post") == ["2024-05-04"])
    #expect(try await store.sync(payload, as: "Post").isUnchanged)
  }

  /// A row that is skipped says nothing, whether its objects can nest others or not.
  @Test(arguments: ["", "; next: Item?"]) func deletionMarkOfSkippedRowIsIgnored(other: String) async throws {
    let store = try TextStore(
      """
      @SoftDelete(\\.deletedAt) @Deleted("gone")
      model Item { id: Int; name: String; deletedAt: Date?\(other) }
      """, SyncConfiguration(invalidRows: .skip))
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
    let report = try await store.sync(#"[{"id": 1, "name": [1], "gone": true}, {"id": 2, "name": "b"}]"#)
    #expect((report.skipped, report.softDeleted) == (1, 0))
    #expect(try await store.rows("SELECT id, name, deletedAt FROM Item ORDER BY 1") == ["1 a -", "2 b -"])
  }

  /// Also if the keys are written as they are stored, so that they equal the stored links.
  @Test(arguments: [("String", "\""), ("Int", "\""), ("Int", "")])
  func keyOfMarkedResourceLinksNothing(type: String, quote: String) async throws {
    let store = try TextStore(
      """
      model Post { id: Int; author: Person? }
      model Team { id: Int; members: [Person] }
      @SoftDelete(\\.deletedAt) @Deleted("gone")
      model Person { id: \(type); name: String?; deletedAt: Date? }
      """)
    func document(_ gone: Bool) -> String {
      let person = #""type": "people", "id": \#(quote)7\#(quote)"#
      return #"""
        {"data": [{"type": "posts", "id": "1", "relationships": {"author": {"data": {\#(person)}}}}],
         "included": [{"type": "teams", "id": "1", "relationships": {"members": {"data": [{\#(person)}]}}},
                      {\#(person), "attributes": {"name": "P", "gone": \#(gone)}}]}
        """#
    }
    try await store.sync(jsonAPI: document(false))
    #expect(try await store.sync(jsonAPI: document(true)).softDeleted == 1)
    #expect(try store.values(of: "Post", "author") == [[nil]])
    #expect(try store.values(of: "Team", "members") == [[[]]])
    #expect(try await store.sync(jsonAPI: document(true)).isUnchanged)
  }

  /// Of several lists of a body, each says what it says in any order.
  @Test(arguments: [false, true]) func deletionMarkInAnotherListOfTheBodyDeletesTheRow(isFirst: Bool)
    async throws
  {
    let store = try TextStore(
      """
      @Deleted("gone") model Task { id: Int }
      model Label { id: Int; tasks: [Task] }
      """)
    try await store.sync(#"[{"id": 1}]"#, as: "Task")
    let body = #"""
      {"tasks": [{"id": 1}], "labels": [{"id": 7, "tasks": [{"id": 1, "gone": true}]}]}
      """#
    func sync<Task: SyncUpdatableModel, Label: SyncUpdatableModel>(
      _ task: Task.Type, _ label: Label.Type
    ) async throws -> SyncReport {
      try await store.container.sync(payload: body, relationshipOperations: [.insert, .update]) { parts in
        if isFirst { parts.list("labels", as: label) }
        parts.list("tasks", as: task)
        if !isFirst { parts.list("labels", as: label) }
      }
    }
    let (task, label) = (try store.model("Task"), try store.model("Label"))
    #expect(try await sync(task, label).models["Task"]?.deleted == 1)
  }
}

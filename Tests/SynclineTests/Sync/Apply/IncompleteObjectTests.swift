import Syncline
import SynclineTesting
import TestSupport
import Testing

private func permutations(_ rows: [String]) -> [[String]] {
  guard rows.count > 1 else { return [rows] }
  return rows.indices.flatMap { index in
    var others = rows
    let first = others.remove(at: index)
    return permutations(others).map { [first] + $0 }
  }
}

/// Objects that lack values which a new row requires.
@Suite struct IncompleteObjectTests {
  @Test(arguments: [
    #"{"id": 1}"#, #"{"type": "projects", "id": "1"}"#, #"{"id": 1, "unknown": {"name": "x"}}"#,
  ])
  func identityOnlyObjectIsAKeyIfModelRequiresMoreValues(_ object: String) async throws {
    let store = try makeStore()
    let payload = #"[{"id": 5, "title": "A", "project": \#(object), "tags": [\#(object)]}]"#
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(report.problems.isEmpty)
    #expect(report.waiting.map(\.relationship) == ["project", "tags"])
    #expect(try store.rows(of: Project.self).isEmpty && store.rows(of: Tag.self).isEmpty)
    #expect(try await store.sync(payload: payload, as: Task.self).isUnchanged)
    try await store.sync(item: #"{"id": 1, "name": "P"}"#, as: Project.self)
    try await store.sync(item: #"{"id": 1, "name": "T"}"#, as: Tag.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[1, [1]]])
  }

  @Test func identityOnlyObjectIsPendingInToManyAndOneToOne() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 5}, {"id": 6, "title": "B"}]}]"#, as: Project.self)
    #expect(report.waiting.map(\.targetIdentity) == ["5"])
    #expect(try store.pick(Task.self, "id", "project") == [[6, 1]])
    try await store.sync(item: #"{"id": 5, "title": "A"}"#, as: Task.self)
    #expect(try store.pick(Task.self, "id", "project") == [[5, 1], [6, 1]])

    let people = try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 3}}]"#, as: Person.self)
    #expect(people.waiting.map(\.targetIdentity) == ["3"])
    #expect(try store.rows(of: Passport.self).isEmpty)
  }

  @Test func identityOnlyObjectCreatesRowIfNothingElseIsRequired() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "flag": {"id": 1}, "flags": [{"id": 1}, {"id": 2}]}]"#
    let report = try await store.sync(payload: payload, as: Rack.self)
    #expect(report.waiting.isEmpty)
    #expect(try store.pick(Flag.self, "id", "color") == [[1, "white"], [2, "white"]])
    #expect(try store.pick(Rack.self, "flag", "flags") == [[1, [1, 2]]])
    #expect(try await store.sync(payload: payload, as: Rack.self).isUnchanged)
  }

  /// No payload states a position.
  @Test func identityOnlyObjectCreatesRowIfOnlyAPositionIsRequired() async throws {
    let store = try TextStore(
      """
      model Shelf {
        id: Int
        books: [Book]
        @Relationship(inverse: nil, unknown: .create) first: Book?
      }
      model Book {
        id: Int
        @Relationship(inverse: \\Shelf.books) shelf: Shelf?
        @Position rank: Int
      }
      """)
    let report = try await store.sync(#"[{"id": 1, "books": [{"id": 1}], "first": 2}]"#)
    #expect(report.waiting.isEmpty)
    #expect(try store.values(of: "Book", "id", "shelf", "rank") == [[1, 1, 0], [2, nil, 0]])
  }

  @Test func orderOfObjectsOfOneRowDoesNotAffectResult() async throws {
    let rows = [
      #"{"id": 1, "title": "A", "project": {"id": 1}}"#,
      #"{"id": 2, "title": "B", "project": {"id": 1, "name": "P"}}"#,
      #"{"id": 3, "title": "C", "project": {"id": 1, "task_ids": [1, 2, 3]}}"#,
      #"{"id": 4, "title": "D", "project_id": 2}"#,
    ]
    for order in permutations(rows) {
      let store = try makeStore()
      let payload = "[\(order.joined(separator: ", "))]"
      let report = try await store.sync(payload: payload, as: Task.self)
      #expect(report.problems.isEmpty, "\(payload)")
      #expect(report.waiting.map(\.targetIdentity) == ["2"], "\(payload)")
      #expect(try store.pick(Project.self, "id", "name", "tasks") == [[1, "P", [1, 2, 3]]], "\(payload)")
      #expect(try store.pick(Task.self, "project") == [[1], [1], [1], [nil]], "\(payload)")
      #expect(try await store.sync(payload: payload, as: Task.self).isUnchanged, "\(payload)")
    }
  }

  @Test func orderOfSelfReferencingRowsDoesNotAffectResult() async throws {
    let rows = [
      #"{"id": "5", "name": "F", "parent": {"id": "1"}}"#,
      #"{"id": "1", "name": "O", "children": [{"id": "5"}]}"#,
      #"{"id": "6", "name": "S", "parent": {"id": "7", "parent": {"id": "1"}}}"#,
      #"{"id": "7", "name": "Z"}"#,
    ]
    for order in permutations(rows) {
      let store = try makeStore()
      let payload = "[\(order.joined(separator: ", "))]"
      let report = try await store.sync(payload: payload, as: Category.self)
      #expect(report.problems.isEmpty && report.waiting.isEmpty, "\(payload) \(report)")
      // Row 1's list is complete, so it takes precedence over row 7's own key.
      #expect(
        try store.pick(Category.self, "id", "parent") == [
          ["1", nil], ["5", "1"], ["6", "7"], ["7", nil],
        ],
        "\(payload)")
      #expect(try await store.sync(payload: payload, as: Category.self).isUnchanged, "\(payload)")
    }
  }

  @Test func rowIncompleteAtEndOfPayloadFailsOrIsSkipped() async throws {
    for object in [#"{"id": 1, "tasks": []}"#, #"{"id": 1, "name": []}"#] {
      let payload = #"[{"id": 5, "title": "A", "project": \#(object)}, {"id": 6, "title": "B"}]"#
      let store = try makeStore()
      await #expect(throws: SyncError.self) { try await store.sync(payload: payload, as: Task.self) }
      #expect(try store.everything().isEmpty)
      let skipping = try makeStore(invalidRows: .skip)
      let report = try await skipping.sync(payload: payload, as: Task.self)
      #expect(report[Project.self].skipped == 1)
      #expect(report.waiting.map(\.targetIdentity) == ["1"], "\(object)")
      #expect(try skipping.pick(Task.self, "id", "project") == [[5, nil], [6, nil]])
      try await skipping.sync(item: #"{"id": 1, "name": "P"}"#, as: Project.self)
      #expect(try skipping.pick(Task.self, "project") == [[1], [nil]], "\(object)")
    }
  }

  /// If two objects of a new row have nested objects for one relationship, both are applied, as for a known row.
  @Test func nestedRowsOfAllObjectsOfANewRowAreApplied() async throws {
    let rows = [
      #"{"id": 1, "project": {"id": 2, "name": "P"}, "assignee": {"email": "u@v.w"}}"#,
      #"{"id": 1, "title": "A", "project_id": null, "assignee": {"id": 3, "name": "U"}}"#,
    ]
    for order in permutations(rows) {
      let store = try makeStore()
      let payload = "[\(order.joined(separator: ", "))]"
      try await store.sync(payload: payload, as: Task.self)
      #expect(try store.pick(Project.self, "id") == [[2]], "\(payload)")
      #expect(try store.pick(User.self, "id", "email") == [[3, "u@v.w"]], "\(payload)")
      #expect(try store.pick(Task.self, "title", "assignee") == [["A", 3]], "\(payload)")
      #expect(try await store.sync(payload: payload, as: Task.self).isUnchanged, "\(payload)")
    }
  }
}

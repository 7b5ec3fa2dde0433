import Foundation
import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Several lists of one response body in one call.
@Suite struct BodyTests {
  /// A store with two projects and three tasks. The last task has no project.
  private func tracker() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "project_id": 1}, {"id": 2, "title": "B", "project_id": 2},
         {"id": 3, "title": "C"}]
        """#, as: Task.self)
    return store
  }

  /// Parents with identities that are equal Swift strings but differ in bytes are different rows.
  @Test func canonicallyEquivalentParentsHaveSeparateLists() async throws {
    let store = try makeStore()
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try await store.sync(
      payload: #"""
        [{"id": "\#(composed)", "name": "A"}, {"id": "\#(decomposed)", "name": "B"},
         {"id": "a", "name": "a", "parent_id": "\#(composed)"}]
        """#, as: Category.self)
    let body = #"{"first": [], "second": [{"id": "b", "name": "b"}]}"#
    let report = try await store.sync(payload: body) {
      $0.list(
        "first", as: Category.self, parent: composed, relationship: \.parent, requireNonEmptyFullSlice: true)
      $0.list("second", as: Category.self, parent: decomposed, relationship: \.parent)
    }
    #expect(report.deleted == 0 && report.problems.map(\.action) == [.deletedNothing])
  }

  // MARK: One call

  @Test(arguments: [true, false]) func declarationOrderOfListsDoesNotAffectTheResult(_ isReversed: Bool)
    async throws
  {
    let store = try makeStore()
    let body = #"""
      {"items": [{"id": "i", "title": "I", "task_id": 1}],
       "tasks": [{"id": 1, "title": "T", "project_id": 7}], "projects": [{"id": 7, "name": "P"}]}
      """#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) { parts in
        parts.list("tasks", as: Task.self)
        if isReversed { parts.list("items", as: Item.self) }
        parts.list("projects", as: Project.self)
        if !isReversed { parts.list("items", as: Item.self) }
      }
    }
    let report = try await sync()
    #expect(report.inserted == 3 && report.problems.isEmpty && report.waiting.isEmpty)
    #expect(
      (report[Item.self].inserted, report[Task.self].inserted, report[Project.self].inserted) == (1, 1, 1))
    #expect(try store.pick(Item.self, "id", "task") == [["i", 1]])
    #expect(try store.pick(Task.self, "id", "project") == [[1, 7]])
    let before = try store.writes()
    #expect(try await sync().isUnchanged)
    #expect(try store.writes() == before)
  }

  @Test(arguments: [
    #"{"data": {"tasks": [{"id": 1, "title": "T"}]}, "more.projects": [{"id": 7, "name": "P"}]}"#,
    #"{"data.tasks": [{"id": 1, "title": "T"}], "data": {"tasks": 1}, "more": {"projects": [{"id": 7, "name": "P"}]}}"#,
    #"{"data.tasks": null, "more": 1, "more.projects": [{"id": 7, "name": "P"}]}"#,
  ])
  func dottedPathAlsoMatchesAKeyContainingDots(body: String) async throws {
    let store = try makeStore()
    try await store.sync(payload: body) {
      $0.list("data.tasks", as: Task.self)
      $0.list("more.projects", as: Project.self)
    }
    #expect(try store.pick(Project.self, "id") == [[7]])
    #expect(try store.pick(Task.self, "id") == (body.contains("null") ? [] : [[1]]))
  }

  @Test func syncingExportsOfTwoModelsInOneBodyChangesNothing() async throws {
    let store = try await tracker()
    let tasks = try await store.export(as: Task.self)
    let projects = try await store.export(as: Project.self)
    let body: SyncJSON = ["tasks": .array(tasks), "projects": .array(projects)]
    let report = try await store.sync(payload: body) {
      $0.list("projects", as: Project.self)
      $0.list("tasks", as: Task.self)
    }
    #expect(report.isUnchanged)
  }

  @Test func aFailureInOneListWritesNothing() async throws {
    let store = try await tracker()
    let before = try store.everything()
    let body = #"{"projects": [{"id": 9, "name": "N"}], "items": [{"id": "i", "title": "I", "task_id": 9}]}"#
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: body) {
        $0.list("projects", as: Project.self)
        $0.list("items", as: Item.self)
      }
    }
    #expect(try store.everything() == before)
  }

  @Test func bodyCanCombineItemsChangesAndLists() async throws {
    let store = try await tracker()
    let body = #"""
      {"user": {"id": 5, "name": "U"}, "projects": [{"id": 1, "name": "P"}],
       "tasks": {"created": [{"id": 4, "title": "D", "assignee_id": 5}], "deleted": [1]}}
      """#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.changes("tasks", as: Task.self)
        $0.item("user", as: User.self)
        $0.list("projects", as: Project.self)
      }
    }
    let report = try await sync()
    #expect(report.deleted == 2 && report.inserted == 2)
    #expect(
      try store.pick(Task.self, "id", "project", "assignee") == [
        [2, nil, nil], [3, nil, nil], [4, nil, 5],
      ])
    #expect(try await sync().isUnchanged)
  }

  @Test func listsAreFoundByPathsWithIndexesAndWildcards() async throws {
    let store = try makeStore()
    let body = #"""
      {"data": {"groups": [{"tags": [{"id": 1, "name": "a"}]}, {"tags": [{"id": 2, "name": "b"}]}],
       "more": [[], [{"id": 3, "name": "P"}]]}}
      """#
    let report = try await store.sync(payload: body) {
      $0.list("data.more[1]", as: Project.self)
      $0.list("data.groups[].tags[]", as: Tag.self)
    }
    #expect(report.inserted == 3)
    #expect(try store.tags() == [1, 2])
  }

  // MARK: What a body lacks

  @Test(arguments: [#"{"projects": []}"#, #"{"projects": [], "tasks": null}"#])
  func absentOrNullListDeletesNothing(_ body: String) async throws {
    let store = try await tracker()
    let report = try await store.sync(payload: body) {
      $0.list("projects", as: Project.self)
      $0.list("tasks", as: Task.self)
      $0.item("user", as: User.self)
    }
    #expect(report[Project.self].deleted == 2)
    #expect(report[Task.self].deleted == 0)
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3]])
  }

  /// PHP writes an empty object as an empty list.
  @Test(arguments: [#"{"projects": [], "data": []}"#, #"{"projects": [], "data": {"lists": [ ]}}"#])
  func partBelowAnEmptyListIsNull(_ body: String) async throws {
    let store = try await tracker()
    let report = try await store.sync(payload: body) {
      $0.list("projects", as: Project.self)
      $0.list("data.lists.tasks", as: Task.self)
    }
    #expect(report[Project.self].deleted == 2)
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3]])
  }

  @Test func bodyWithNoneOfTheListsIsRejected() async throws {
    let store = try await tracker()
    for body in ["{}", #"{"tasks": null}"#, #"{"others": []}"#, "[]", "null", "7"] {
      let error = await #expect(throws: SyncError.self, "\(body)") {
        try await store.sync(payload: body) {
          $0.list("tasks", as: Task.self)
          $0.list("projects", as: Project.self)
        }
      }
      guard case .invalidPayload = error else {
        Issue.record("\(body): \(String(describing: error))")
        continue
      }
    }
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"{"others": [], "more": 1}"#) {
        $0.list("tasks", as: Task.self)
        $0.list("projects", as: Project.self)
      }
    }
    #expect(
      error?.description
        == "Invalid payload for Task: the body has none of “tasks” and “projects”: it is an object with the keys “others”, “more”"
    )
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3]])
  }

  @Test func errorDescribesTheMissingOrMisusedPart() async throws {
    let store = try await tracker()
    let absent = await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"{"data": []}"#) { $0.list("tasks", as: Task.self) }
    }
    #expect(
      absent?.description
        == "Invalid payload for Task: the body has no “tasks”: it is an object with the key “data”")
    let empty = await #expect(throws: SyncError.self) { try await store.sync(payload: "{}") { _ in } }
    let call = "the closure of sync(payload:) added no part: call list, item or changes on its argument"
    #expect(empty?.description.hasSuffix(call) == true)
    let document = await #expect(throws: SyncError.self) {
      try await store.sync(payload: SyncDocument(#"{"data": []}"#)) { $0.list("data", as: Task.self) }
    }
    #expect(
      document?.description
        == "Invalid payload for Task: this payload is a JSON:API document: call sync(jsonAPI:as:) instead")
  }

  @Test func valueThatIsNotAListIsRejected() async throws {
    let store = try await tracker()
    for tasks in ["7", "{}", "false", #""x""#, #"{"list": 7}"#] {
      await #expect(throws: SyncError.self, "\(tasks)") {
        try await store.sync(payload: #"{"projects": [], "tasks": \#(tasks)}"#) {
          $0.list("projects", as: Project.self)
          $0.list("tasks", as: Task.self)
        }
      }
      // An empty object contains no changes.
      if tasks == "{}" { continue }
      await #expect(throws: SyncError.self, "\(tasks)") {
        try await store.sync(payload: #"{"projects": [], "tasks": \#(tasks)}"#) {
          $0.list("projects", as: Project.self)
          $0.list("tasks.list.of", as: Task.self)
          $0.changes("tasks", as: Task.self)
        }
      }
    }
    #expect(try store.pick(Project.self, "id") == [[1], [2]])
  }

  @Test func emptyObjectIsReadAsNoChanges() async throws {
    let store = try await tracker()
    let tags = #"[{"id": 1, "name": "new"}]"#
    func sync(_ tasks: String) async throws -> SyncReport {
      try await store.sync(payload: #"{"tags": \#(tags), "tasks": \#(tasks)}"#) {
        $0.list("tags", as: Tag.self)
        $0.changes("tasks", as: Task.self)
      }
    }
    let report = try await sync("{}")
    #expect(report.inserted == 1 && report.deleted == 0)
    #expect(try await sync("{ }").isUnchanged)
    #expect(try await sync("[]").isUnchanged)
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3]])
    // Other keys are not valid in an object of changes.
    await #expect(throws: SyncError.self) { try await sync(#"{"creations": []}"#) }
    await #expect(throws: SyncError.self) { try await store.sync(changes: "{}", as: Task.self) }
  }

  @Test func invalidJSONBodyIsRejected() async throws {
    let store = try await tracker()
    let bodies = [
      "", "{", #"{"tasks": []"#, #"{"tasks": [}"#, #"{"tasks": []} x"#, #"{"tasks": [], "a": tru}"#,
    ]
    for body in bodies {
      await #expect(throws: SyncError.self, "\(body)") {
        try await store.sync(payload: body) { $0.list("tasks", as: Task.self) }
      }
    }
    await #expect(throws: SyncError.self) { try await store.sync(payload: "{}") { _ in } }
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: SyncDocument(#"{"data": []}"#)) { $0.list("data", as: Task.self) }
    }
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3]])
  }

  // MARK: Lists of one model

  @Test func listsOfOneModelAreTreatedAsOneFullList() async throws {
    let store = try await tracker()
    let body = #"""
      {"open": [{"id": 1, "title": "A"}], "done": [{"id": 3, "title": "C"}, {"id": 4, "title": "D"}]}
      """#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("done", as: Task.self)
        $0.list("open", as: Task.self)
      }
    }
    let report = try await sync()
    #expect((report.deleted, report.inserted) == (1, 1))
    #expect(try store.pick(Task.self, "id") == [[1], [3], [4]])
    let before = try store.writes()
    #expect(try await sync().isUnchanged)
    #expect(try store.writes() == before)
  }

  /// A row without an identity is skipped, as in a single list.
  @Test func bodyIsRejectedOnlyIfAllRowsOfAModelLackIdentities() async throws {
    let store = try makeStore()
    let report = try await store.sync(payload: #"{"a": [{"name": "x"}], "b": [{"id": 1, "name": "y"}]}"#) {
      $0.list("a", as: Tag.self)
      $0.list("b", as: Tag.self)
    }
    #expect(report.skipped == 1)
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"{"a": [{"name": "x"}], "b": [{"name": "y"}]}"#) {
        $0.list("a", as: Tag.self)
        $0.list("b", as: Tag.self)
      }
    }
    #expect(try store.tags() == [1])
  }

  @Test func itemIsNotDeletedAsMissingFromAListOfItsModel() async throws {
    let store = try await tracker()
    for body in [
      #"{"current": {"id": 1, "title": "A"}, "tasks": [{"id": 2, "title": "B"}]}"#,
      #"{"tasks": [{"id": 2, "title": "B"}], "current": {"id": 1, "title": "A"}}"#,
    ] {
      try await store.sync(payload: body) {
        $0.list("tasks", as: Task.self)
        $0.item("current", as: Task.self)
      }
      #expect(try store.pick(Task.self, "id") == [[1], [2]])
    }
  }

  @Test func eachListHasItsOwnDeletionPolicy() async throws {
    let store = try await tracker()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Tag.self)
    try await store.sync(payload: #"{"projects": [], "tasks": [], "tags": []}"#) {
      $0.list("projects", as: Project.self, deletionPolicy: .none)
      $0.list("tasks", as: Task.self, deletionPolicy: .hardDeleteMissing)
      $0.list("tags", as: Tag.self, requireNonEmptyFullSlice: true)
    }
    #expect(try store.pick(Project.self, "id") == [[1], [2]])
    #expect(try store.pick(Task.self, "id") == [])
    #expect(try store.tags() == [1])
  }

  @Test func emptyListsDeleteNothingIfNonEmptyIsRequired() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(1...3), as: Tag.self)
    @discardableResult func sync(_ body: String) async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("a", as: Tag.self, requireNonEmptyFullSlice: true)
        $0.list("b", as: Tag.self, requireNonEmptyFullSlice: true)
      }
    }
    let empty = try await sync(#"{"a": [], "b": []}"#)
    #expect(empty.isUnchanged && Set(empty.actions) == [.deletedNothing])
    // The lists together contain a row.
    let report = try await sync(#"{"a": [], "b": [{"id": 2, "name": "tag 2"}]}"#)
    #expect(report.deleted == 2 && report.problems.isEmpty)
  }

  /// The lists of a project that differ make the call log its links.
  @Test(arguments: ["[]", #"[{"id": 1, "name": "P", "task_ids": [1]}, {"id": 1, "task_ids": [2]}]"#])
  func deletedRowThatRequiresItsOwnerIsNotReportedAsKept(projects: String) async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "halls": [{"id": 1}, {"id": 2}]}]"#, as: Guild.self)
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}}]"#, as: Person.self)
    let body = #"""
      {"guilds": [{"id": 1, "halls": [{"id": 2}]}], "halls": [{"id": 2}],
       "people": [{"id": 1, "passport": null}], "passports": [], "projects": \#(projects)}
      """#
    let report = try await store.sync(payload: body) {
      $0.list("guilds", as: Guild.self)
      $0.list("halls", as: Hall.self)
      $0.list("people", as: Person.self)
      $0.list("passports", as: Passport.self)
      $0.list("projects", as: Project.self)
    }
    #expect(report[Hall.self].deleted == 1 && report[Passport.self].deleted == 1)
    #expect(report.problems == [])
  }

  @Test func hardDeletePolicyOverridesSoftDeleteInEitherListOrder() async throws {
    for body in [#"{"a": [], "b": []}"#, #"{"b": [], "a": []}"#] {
      let store = try makeStore()
      try await store.sync(payload: #"[{"remote_id": "s", "name": "S"}]"#, as: Studio.self)
      let report = try await store.sync(payload: body) {
        $0.list("a", as: Studio.self, deletionPolicy: .hardDeleteMissing)
        $0.list("b", as: Studio.self)
      }
      #expect((report.deleted, report.softDeleted) == (1, 0))
    }
  }

  @Test func eachListHasItsOwnParent() async throws {
    let store = try await tracker()
    try await store.sync(item: #"{"id": 4, "title": "D", "project_id": 1}"#, as: Task.self)
    let body = #"{"first": [{"id": 4, "title": "D"}], "second": [{"id": 5, "title": "E"}]}"#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("second", as: Task.self, parent: 2, relationship: \.project)
        $0.list("first", as: Task.self, parent: 1, relationship: \.project)
      }
    }
    let report = try await sync()
    #expect((report.deleted, report.inserted) == (2, 1))
    #expect(try store.pick(Task.self, "id", "project") == [[3, nil], [4, 1], [5, 2]])
    #expect(try await sync().isUnchanged)
  }

  @Test func listsCanUseParentsOfDifferentRelationships() async throws {
    let store = try await tracker()
    try await store.sync(payload: #"[{"id": 9, "name": "U"}]"#, as: User.self)
    let body = #"""
      {"ours": [{"id": 1, "title": "A"}], "mine": [{"id": 1, "title": "A"}, {"id": 3, "title": "C"}]}
      """#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("ours", as: Task.self, parent: 2, relationship: \.project)
        $0.list("mine", as: Task.self, parent: 9, relationship: \.assignee)
      }
    }
    try await sync()
    #expect(try store.pick(Task.self, "id", "project", "assignee") == [[1, 2, 9], [3, nil, 9]])
    #expect(try await sync().isUnchanged)
  }

  @Test func parentCanBeInsertedByTheSameBody() async throws {
    let store = try await tracker()
    let body = #"{"tasks": [{"id": 8, "title": "H"}], "projects": [{"id": 9, "name": "N"}]}"#
    @discardableResult func sync(_ parent: Int) async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("tasks", as: Task.self, parent: parent, relationship: \.project)
        $0.list("projects", as: Project.self, deletionPolicy: .none)
      }
    }
    let error = await #expect(throws: SyncError.self) { try await sync(77) }
    #expect(error?.description.contains("Project 77, is not stored") == true)
    #expect(try store.pick(Project.self, "id") == [[1], [2]])
    try await sync(9)
    #expect(try store.pick(Task.self, "id", "project") == [[1, 1], [2, 2], [3, nil], [8, 9]])
    #expect(try await sync(9).isUnchanged)
  }

  @Test func eachListHasItsOwnCondition() async throws {
    let store = try await tracker()
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "state": {"id": "open"}}, {"id": 2, "title": "B", "state": {"id": "done"}},
         {"id": 3, "title": "C", "state": {"id": "in_progress"}}]
        """#, as: Task.self)
    let body = #"{"open": [{"id": 4, "title": "D", "state": {"id": "open"}}], "done": []}"#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("open", as: Task.self, within: Task.Columns.state == .open)
        $0.list("done", as: Task.self, within: Task.Columns.state == .done)
      }
    }
    #expect(try await sync().deleted == 2)
    #expect(try store.pick(Task.self, "id") == [[3], [4]])
    #expect(try await sync().isUnchanged)
  }

  @Test func positionsContinueAcrossListsOfABody() async throws {
    let store = try makeStore()
    let body = #"""
      {"top": [{"id": 5, "title": "a"}, {"id": 1, "title": "b"}], "more": [{"id": 3, "title": "c"}]}
      """#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("more", as: Hit.self)
        $0.list("top", as: Hit.self)
      }
    }
    try await sync()
    #expect(try store.pick(Hit.self, "id", "rank") == [[1, 1], [3, 2], [5, 0]])
    #expect(try await sync().isUnchanged)
  }

  // MARK: Contradictions

  @Test func lastObjectInTheTextDeterminesTheRowsValues() async throws {
    for (body, name) in [
      (#"{"a": [{"id": 1, "name": "x"}], "b": [{"id": 1, "name": "y"}]}"#, "y"),
      (#"{"b": [{"id": 1, "name": "y"}], "a": [{"id": 1, "name": "x"}]}"#, "x"),
    ] {
      let store = try makeStore()
      @discardableResult func sync() async throws -> SyncReport {
        try await store.sync(payload: body) {
          $0.list("a", as: Tag.self)
          $0.list("b", as: Tag.self)
        }
      }
      let report = try await sync()
      #expect(report[Tag.self].merged == 1 && report[Tag.self].inserted == 1)
      #expect(try store.pick(Tag.self, "name") == [[.string(name)]])
      #expect(try await sync().isUnchanged)
    }
  }

  @Test func lastListInTheTextDeterminesTheOwner() async throws {
    let projects = #""projects": [{"id": 1, "name": "P", "tasks": [{"id": 5, "title": "T"}]}]"#
    let archive = #""archive": [{"id": 2, "name": "Q", "tasks": [5]}]"#
    for (body, owner) in [("{\(projects), \(archive)}", 2), ("{\(archive), \(projects)}", 1)] {
      let store = try makeStore()
      @discardableResult func sync() async throws -> SyncReport {
        try await store.sync(payload: body) {
          $0.list("archive", as: Project.self)
          $0.list("projects", as: Project.self)
        }
      }
      try await sync()
      #expect(try store.pick(Task.self, "project") == [[.number(SyncNumber(owner))]])
      #expect(try await sync().isUnchanged)
    }
  }

  /// Rows with timestamps: their objects are merged before the timestamps are compared.
  @Test func objectsOfAStampedRowInSeveralListsAreMerged() async throws {
    let store = try makeStore()
    let stamp = "2024-01-01T00:00:00Z"
    try await store.sync(
      payload: #"[{"id": 1, "name": "old", "changed_at": "2023-01-01T00:00:00Z"}]"#, as: Bulletin.self)
    let body = #"""
      {"a": [{"id": 1, "name": "new", "changed_at": "\#(stamp)"}],
       "b": [{"id": 1, "level": 3, "changed_at": "\#(stamp)"}]}
      """#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.list("b", as: Bulletin.self)
        $0.list("a", as: Bulletin.self)
      }
    }
    try await sync()
    #expect(try store.pick(Bulletin.self, "name", "level") == [["new", 3]])
    #expect(try await sync().isUnchanged)
  }

  @Test func laterOfListAndDeletionInTheTextWins() async throws {
    let changes = #""changes": {"deleted": [1, 2]}"#
    let tags = #""tags": [{"id": 1, "name": "one"}]"#
    for (body, left) in [("{\(changes), \(tags)}", [1, 3]), ("{\(tags), \(changes)}", [3])] {
      let store = try makeStore()
      try await store.sync(payload: PagedServer.payload(1...3), as: Tag.self)
      @discardableResult func sync() async throws -> SyncReport {
        try await store.sync(payload: body) {
          $0.list("tags", as: Tag.self, deletionPolicy: .none)
          $0.changes("changes", as: Tag.self)
        }
      }
      try await sync()
      #expect(try store.tags() == left)
      #expect(try await sync().isUnchanged)
    }
  }

  @Test(arguments: [true, false])
  func nestedObjectAfterADeletionKeepsTheRow(_ isLater: Bool) async throws {
    let store = try await tracker()
    let changes = #""changes": {"deleted": [1, 2]}"#
    // The item equals the stored rows, on two levels.
    let item = #"""
      {"id": "i", "title": "I", "task": {"id": 1, "title": "A", "project": {"id": 1, "name": "P"}}}
      """#
    try await store.sync(item: item, as: Item.self)
    let body =
      isLater ? #"{\#(changes), "item": \#(item)}"# : #"{"item": \#(item), \#(changes)}"#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.item("item", as: Item.self)
        $0.changes("changes", as: Project.self)
      }
    }
    let report = try await sync()
    #expect(report[Project.self].deleted == (isLater ? 1 : 2))
    let project: SyncJSON = isLater ? 1 : .null
    #expect(try store.pick(Project.self, "id").count == (isLater ? 1 : 0))
    #expect(try store.pick(Task.self, "id", "project") == [[1, project], [2, nil], [3, nil]])
    #expect(try await sync().isUnchanged)
  }

  @Test func nestedObjectInTheSameChangesDoesNotKeepADeletedRow() async throws {
    let store = try await tracker()
    let body = #"""
      {"tasks": {"deleted": [1], "updated": [{"id": 2, "title": "B", "project": {"id": 2, "name": "Q",
                  "tasks": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]}}]},
       "tags": []}
      """#
    @discardableResult func sync() async throws -> SyncReport {
      try await store.sync(payload: body) {
        $0.changes("tasks", as: Task.self)
        $0.list("tags", as: Tag.self)
      }
    }
    try await sync()
    #expect(try store.pick(Task.self, "id", "project") == [[2, 2], [3, nil]])
    #expect(try await sync().isUnchanged)
  }

  @Test func keysOfRowsThatTheBodyDeletesArePending() async throws {
    for body in [
      #"{"tasks": [{"id": 1, "title": "A", "project_id": 1}], "projects": [{"id": 2, "name": "Q"}]}"#,
      #"{"projects": [{"id": 2, "name": "Q"}], "tasks": [{"id": 1, "title": "A", "project_id": 1}]}"#,
    ] {
      let store = try await tracker()
      @discardableResult func sync() async throws -> SyncReport {
        try await store.sync(payload: body) {
          $0.list("projects", as: Project.self)
          $0.list("tasks", as: Task.self)
        }
      }
      let report = try await sync()
      #expect(report[Project.self].deleted == 1)
      #expect(report.waiting.map(\.targetIdentity) == ["1"])
      #expect(try store.pick(Task.self, "id", "project") == [[1, nil]])
      #expect(try await sync().isUnchanged)
      try await store.sync(item: #"{"id": 1, "name": "P"}"#, as: Project.self)
      #expect(try store.pick(Task.self, "id", "project") == [[1, 1]])
    }
  }

  // MARK: The response

  @Test func cursorAndValidatorAreStoredForTheFirstModelOfABody() async throws {
    let store = try makeStore()
    func sync(_ body: String, _ state: String) async throws {
      let response = SyncResponse(body, validator: SyncValidator(etag: state), cursor: state)
      try await store.sync(payload: response) {
        $0.list("projects", as: Project.self)
        $0.list("tasks", as: Task.self)
      }
    }
    try await sync(#"{"tasks": [{"id": 1, "title": "T"}], "projects": []}"#, "a")
    #expect(try await store.cursor(for: Project.self) == "a")
    #expect(try await store.validator(for: Project.self)?.etag == "a")
    #expect(try await store.cursor(for: Task.self) == nil)
    await #expect(throws: SyncError.self) { try await sync(#"{"tasks": [{}], "projects": []}"#, "b") }
    #expect(try await store.cursor(for: Project.self) == "a")
  }

  /// The model of a validator and a cursor may be absent from the body. A new property of it resets them as well.
  @Test(arguments: [true, false]) func newPropertyOfAnAbsentListResetsCursorAndValidator(_ isFirst: Bool)
    async throws
  {
    let queue = try DatabaseQueue()
    func store(_ project: String, _ tag: String) throws -> TextStore {
      try TextStore(
        "model Project { id: Int; \(project) } model Tag { id: Int; \(tag) }", in: .database(queue))
    }
    func sync<First: SyncUpdatableModel, Second: SyncUpdatableModel>(
      _ store: TextStore, _ first: First.Type, _ second: Second.Type
    ) async throws {
      let body = isFirst ? #"{"second": []}"# : #"{"first": []}"#
      let response = SyncResponse(body, validator: SyncValidator(etag: "v"), cursor: "c")
      try await store.container.sync(payload: response) {
        $0.list("first", as: first)
        $0.list("second", as: second)
      }
    }
    func state<Model: SyncUpdatableModel>(_ store: TextStore, of model: Model.Type) async throws -> [String?]
    {
      [try await store.container.validator(for: model)?.etag, try await store.container.cursor(for: model)]
    }
    let before = try store("name: String?", "name: String?")
    try await sync(before, try before.model("Project"), try before.model("Tag"))
    #expect(try await state(before, of: try before.model("Project")) == ["v", "c"])
    let same = try store("name: String?", "name: String?")
    #expect(try await state(same, of: try same.model("Project")) == ["v", "c"])
    let after = try store(
      isFirst ? "name: String?; note: String?" : "name: String?",
      isFirst ? "name: String?" : "name: String?; note: String?")
    #expect(try await state(after, of: try after.model("Project")) == [nil, nil])
  }

  /// The stored rows then match no validator. The former cursor still selects all later changes.
  @Test func listsOlderThanTheLastSyncAreIgnored() async throws {
    let store = try makeStore()
    @discardableResult
    func sync(_ body: String, _ name: String, _ moment: SyncMoment) async throws -> SyncReport {
      let response = SyncResponse(body, validator: SyncValidator(etag: name), cursor: name)
      return try await store.sync(payload: response, requestedAt: moment) {
        $0.list("tags", as: Tag.self)
        $0.list("tasks", as: Task.self)
      }
    }
    let (first, old, new) = (store.moment, store.moment, store.moment)
    try await sync(#"{"tasks": [], "tags": []}"#, "first", first)
    #expect(try await store.validator(for: Tag.self)?.etag == "first")
    try await store.sync(payload: #"[{"id": 1, "title": "new"}]"#, as: Task.self, requestedAt: new)
    let body = #"{"tasks": [{"id": 1, "title": "old"}], "tags": [{"id": 1, "name": "t"}]}"#
    try await sync(body, "old", old)
    #expect(try store.pick(Task.self, "title") == [["new"]])
    #expect(try store.tags() == [1])
    #expect(try await store.cursor(for: Tag.self) == "first")
    #expect(try await store.validator(for: Tag.self) == nil)
    let report = try await store.sync(payload: body, requestedAt: old) { $0.list("tasks", as: Task.self) }
    #expect(report.isUnchanged && report.unchanged == 0)
  }

  @Test func bodySyncAppliesTheRelationshipOperations() async throws {
    let store = try await tracker()
    try await store.sync(
      payload: #"{"tasks": [{"id": 1, "title": "A", "project_id": 2}], "tags": []}"#,
      relationshipOperations: []
    ) {
      $0.list("tasks", as: Task.self, deletionPolicy: .none)
      $0.list("tags", as: Tag.self)
    }
    #expect(try store.pick(Task.self, "id", "project") == [[1, 1], [2, 2], [3, nil]])
  }

  @Test func problemPathsStartWithThePathOfTheList() async throws {
    let store = try makeStore()
    let body = #"""
      {"tasks": [{"id": 1, "title": "A"}, {"id": 2, "title": "B", "estimate": "much"}],
       "changes": {"updated": [{"id": 1, "name": "x", "tasks": 7}]}}
      """#
    let report = try await store.sync(payload: body) {
      $0.list("tasks", as: Task.self)
      $0.changes("changes", as: Project.self)
    }
    #expect(Set(report.problems.map(\.path)) == ["tasks[1].estimate", "changes.updated[0].tasks"])
  }

  /// Many rows in random order, whose lists are read in stored order.
  @Test func longListsSyncTheSameInAnyOrder() async throws {
    var random = SeededGenerator(seed: 23)
    let store = try makeStore()
    for round in 0..<4 {
      let tags = (0..<200).shuffled(using: &random).prefix(150)
      let tasks = (0..<200).shuffled(using: &random).prefix(150)
      let rows = tasks.map { #"{"id": \#($0), "title": "t \#(round)", "tag_ids": [\#(tags[0])]}"# }
      let body = #"{"tasks": [\#(rows.joined(separator: ","))], "tags": \#(PagedServer.payload(tags))}"#
      @discardableResult func sync() async throws -> SyncReport {
        try await store.sync(payload: body) {
          $0.list("tags", as: Tag.self)
          $0.list("tasks", as: Task.self)
        }
      }
      try await sync()
      #expect(try store.tags() == tags.sorted())
      let expected: [[SyncJSON]] = tasks.sorted().map { [.number(SyncNumber($0))] }
      #expect(try store.pick(Task.self, "id") == expected)
      let before = try store.writes()
      #expect(try await sync().isUnchanged)
      #expect(try store.writes() == before)
    }
  }
}

import Syncline
import SynclineTesting
import Testing

/// The contract's table of absent, null and unreadable values, for relationships and paths.
@Suite struct AbsentNullUnreadableLinkTests {
  /// A task with a project, two tags and two items.
  private func seeded() async throws -> SyncContainer {
    let container = try makeStore()
    try await container.sync(
      payload: #"""
        [{"id": 1, "title": "a", "project": {"id": 5, "name": "p"}, "tags": [{"id": 1, "name": "x"},
          {"id": 2, "name": "y"}], "items": [{"id": "i", "title": "I"}]}]
        """#, as: Task.self)
    return container
  }

  private func task(_ container: SyncContainer) throws -> SyncJSON {
    try container.rows(of: Task.self)[0]
  }

  @Test func anAbsentRelationshipIsUnchanged() async throws {
    let container = try await seeded()
    let before = try task(container)
    #expect(before["project"] == 5 && before["tags"] == [1, 2] && before["items"] == ["i"])
    #expect(try await container.sync(payload: #"[{"id": 1}]"#, as: Task.self).isUnchanged)
    #expect(try task(container) == before)
  }

  @Test(arguments: ["project_id", "project"]) func aNullToOneIsCleared(_ key: String) async throws {
    let container = try await seeded()
    let report = try await container.sync(payload: "[{\"id\": 1, \"\(key)\": null}]", as: Task.self)
    #expect(report.updated == 1 && report.unlinked == 1 && report.problems == [])
    #expect(try task(container)["project"] == .null)
    #expect(try container.rows(of: Project.self).count == 1)
  }

  @Test(arguments: ["project_id", "project"]) func anEmptyListForAToOneClearsIt(_ key: String) async throws {
    let container = try await seeded()
    let report = try await container.sync(payload: "[{\"id\": 1, \"\(key)\": []}]", as: Task.self)
    #expect(report.updated == 1 && report.unlinked == 1 && report.problems == [])
    #expect(try task(container)["project"] == .null)
    let again = try await container.sync(payload: "[{\"id\": 1, \"\(key)\": []}]", as: Task.self)
    #expect(again.isUnchanged && again.problems == [])
  }

  @Test(arguments: ["[[]]", "[5]", #"[{"id": 5}]"#, "true", #""5""#, "5.5"])
  func anUnreadableToOneIsUnchangedAndReported(_ text: String) async throws {
    for key in ["project_id", "project"] {
      let container = try await seeded()
      let report = try await container.sync(payload: "[{\"id\": 1, \"\(key)\": \(text)}]", as: Task.self)
      #expect(report.isUnchanged, "\(key) ← \(text)")
      #expect(report.problems.map(\.action) == [.keptLink])
      #expect(report.problems.map(\.path) == ["[0].\(key)"])
      #expect(report.problems.first?.row == 0 && report.problems.first?.identity == "1")
      #expect(try task(container)["project"] == 5)
    }
  }

  @Test func aNullRequiredToOneIsAnError() async throws {
    let container = try await seeded()
    let before = try container.rows(of: Item.self)
    for payload in [#"[{"id": "i", "task_id": null}]"#, #"[{"id": "n", "title": "N", "task": null}]"#] {
      await #expect(throws: SyncError.self) { try await container.sync(payload: payload, as: Item.self) }
      #expect(try container.rows(of: Item.self) == before)
    }
  }

  @Test(arguments: ["null", "[]"]) func aNullOrEmptyToManyIsEmptied(_ text: String) async throws {
    for key in ["tag_ids", "tags_ids", "tags"] {
      let container = try await seeded()
      let report = try await container.sync(payload: "[{\"id\": 1, \"\(key)\": \(text)}]", as: Task.self)
      #expect(report.updated == 1 && report.unlinked == 2 && report.problems == [], "\(key) ← \(text)")
      #expect(try task(container)["tags"] == [])
      #expect(try container.rows(of: Tag.self).count == 2)
    }
  }

  @Test(arguments: ["1", #""1""#, "true", "{}", #"{"id": 1, "name": "changed"}"#])
  func aBareObjectOrScalarForAToManyIsUnreadable(_ text: String) async throws {
    for key in ["tag_ids", "tags"] {
      let container = try await seeded()
      let report = try await container.sync(payload: "[{\"id\": 1, \"\(key)\": \(text)}]", as: Task.self)
      #expect(report.isUnchanged, "\(key) ← \(text)")
      #expect(report.problems.map(\.path) == ["[0].\(key)"])
      #expect(try task(container)["tags"] == [1, 2])
    }
  }

  @Test(arguments: ["null", "true", #""2""#, "2.5", "[2]", "{}", #"{"name": "z"}"#])
  func listWithUnreadableElementAddsMembersAndRemovesNone(_ element: String) async throws {
    let container = try await seeded()
    try await container.sync(item: #"{"id": 3, "name": "z"}"#, as: Tag.self)
    let report = try await container.sync(
      payload: "[{\"id\": 1, \"tag_ids\": [3, \(element)]}]", as: Task.self)
    #expect(report.linked == 1 && report.unlinked == 0)
    #expect(report.problems.map(\.path) == ["[0].tag_ids[1]"])
    #expect(try task(container)["tags"] == [1, 2, 3])
    #expect(try container.rows(of: Tag.self).count == 3)
  }

  // MARK: Paths

  @Test func nullAnywhereAlongAPathIsNull() async throws {
    let container = try SyncContainer(for: Keyed.self)
    let full = #"{"id": 1, "a": {"b": {"c": {"d": {"e": 7}}}}, "profile": {"email": "x"}}"#
    for members in [
      #""a": null, "profile": null"#, #""a": {"b": null}, "profile": {"email": null}"#,
      #""a": {"b": {"c": {"d": {"e": null}}}}, "profile": null"#,
      // An empty list is read as an empty object.
      #""a": [], "profile": []"#, #""a": {"b": {"c": {"d": []}}}, "profile": null"#,
    ] {
      try await container.sync(item: full, as: Keyed.self)
      #expect(try container.rows(of: Keyed.self)[0]["deep"] == 7)
      let report = try await container.sync(item: "{\"id\": 1, \(members)}", as: Keyed.self)
      #expect(report.updated == 1 && report.problems == [])
      #expect(try container.rows(of: Keyed.self)[0]["deep"] == .null)
      #expect(try container.rows(of: Keyed.self)[0]["email"] == .null)
    }
  }

  @Test func aMissingStepOfAPathIsAbsent() async throws {
    let container = try SyncContainer(for: Keyed.self)
    try await container.sync(item: #"{"id": 1, "a": {"b": {"c": {"d": {"e": 7}}}}}"#, as: Keyed.self)
    for members in [#""a": {}"#, #""a": {"b": {}}"#, #""a": {"b": {"c": {"d": {}}}}"#, #""b": null"#] {
      #expect(try await container.sync(item: "{\"id\": 1, \(members)}", as: Keyed.self).isUnchanged)
    }
    #expect(try container.rows(of: Keyed.self)[0]["deep"] == 7)
  }

  @Test(arguments: ["1", #""x""#, "[[]]", #"[{"b": 1}]"#, "false"])
  func aNonObjectOnAPathIsUnreadable(_ text: String) async throws {
    let container = try SyncContainer(for: Keyed.self)
    try await container.sync(item: #"{"id": 1, "a": {"b": {"c": {"d": {"e": 7}}}}}"#, as: Keyed.self)
    for members in ["\"a\": \(text)", "\"a\": {\"b\": \(text)}", "\"a\": {\"b\": {\"c\": {\"d\": \(text)}}}"]
    {
      let report = try await container.sync(payload: "[{\"id\": 1, \(members)}]", as: Keyed.self)
      #expect(report.isUnchanged)
      #expect(report.problems.map(\.path) == ["[0].a.b.c.d.e"])
      #expect(report.problems.map(\.action) == [.keptStoredValue])
    }
    #expect(try container.rows(of: Keyed.self)[0]["deep"] == 7)
    // A required property with a default cannot be read either.
    await #expect(throws: SyncError.self) {
      try await container.sync(item: "{\"id\": 2, \"settings\": \(text)}", as: Keyed.self)
    }
  }

  @Test func aNonObjectOnTheWayToARelationshipIsUnreadable() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"id": 1, "meta": {"reporter": {"id": 3, "name": "r"}, "followers": [3]}}]"#,
      as: Ticket.self)
    let report = try await container.sync(payload: #"[{"id": 1, "meta": 5}]"#, as: Ticket.self)
    #expect(report.isUnchanged)
    #expect(Set(report.problems.map(\.path)) == ["[0].meta.reporter", "[0].meta.followers", "[0].meta.note"])
    try await container.sync(payload: #"[{"id": 1, "meta": null}]"#, as: Ticket.self)
    let row = try container.rows(of: Ticket.self)[0]
    #expect(row["reporter"] == .null && row["followers"] == [])
  }
}

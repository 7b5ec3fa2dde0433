import Foundation
import Syncline
import Testing

/// Reading a payload by property names, as in hand-written models.
@Suite struct PayloadByNameTests {
  private func payload(_ text: String, _ style: KeyStyle = .snakeCase) throws -> SyncPayload {
    try SyncPayload(SyncJSON(parsing: text), keyStyle: style)
  }

  @Test func requiredThrowsWhenAbsentAndGivesTheZeroValueForNull() throws {
    let payload = try payload(#"{"count": null, "link": null, "date": "soon"}"#)
    #expect(try payload.required(Int.self, for: "count") == 0)
    #expect(try payload.required(Date.self, for: "date") == Date(timeIntervalSince1970: 0))
    #expect(throws: SyncError.self) { try payload.required(URL.self, for: "link") }
    #expect(throws: SyncError.invalidPayload(model: "", reason: "“name” is missing (at name)")) {
      try payload.required(String.self, for: "name")
    }
  }

  @Test func strictValueCoercesNothing() throws {
    let payload = try payload(#"{"text": "42", "number": 42, "fraction": 1.5, "flag": true}"#)
    #expect(payload.strictValue(for: "text", as: Int.self) == nil)
    #expect(payload.strictValue(for: "text", as: String.self) == "42")
    #expect(payload.strictValue(for: "number", as: String.self) == nil)
    #expect(payload.strictValue(for: "number", as: Int.self) == 42)
    #expect(payload.strictValue(for: "fraction", as: Int.self) == nil)
    #expect(payload.strictValue(for: "flag", as: Bool.self) == true)
    #expect(payload.strictValue(for: "flag", as: Int.self) == nil)
  }

  @Test func namesFollowTheKeyStyleAndPathsReadNestedValues() throws {
    let snake = try payload(#"{"project_id": 1, "state": {"id": "open"}}"#)
    #expect(snake.value(for: "projectID", as: Int.self) == 1)
    #expect(snake.value(for: "state.id", as: String.self) == "open")
    let camel = try payload(#"{"projectId": 1, "project_id": 2}"#, .camelCase)
    #expect(camel.value(for: "projectID", as: Int.self) == 1)
  }

  @Test func updateAppliesOnlyPresentReadableValues() throws {
    let payload = try payload(#"{"title": "B", "size": "large", "notes": null}"#)
    var title = "A"
    var size: Int? = 3
    var notes: String? = "old"
    #expect(try payload.update(&title, for: "title"))
    #expect(try !payload.update(&size, for: "size"))
    #expect(try payload.update(&notes, for: "notes"))
    #expect(try !payload.update(&title, for: "title"))
    #expect((title, size, notes) == ("B", 3, nil))
  }

  @Test func generatedModelsCanBeMadeFromASyncPayload() throws {
    let task = try Task.make(from: payload(#"{"id": "7", "title": 5, "project": {"id": 3, "name": "P"}}"#))
    #expect(task.id == 7)
    #expect(task.title == "5")
    #expect(task.project == Reference(id: 3))
    #expect(task.state == .open)
  }
}

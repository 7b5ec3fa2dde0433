import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// A nested object that repeats an earlier one byte for byte is not looked up again, without any effect on the result.
@Suite struct SeenObjectsTests {
  /// The same payload with different objects only: each has an additional key that no property reads.
  private func withNumberedObjects(_ value: SyncJSON, _ count: inout Int) -> SyncJSON {
    switch value {
    case .object(let object):
      count += 1
      var numbered = SyncJSONObject([])
      for (key, value) in object { numbered[key] = withNumberedObjects(value, &count) }
      numbered["its_number"] = .number(SyncNumber(count))
      return .object(numbered)
    case .array(let list): return .array(list.map { withNumberedObjects($0, &count) })
    default: return value
    }
  }

  @Test(.enabled(if: TestKind.thorough.runs), arguments: Soak.seeds(62_000_000, count: 20))
  func equalObjectsHaveSameResultAsDistinctObjects(seed: Int) async throws {
    for (invalidRows, oddity) in [(SyncConfiguration.InvalidRows.fail, 0), (.skip, 3), (.skip, 20)] {
      let stores = try (0..<2).map { _ in try makeStore(invalidRows: invalidRows) }
      // A small number of rows, which are nested repeatedly.
      var server = RandomServer(stores[0], rows: 12, seed: seed * 100 + oddity)
      server.oddity = oddity
      let models = RandomServer.models.shuffled(using: &server.random).prefix(3)
      for round in 0..<8 {
        let model = server.random.pick(models)
        let payload = try server.payload(model, count: Int.random(in: 4...12, using: &server.random))
        if server.random.chance(50) { server.change() }
        var count = 0
        let numbered = withNumberedObjects(try SyncJSON(parsing: payload), &count)
        let text = String(decoding: try numbered.data(), as: UTF8.self)
        let outcome = await stores[0].outcome(of: payload, as: model)
        let expected = await stores[1].outcome(of: text, as: model)
        let place = "\(invalidRows), oddity \(oddity), round \(round), \(model)"
        try #require(outcome == expected, "\(place): \(difference(outcome, expected))")
        let rows = try stores.map { try $0.everythingButTimes() }
        try #require(rows[0] == rows[1], "\(place)")
        let waiting = try await stores[0].waitingLinks()
        try await #require(stores[1].waitingLinks() == waiting, "\(place)")
      }
    }
  }

  /// Statements about the row between two equal objects are applied, and then the repeated statements.
  @Test func repeatedObjectIsAppliedAgainAfterADifferentOne() async throws {
    let store = try makeStore()
    let names = ["A", "A", "B", "A", "A", "B", "B", "A"]
    for last in names.indices {
      let rows = names[...last].enumerated().map {
        #"{"id": \#($0.offset), "title": "T", "project": {"id": 1, "name": "\#($0.element)"}}"#
      }
      try await store.sync(payload: "[\(rows.joined(separator: ","))]", as: Task.self)
      #expect(try store.pick(Project.self, "name") == [[.string(names[last])]])
    }
  }

  /// Equal texts may be objects of two models.
  @Test func equalObjectsOfTwoModelsAreDistinguished() async throws {
    let store = try makeStore()
    let rows = payload(1...3) {
      #"{"id": \#($0), "title": "T", "project": {"id": 1, "name": "N"}, "assignee": {"id": 1, "name": "N"}}"#
    }
    for _ in 1...2 { try await store.sync(payload: rows, as: Task.self) }
    #expect(try store.pick(Task.self, "project", "assignee") == [[1, 1], [1, 1], [1, 1]])
    #expect(try store.pick(User.self, "name") == [["N"]])
  }

  /// An object next to a key gets its identity from it, so equal texts may be objects of two rows.
  @Test func objectWithoutIdentityTakesIdentityFromItsKey() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "N"}, {"id": 2, "name": "M"}]"#, as: Project.self)
    let rows = payload(1...4) {
      #"{"id": \#($0), "title": "T", "project_id": \#($0 % 2 + 1), "project": {"name": "N"}}"#
    }
    for _ in 1...2 { try await store.sync(payload: rows, as: Task.self) }
    #expect(try store.pick(Task.self, "project") == [[2], [1], [2], [1]])
    #expect(try store.pick(Project.self, "name") == [["N"], ["N"]])
  }

  /// An incomplete object is completed by an earlier object of the same row.
  @Test func incompleteObjectIsCompletedByEarlierObject() async throws {
    let store = try makeStore()
    let names = [#""A""#, "null", #""A""#].enumerated().map {
      #"{"id": \#($0.offset), "title": "T", "assignee": {"id": 1, "name": \#($0.element)}}"#
    }
    for _ in 1...2 {
      try await store.sync(payload: "[\(names.joined(separator: ","))]", as: Task.self)
      #expect(try store.pick(User.self, "name") == [["A"]])
    }
  }

  /// An object also contains statements about its nested rows.
  @Test func nestedRowsOfRepeatedObjectAreAppliedAgain() async throws {
    let store = try makeStore()
    func note(_ id: Int, _ fault: Int, _ name: String) -> String {
      #"{"id": \#(id), "text": "N", "fault": {"id": \#(fault), "title": "F", "opened_at": 1, "user": {"id": 1, "name": "\#(name)"}}}"#
    }
    let rows = "[\(note(1, 1, "U")), \(note(2, 1, "U")), \(note(3, 2, "X")), \(note(4, 1, "U"))]"
    for round in 1...3 {
      let report = try await store.sync(payload: rows, as: Note.self)
      #expect(try store.pick(User.self, "name") == [["U"]])
      #expect(round == 1 || report.isUnchanged)
    }
  }

  /// If lists are decided at the end of the payload, so are the keys that conflict with them. Until then, the stored link is not
  /// the result.
  @Test(arguments: [#""project_id": %@"#, #""project": {"id": %@, "name": "N"}"#])
  func lastOfTwoKeysWinsIfLinksAreDecidedAtEndOfPayload(_ project: String) async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "tasks": [{"id": 1, "title": "T"}]}, {"id": 2, "name": "N"}]"#,
      as: Project.self)
    let (one, two) = (project.replacing("%@", with: "1"), project.replacing("%@", with: "2"))
    let rows = #"""
      [{"id": 3, "title": "T", \#(one)}, {"id": 1, "title": "T", \#(two)}, {"id": 1, "title": "T", \#(one)},
      {"id": 2, "title": "T", "tags": [{"id": 7, "name": "G", "tasks": [3]}]}]
      """#
    for round in 1...3 {
      let report = try await store.sync(payload: rows, as: Task.self)
      #expect(try store.pick(Task.self, "project") == [[1], .init([.null]), [1]])
      #expect(round == 1 || report.isUnchanged)
    }
  }

  /// A list in the place of a single row is reported, even if it contains the stored row.
  @Test func aListInPlaceOfAOneToOneIsReported() async throws {
    let store = try makeStore()
    try await store.sync(
      item: #"{"id": 1, "name": "P", "passport": {"id": 5, "number": "X"}}"#, as: Person.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "name": "P", "passport": [{"id": 5, "number": "X"}]}]"#, as: Person.self)
    #expect(report.problemCount == 1)
    #expect(report[Passport.self].unchanged == 0)
  }
}

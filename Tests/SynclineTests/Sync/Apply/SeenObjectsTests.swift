import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// A nested object that comes again byte by byte is not looked up: nobody can tell.
@Suite struct SeenObjectsTests {
  /// The same payload, in which no object is like another: each has a key of its own that nothing reads.
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
  func equalObjectsSayWhatOthersDo(seed: Int) async throws {
    for (invalidRows, oddity) in [(SyncConfiguration.InvalidRows.fail, 0), (.skip, 3), (.skip, 20)] {
      let stores = try (0..<2).map { _ in try makeStore(invalidRows: invalidRows) }
      // Few rows, which are nested again and again.
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

  /// What is said of the row in between counts, and so does what is said again.
  @Test func whatIsSaidAgainIsAppliedAgain() async throws {
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

  /// The same text stands for rows of two models.
  @Test func eachModelHasItsOwn() async throws {
    let store = try makeStore()
    let rows = payload(1...3) {
      #"{"id": \#($0), "title": "T", "project": {"id": 1, "name": "N"}, "assignee": {"id": 1, "name": "N"}}"#
    }
    for _ in 1...2 { try await store.sync(payload: rows, as: Task.self) }
    #expect(try store.pick(Task.self, "project", "assignee") == [[1, 1], [1, 1], [1, 1]])
    #expect(try store.pick(User.self, "name") == [["N"]])
  }

  /// An object beside a key takes its identity from it: the same text stands for two rows.
  @Test func anObjectBesideAKeyIsTheRowOfTheKey() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "N"}, {"id": 2, "name": "M"}]"#, as: Project.self)
    let rows = payload(1...4) {
      #"{"id": \#($0), "title": "T", "project_id": \#($0 % 2 + 1), "project": {"name": "N"}}"#
    }
    for _ in 1...2 { try await store.sync(payload: rows, as: Task.self) }
    #expect(try store.pick(Task.self, "project") == [[2], [1], [2], [1]])
    #expect(try store.pick(Project.self, "name") == [["N"], ["N"]])
  }

  /// An object that is not enough alone is made up for by one that was there before.
  @Test func whatWasSeenMakesUpForWhatIsMissing() async throws {
    let store = try makeStore()
    let names = [#""A""#, "null", #""A""#].enumerated().map {
      #"{"id": \#($0.offset), "title": "T", "assignee": {"id": 1, "name": \#($0.element)}}"#
    }
    for _ in 1...2 {
      try await store.sync(payload: "[\(names.joined(separator: ","))]", as: Task.self)
      #expect(try store.pick(User.self, "name") == [["A"]])
    }
  }

  /// An object says something of what is nested in it too.
  @Test func whatIsNestedInWhatIsSaidAgainIsAppliedAgain() async throws {
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

  /// Where lists are decided at the end, so are the keys that yield to them: what is stored until then says nothing.
  @Test(arguments: [#""project_id": %@"#, #""project": {"id": %@, "name": "N"}"#])
  func ofTwoKeysTheLastOneCountsWhereListsAreDecidedAtTheEnd(_ project: String) async throws {
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

  /// A list in place of one row is reported, though it has the row that is stored.
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

import Foundation
import Syncline
import SynclineTesting
import Testing

@Suite struct RefusedPayloadTests {
  private func seeded(_ invalidRows: SyncConfiguration.InvalidRows = .fail) async throws -> SyncContainer {
    let container = try makeStore(invalidRows: invalidRows)
    try await container.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Project.self)
    return container
  }

  @Test(arguments: [
    "null", "1", "true", #""[]""#, "{}", #"{"id": 1}"#, "[1]", #"[{"id": 3, "name": "c"}, null]"#,
    #"[{"id": 3, "name": "c"}, [{"id": 4}]]"#, #"[{"id": 3, "name": "c"}, "x"]"#, "", " ", "[", "[{}", "[]]",
    "[],",
    #"[{"id": 3, "name": "c"},]"#, #"[{"id": 3, "name": "c"}] x"#, #"[{"id": 3, "name": "c"}"#,
    #"[{"id": 3, "name": "c"} {"id": 4, "name": "d"}]"#, #"[{"id": 3, "name": "c", }]"#, "[{id: 3}]",
  ])
  func aPayloadThatIsNoListOfObjectsIsRefusedAndWritesNothing(_ payload: String) async throws {
    for policy in [SyncConfiguration.InvalidRows.fail, .skip] {
      let container = try await seeded(policy)
      let before = try container.rows(of: Project.self)
      let error = await #expect(throws: SyncError.self) {
        try await container.sync(payload: payload, as: Project.self)
      }
      guard case .invalidPayload(let model, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(model == "Project")
      #expect(try container.rows(of: Project.self) == before)
      let report = try await container.sync(payload: #"[{"id": 1, "name": "z"}]"#, as: Project.self)
      #expect(report.updated == 1 && report.deleted == 1, "the next call works")
    }
  }

  @Test(arguments: ["null", "1", "[]", #"[{"id": 1, "name": "x"}]"#, "{}", "", #"{"id": 1, "name": "x"},"#])
  func anItemThatIsNoObjectWithAnIdentityIsRefused(_ item: String) async throws {
    let container = try await seeded()
    let before = try container.rows(of: Project.self)
    await #expect(throws: SyncError.self) { try await container.sync(item: item, as: Project.self) }
    #expect(try container.rows(of: Project.self) == before)
  }

  @Test func listAndItemWithinAnEnvelopeAreSynced() async throws {
    let container = try await seeded()
    let payload =
      #"{"meta": {"items": 1}, "data": {"page": 1, "items": [{"id": 1, "name": "x"}], "next": null}}"#
    let report = try await container.sync(payload: payload, at: "data.items", as: Project.self)
    #expect(report.updated == 1 && report.deleted == 1)
    let item = #"{"data": {"item": {"id": 9, "name": "y"}}}"#
    #expect(try await container.sync(item: item, at: "data.item", as: Project.self).inserted == 1)
  }

  @Test(arguments: [
    #"{"data": {"item": []}}"#, #"{"data": []}"#, #"{"data": null}"#, "[]", "{}",
    #"{"data": {"items": null}}"#,
    #"{"data": {"items": {}}}"#, #"{"data": {"items": []}} x"#, #"{"data": {"items": []}, "x": [}"#, "null",
  ])
  func anEnvelopeWithoutAListIsRefused(_ payload: String) async throws {
    let container = try await seeded()
    let before = try container.rows(of: Project.self)
    await #expect(throws: SyncError.self) {
      try await container.sync(payload: payload, at: "data.items", as: Project.self)
    }
    #expect(try container.rows(of: Project.self) == before)
  }

  @Test func invalidRowRefusesTheWholePayload() async throws {
    let container = try await seeded()
    let before = try container.rows(of: Project.self)
    for row in [#"{"id": 4}"#, #"{"id": 4, "name": []}"#, #"{"id": 2, "name": {}}"#] {
      let error = await #expect(throws: SyncError.self) {
        try await container.sync(
          payload: #"{"p": [{"id": 1, "name": "changed"}, \#(row), {"id": 5, "name": "e"}]}"#, at: "p",
          as: Project.self)
      }
      guard case .invalidPayload("Project", let reason)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      for part in ["“name”", "p[1].name", "row 1", row.contains("4") ? "identity 4" : "identity 2"] {
        #expect(reason.contains(part), "\(reason) names \(part)")
      }
      #expect(try container.rows(of: Project.self) == before)
    }
  }

  @Test func invalidRowsAreSkippedUnderTheSkipPolicy() async throws {
    let container = try await seeded(.skip)
    let report = try await container.sync(
      payload: #"[{"id": 1, "name": "changed"}, {"id": 4}, {"id": 2, "name": {}}, {"id": 5, "name": "e"}]"#,
      as: Project.self)
    #expect(report.updated == 1)
    #expect(report.inserted == 1)
    #expect(report.skipped == 2)
    #expect(report.unchanged == 0, "a row that is left out is not counted twice")
    #expect(report.deleted == 0, "a known row that is skipped still counts as named")
    #expect(report.problems.map(\.action) == [.skippedRow, .skippedRow])
    #expect(report.problems.map(\.row) == [1, 2])
    #expect(report.problems.map(\.identity) == ["4", "2"])
    #expect(report.problems.map(\.path) == ["[1]", "[2]"])
    #expect(report.problems.allSatisfy { $0.model == "Project" && $0.reason.contains("].name") })
    #expect(try container.rows(of: Project.self).map { $0["name"] } == ["changed", "b", "e"])
  }

  @Test func allPayloadSourceTypesAreEquivalent() async throws {
    let text = #"[{"id": 1, "text": "a", "bool": true, "int": 5, "double": 1.5, "words": ["x"]}]"#
    let container = try SyncContainer(for: Kinds.self)
    try await container.sync(payload: text, as: Kinds.self)
    #expect(try await container.sync(payload: Data(text.utf8), as: Kinds.self).isUnchanged)
    #expect(try await container.sync(payload: Array(text.utf8), as: Kinds.self).isUnchanged)
    #expect(try await container.sync(payload: SyncJSON(parsing: text), as: Kinds.self).isUnchanged)
    let any: [[String: Any]] = [
      ["id": 1, "text": "a", "bool": true, "int": UInt8(5), "double": 1.5, "words": ["x"]]
    ]
    #expect(try await container.sync(payload: any, as: Kinds.self).isUnchanged)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let foundation = try #require(object as? [[String: Any]])
    #expect(try await container.sync(payload: foundation, as: Kinds.self).isUnchanged)
    let numbers: [[String: Any]] = [
      [
        "id": NSNumber(value: 1), "bool": NSNumber(value: true), "int": NSNumber(value: Int8(5)),
        "double": NSNumber(value: 1.5),
      ]
    ]
    let report = try await container.sync(payload: numbers, as: Kinds.self)
    #expect(report.isUnchanged, "\(report)")
    #expect(report.problems == [])
  }
}

import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Objects that contradict an earlier object of the same row are counted, because the wrong key may be the identity.
@Suite struct MergedObjectTests {
  /// The number of merged objects for each model in the first call, and in the second, which changes nothing.
  private func merged<Model: SyncUpdatableModel>(
    _ payload: String, as model: Model.Type, operations: SyncRelationshipOperations = .all
  ) async throws -> [String: Int] {
    let store = try makeStore()
    let first = try await store.sync(payload: payload, as: model, relationshipOperations: operations)
    let second = try await store.sync(payload: payload, as: model, relationshipOperations: operations)
    let counts = [first, second].map { $0.models.mapValues(\.merged).filter { $0.value > 0 } }
    #expect(counts[0] == counts[1], "\(payload)")
    #expect(second.isUnchanged, "\(second)")
    #expect(first.problems.isEmpty && second.problems.isEmpty)
    #expect(first.merged == counts[0].values.reduce(0, +))
    return counts[0]
  }

  @Test func differingObjectsOfOneRowAreCountedAsMerged() async throws {
    let payload =
      #"[{"id": 1, "title": "node", "estimate": 1.5}, {"id": 1, "title": "way"}, {"id": 2, "title": "node"}]"#
    #expect(try await merged(payload, as: Task.self) == ["Task": 1])
    let flat = #"[{"id": 1, "color": "red"}, {"id": 2}, {"id": 1, "color": "blue"}]"#
    #expect(try await merged(flat, as: Flag.self) == ["Flag": 1])
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
      let rows = ["a", "b", "c"].map { #"{"id": 7, "color": "\#($0)"}"# }
      let payload = "[\(order.map { rows[$0] }.joined(separator: ","))]"
      #expect(try await merged(payload, as: Flag.self) == ["Flag": 2])
    }
  }

  @Test func orderOfOtherRowsDoesNotChangeTheMergedCount() async throws {
    var rows = (0..<200).map { #"{"id": \#($0), "color": "red"}"# } + [#"{"id": 50, "color": "blue"}"#]
    rows.reverse()
    #expect(try await merged("[\(rows.joined(separator: ","))]", as: Flag.self) == ["Flag": 1])
    rows.swapAt(3, 170)
    #expect(try await merged("[\(rows.joined(separator: ","))]", as: Flag.self) == ["Flag": 1])
  }

  @Test(arguments: [
    // Equal values, also in another notation.
    #"[{"id": 1, "title": "A", "estimate": 1}, {"id": 1, "title": "A", "estimate": 1.0}]"#,
    #"[{"id": 1, "title": "A", "updated_at": "2024-01-01"}, {"id": "1", "title": "A", "updated_at": 1704067200}]"#,
    // Objects with additional members only.
    #"[{"id": 1, "title": "A"}, {"id": 1, "description": "d"}, {"id": 1, "estimate": 2}]"#,
    #"[{"id": 1, "estimate": 2}, {"id": 1, "title": "A"}]"#,
    #"[{"id": 1, "title": "A", "assignee": {"id": 1, "name": "n"}}, {"id": 2, "title": "B", "assignee": {"id": 1, "email": "e"}}]"#,
    #"[{"id": 1, "title": "A", "assignee": {"id": 1}}, {"id": 2, "title": "B", "assignee": {"id": 1, "name": "n"}}]"#,
    // Lists of rows are not values.
    #"[{"id": 1, "title": "A", "tag_ids": [1]}, {"id": 1, "tag_ids": [2]}, {"id": 1, "project_id": null}]"#,
  ])
  func equalOrComplementaryObjectsAreNotCounted(_ payload: String) async throws {
    #expect(try await merged(payload, as: Task.self) == [:])
  }

  @Test func eachObjectThatDiffersFromThePreviousCounts() async throws {
    func flags(_ colors: [String]) -> String {
      "[\(colors.map { #"{"id": 7, "color": "\#($0)"}"# }.joined(separator: ","))]"
    }
    for (colors, count) in [
      (["a", "a", "b"], 1), (["a", "b", "b"], 1), (["a", "b", "a"], 2), (["a", "b", "c", "d"], 3),
    ] {
      #expect(try await merged(flags(colors), as: Flag.self) == ["Flag": count], "\(colors)")
    }
    // An object counts once, regardless of how many of its values differ.
    let payload = #"[{"id": 1, "title": "A", "estimate": 1}, {"id": 1, "title": "B", "estimate": 2}]"#
    #expect(try await merged(payload, as: Task.self) == ["Task": 1])
  }

  @Test func toOnesButNotListsCountAsDifferences() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    func report(_ payload: String) async throws -> SyncReport {
      let first = try await store.sync(payload: payload, as: Task.self)
      let second = try await store.sync(payload: payload, as: Task.self)
      #expect(first[Task.self].merged == second[Task.self].merged && second.isUnchanged, "\(payload)")
      return first
    }
    let keys = #"[{"id": 1, "title": "A", "project_id": 1}, {"id": 1, "project_id": 2}]"#
    #expect(try await report(keys)[Task.self].merged == 1)
    let same = #"[{"id": 2, "title": "A", "project_id": 1}, {"id": 2, "project": {"id": 1}}]"#
    #expect(try await report(same)[Task.self].merged == 0)
    let lists = #"[{"id": 3, "title": "A", "tags": [{"id": 1}]}, {"id": 3, "tags": [{"id": 2}]}]"#
    #expect(try await report(lists)[Task.self].merged == 0)
  }

  @Test func mergedObjectsAreCountedPerPage() async throws {
    let pages = [
      SyncPage(#"[{"id": 1, "color": "a"}, {"id": 1, "color": "b"}]"#, cursor: "1"),
      SyncPage(#"[{"id": 1, "color": "c"}, {"id": 2, "color": "a"}, {"id": 2, "color": "b"}]"#),
    ]
    let report = try await makeStore().sync(pages: stream(of: pages), as: Flag.self)
    #expect(report[Flag.self].merged == 2)
  }

  @Test func unreadKeyReportDescribesMergedObjects() async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 1)
    let store = try SynclineTestsSchema.makeStore(configuration)
    let payload =
      #"[{"id": 1, "color": "red"}, {"id": 2, "color": "red"}, {"id": 1, "color": "blue"}]"#
    let report = try await store.sync(payload: payload, as: Flag.self)
    #expect(
      report.unreadKeys?.merged.map(\.description)
        == ["Flag: 2 objects have the identity “1” and differ in “color”"])
    #expect(report.problems.isEmpty && report.problemCount == 0)
    configuration.unreadKeys = .off
    let off = try await SynclineTestsSchema.makeStore(configuration).sync(payload: payload, as: Flag.self)
    #expect(off.unreadKeys == nil && off.merged == 1)
  }

  @Test func nestedObjectsCountForTheirOwnModel() async throws {
    let payload = #"""
      [{"id": 1, "title": "A", "assignee": {"id": 1, "name": "n"}, "tags": [{"id": 1, "name": "x"}]},
       {"id": 2, "title": "B", "assignee": {"id": 1, "name": "m"}, "tags": [{"id": 1, "name": "y"}, {"id": 1, "name": "z"}]}]
      """#
    #expect(try await merged(payload, as: Task.self) == ["User": 1, "Tag": 2])
  }

  /// A row that the call inserts is new for all of its objects, so the later value is stored. Known rows are not changed.
  @Test(arguments: [SyncRelationshipOperations.insert, [.insert, .delete]])
  func nestedObjectsOfNewRowsAreMergedIfNothingIsUpdated(operations: SyncRelationshipOperations) async throws
  {
    let payload = #"""
      [{"id": 1, "title": "A", "tags": [{"id": 1, "name": "x"}]},
       {"id": 2, "title": "B", "tags": [{"id": 1, "name": "y"}]}]
      """#
    let store = try makeStore()
    let first = try await store.sync(payload: payload, as: Task.self, relationshipOperations: operations)
    #expect(try store.pick(Tag.self, "name") == [["y"]])
    #expect(first[Tag.self].merged == 1)
    let second = try await store.sync(payload: payload, as: Task.self, relationshipOperations: operations)
    #expect(second.isUnchanged && second.merged == 0, "\(second)")
  }

  @Test func incompleteObjectsOfARowAreCountedToo() async throws {
    let payload = #"[{"id": 1, "estimate": 2}, {"id": 1, "title": "A", "estimate": 3}]"#
    #expect(try await merged(payload, as: Task.self) == ["Task": 1])
  }

  @Test func stampedObjectsCountRegardlessOfTheirStamps() async throws {
    let payload = #"[{"id": 1, "title": "A", "stamp": 30}, {"id": 1, "title": "B", "stamp": 20}]"#
    #expect(try await merged(payload, as: Post.self) == ["Post": 1])
    let scoped = #"[{"id": 1, "name": "b", "columns": [{"id": 1, "title": "x"}, {"id": 1, "title": "y"}]}]"#
    #expect(try await merged(scoped, as: Board.self) == ["Column": 1])
  }

  @Test func unreadableValuesOfMergedObjectsAreReportedOnceEach() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "title": "A", "estimate": "x"}, {"id": 1, "title": "B", "estimate": "y"}]"#
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(report.merged == 1 && report.problemCount == 2, "\(report)")
  }

  @Test(arguments: [
    (#", "estimate": "x""#, "", ["[0].estimate usedNil"]),
    (#", "estimate": 1.5"#, "", ["[0].estimate truncatedFraction"]),
    (#", "estimate": "x""#, #", "estimate": "y""#, ["[0].estimate usedNil", "[1].estimate usedNil"]),
    (#", "estimate": 5"#, #", "estimate": "y""#, ["[1].estimate keptStoredValue"]),
    (#", "estimate": null"#, #", "estimate": "y""#, ["[1].estimate keptStoredValue"]),
  ])
  func problemOfAMergedRowIsAtTheObjectWithTheValue(_ first: String, _ second: String, _ problems: [String])
    async throws
  {
    let store = try TextStore(
      #"@UpdatedAt(\.stamp) model Post { id: Int; title: String; stamp: Date; estimate: Int? }"#)
    let report = try await store.sync(
      #"[{"id": 1, "title": "A", "stamp": 30\#(first)}, {"id": 1, "title": "B", "stamp": 20\#(second)}]"#)
    #expect(report.problems.map { "\($0.path) \($0.action)" } == problems)
    #expect(report.problems.allSatisfy { $0.identity == "1" && $0.path == "[\($0.row ?? -1)].estimate" })
  }

  @Test(arguments: ["estimate: Int?; title: String", "title: String; estimate: Int?"])
  func unreadableValueOfAnIncompleteObjectIsReportedOnce(_ properties: String) async throws {
    let store = try TextStore("model Log { id: Int; \(properties) }")
    let report = try await store.sync(#"[{"id": 1, "estimate": "x"}, {"id": 1, "title": "A"}]"#)
    #expect(report.problems.map(\.path) == ["[0].estimate"] && report.problemCount == 1)
  }

  @Test func errorOfAMergedRowIsAtTheObjectWithTheValue() async throws {
    let store = try TextStore("model Log { id: Int; title: String; count: Int; link: URL }")
    for (first, second) in [
      (#""count": "x", "link": "/""#, #""title": "B""#), (#""count": 1, "link": null"#, #""title": "B""#),
    ] {
      let error = try await #require(throws: SyncError.self) {
        try await store.sync(#"[{"id": 1, "title": "A", \#(first)}, {"id": 1, \#(second)}]"#)
      }
      let key = first.contains("null") ? "link" : "count"
      #expect(error.description.hasSuffix("(at [0].\(key), row 0, identity 1)"), "\(error)")
    }
  }

  @Test func reportTableHasAMergedColumn() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "color": "red"}, {"id": 1, "color": "blue"}]"#
    let report = try await store.sync(payload: payload, as: Flag.self)
    #expect(report[Flag.self].merged == 1)
    #expect(
      report.description.hasPrefix(
        "model  inserted  updated  unchanged  merged\nFlag          1        0          0       1\n"))
    #expect(try JSONDecoder().decode(SyncReport.self, from: JSONEncoder().encode(report)) == report)
  }
}

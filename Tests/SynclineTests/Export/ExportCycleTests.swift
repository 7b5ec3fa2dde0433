import Foundation
import Syncline
import SynclineTesting
import TestRuns
import Testing

/// The depth to which an export follows rows that refer back to each other.
@Suite(.enabled(if: TestKind.thorough.runs))
struct ExportCycleTests {
  private func text<Model: SyncUpdatableModel>(
    _ model: Model.Type, in store: SyncContainer, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let text = String(decoding: try await store.exportData(as: model), as: UTF8.self)
    let rows = try await SyncJSON.array(store.export(as: model)).description
    #expect(text == rows, sourceLocation: sourceLocation)
    let report = try await store.sync(payload: text, as: model)
    #expect(report.isUnchanged && report.problems.isEmpty, "\(report)", sourceLocation: sourceLocation)
    return text
  }

  @Test func exportSizeGrowsWithLinksNotWithPaths() async throws {
    for count in [2, 3, 6, 12, 40] {
      let store = try makeStore()
      let all = (1...count).map { #"{"id": \#($0)}"# }.joined(separator: ",")
      try await store.sync(
        payload: payload(1...count) { #"{"id": \#($0), "name": "A", "books": [\#(all)]}"# }, as: Author.self)
      let author = try #require(try await store.database.read { try Author.fetchOne($0) })
      let links = count * count
      let body = try await store.export(author).data()
      #expect(body.count > links * 8)
      #expect(body.count < links * 10 + count * 25 + 40, "\(count) rows")
      let authors = try await text(Author.self, in: store)
      #expect(authors.utf8.count < count * (body.count + 4))
      let books = try await text(Book.self, in: store)
      #expect(books.utf8.count < count * (links * 10 + count * 35 + 40))
    }
  }

  @Test func backReferencesInATreeAreExportedAsIdentities() async throws {
    let store = try makeStore()
    // A binary tree: row n is the parent of rows 2n and 2n+1, in nine levels.
    let count = 511
    try await store.sync(
      payload: payload(1...count) {
        #"{"id": "\#($0)", "name": "N"\#($0 > 1 ? #", "parent_id": "\#($0 / 2)""# : "")}"#
      }, as: Category.self)
    let body = try await text(Category.self, in: store)
    let rows = try #require(try SyncJSON(parsing: body).array)
    func size(_ row: SyncJSON, _ key: String) -> Int {
      1
        + (row[key]?.array ?? row[key].map { [$0] } ?? []).filter { $0.object != nil }
        .reduce(0) { $0 + size($1, key) }
    }
    let root = try #require(rows.first { $0["id"] == "1" })
    let leaf = try #require(rows.first { $0["id"] == "511" })
    #expect(size(root, "children") == count)
    #expect(root["children"]?[0]?["parent"] == ["id": "1"])
    #expect(size(leaf, "parent") == 9)
    #expect(leaf["parent"]?["children"] == nil)
    // Each row occurs once below and once above each of its direct ancestors and descendants.
    #expect(body.utf8.count < count * 9 * 2 * 100)
  }

  /// The nested rows of a parent are read by the same SQL during the read of its rows.
  @Test func childrenOfTheSameModelAreExportedAsTrees() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: payload(1...15) {
        #"{"id": "\#($0)", "name": "N"\#($0 > 1 ? #", "parent_id": "\#($0 / 2)""# : "")}"#
      }, as: Category.self)
    let rows = try await store.export(as: Category.self, parent: "1", relationship: \.parent)
    #expect(rows.map { $0["id"] } == ["2", "3"])
    for row in rows {
      let children = try #require(row["children"]?.array)
      #expect(children.map { $0["children"]?.array?.count } == [2, 2])
    }
    let text = try await store.exportData(as: Category.self, parent: "1", relationship: \.parent)
    #expect(String(decoding: text, as: UTF8.self) == SyncJSON.array(rows).description)
  }

  @Test func selfRelationshipsAreNotFollowedAlternately() async throws {
    let store = try makeStore()
    let count = 50
    try await store.sync(
      payload: payload(1...count) {
        $0 == count ? #"{"id": \#($0)}"# : #"{"id": \#($0), "manager": \#($0 + 1), "mentor": \#($0 + 1)}"#
      }, as: Employee.self)
    let body = try await text(Employee.self, in: store)
    #expect(body.utf8.count < count * count * 4 * 100)
    let first = try #require(try SyncJSON(parsing: body)[0])
    #expect(first["manager"]?["mentor"] == ["id": 3])
    #expect(first["manager"]?["reports"] == nil)
    #expect(first["manager"]?["mentees"] == [["id": 1]])
    #expect(first["mentor"]?["mentor"]?["mentor"]?["mentor"]?["id"] == 5)
  }

  @Test func manyToManySelfRelationshipIsExportedAsIdentities() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "knows": [1, 2, 3]}, {"id": 2}, {"id": 3}]"#, as: Employee.self)
    let first = try #require(try SyncJSON(parsing: try await text(Employee.self, in: store))[0])
    #expect(first["knows"] == [["id": 1], ["id": 2], ["id": 3]])
  }

  @Test func modelAlreadyOnThePathIsExportedAsIdentity() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]}]"#,
      as: Project.self)
    let rows = try #require(try SyncJSON(parsing: try await text(Project.self, in: store)).array)
    #expect(rows.first?["tasks"]?.array?.map { $0["project"] } == [["id": 1], ["id": 1]])
  }

  @Test func identityAtAKeyPathIsExportedNested() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "leaves": [{"meta": {"key": "a", "note": "n"}}, {"meta": {"key": "b"}}]}]"#,
      as: Branch.self)
    let leaves = try #require(try SyncJSON(parsing: try await text(Leaf.self, in: store)).array)
    #expect(leaves.first?["branch"] == ["id": 1])
    #expect(leaves.first?["meta"] == ["key": "a", "note": "n"])
    _ = try await text(Branch.self, in: store)
    try await store.sync(payload: #"[{"id": 2, "leaves": [{"meta": {"key": "c"}}, "d"]}]"#, as: Branch.self)
    let branches = try #require(try SyncJSON(parsing: try await text(Branch.self, in: store)).array)
    #expect(branches.last?["leaves"]?[0]?["branch"] == ["id": 2])
  }

  @Test func cyclicReferenceIsNullIfTheIdentityIsNotExported() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "masks": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]}]"#,
      as: Play.self)
    let plays = try await store.export(as: Play.self)
    #expect(
      plays == [
        ["name": "P", "masks": [["id": 1, "name": "A", "play": nil], ["id": 2, "name": "B", "play": nil]]]
      ])
    let masks = try await store.export(as: Mask.self)
    #expect(masks.first?["play"] == ["name": "P"])
    let text = try await store.exportData(as: Play.self)
    #expect(String(decoding: text, as: UTF8.self) == SyncJSON.array(plays).description)
  }

  @Test func exportIsLimitedToTheDepthASyncReads() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: payload(1...80) {
        #"{"id": "\#($0)", "name": "N"\#($0 < 80 ? #", "parent_id": "\#($0 + 1)""# : "")}"#
      }, as: Category.self)
    let body = try await text(Category.self, in: store)
    var row = try SyncJSON(parsing: body).array?.first { $0["id"] == "1" }
    var levels = 1
    while let parent = row?["parent"], parent.object != nil {
      row = parent
      levels += 1
    }
    #expect(levels == 64)
    #expect(row == ["id": "64"])
  }
}

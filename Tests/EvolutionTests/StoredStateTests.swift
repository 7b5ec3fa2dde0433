import GRDB
import Syncline
import TestSupport
import Testing

/// What is stored about rows and links follows an evolution (contract, sections 8 and 11).
@Suite struct StoredStateTests {
  private static let note = "model Note { id: Int }"
  private static let task = "model Task { id: Int; title: String? }"

  /// The third schema reads tasks as the first one does.
  @Test(arguments: ["", "model Task { id: Int }"])
  func cursorIsRemovedWithTheRowsOrValuesOfItsModel(second: String) async throws {
    let database = try DatabaseQueue()
    func open(_ models: String...) throws -> TextStore {
      try TextStore(models.joined(separator: "\n"), in: .database(database))
    }
    let first = try open(Self.task, Self.note)
    try await first.sync(#"[{"id": 1, "title": "a"}]"#, as: "Task")
    try await first.setCursor("t1", of: "Task")
    try await first.setCursor("n1", of: "Note")
    _ = try open(second, Self.note)
    let third = try open(Self.task, Self.note, "model Tag { id: Int }")
    #expect(try await third.cursor(of: "Task") == nil)
    #expect(try await third.cursor(of: "Note") == "n1")
  }

  @Test func pendingLinksOfManyRelationshipsAreKept() async throws {
    let database = try DatabaseQueue()
    let links = (0..<190).map { "@Relationship(inverse: nil) link\($0): Tag?" }.joined(separator: "; ")
    let others = (0..<6).map { "model Other\($0) { id: Int; \(links) }\n" }.joined()
    func open(_ task: String) throws -> TextStore {
      try TextStore("\(task)\n\(others)model Tag { id: Int }", in: .database(database))
    }
    try await open("model Task { id: Int; tag: Tag? }").sync(#"[{"id": 1, "tag_id": 9}]"#, as: "Task")
    let store = try open("model Task { id: Int; tag: Tag?; title: String? }")
    try await store.sync(#"[{"id": 9}]"#, as: "Tag")
    #expect(try await store.rows("SELECT tag FROM Task") == ["9"])
  }
}

import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Reads of a row after SQL has written a value that its property cannot represent.
@Suite struct ForeignColumnTests {
  private func makeStore(_ assignment: String) async throws -> SyncContainer {
    let store = try SynclineTests.makeStore()
    try await store.sync(payload: #"[{"id": 1, "text": "A", "int8": 2}]"#, as: Kinds.self)
    try await store.database.write { try $0.execute(sql: "UPDATE Kinds SET \(assignment)") }
    return store
  }

  @Test(arguments: [
    ("uuid", "x'00'", "UUID", "1 byte"), ("int8", "200", "Int8", "the number 200"),
    ("json", "'{'", "SyncJSON", "the string “{”"),
  ])
  func invalidStoredValueThrowsAnUnreadableRowError(
    _ column: String, _ value: String, _ type: String, _ found: String
  ) async throws {
    let store = try await makeStore("\(column) = \(value)")
    let reason = "the column “\(column)” does not hold a valid \(type): \(found)"
    let error = SyncError.unreadableRow(model: "Kinds", reason: reason)
    await #expect(throws: error) { try await store.database.read { try Kinds.fetchAll($0) } }
    await #expect(throws: error) { try await store.export(as: Kinds.self) }
    await #expect(
      throws: SyncError.unreadableRow(
        model: "Kinds", reason: "the column “\(column)” holds a value that its property cannot read: \(found)"
      )
    ) {
      try await store.exportData(as: Kinds.self)
    }
    // A changed row is decoded, which fails.
    await #expect {
      try await store.sync(item: #"{"id": 1, "text": "B"}"#, as: Kinds.self)
    } throws: { error in
      guard case SyncError.unreadableRow(_, reason) = error else { return false }
      return "\(error)".hasPrefix("A stored row") && "\(error)".hasSuffix(reason)
    }
    #expect(try await store.database.read { try String.fetchOne($0, sql: "SELECT text FROM Kinds") } == "A")
  }

  @Test(arguments: ["[2, 1, 3]", "[1, 2, 3]", "[3, 2, 1]"])
  func unreadableStoredRowIsSkippedUnderTheSkipPolicy(_ order: String) async throws {
    let store = try SynclineTests.makeStore(invalidRows: .skip)
    func payload(_ text: String) -> String {
      order.replacing(/[0-9]/) { #"{"id": \#($0.output), "text": "\#(text)", "int8": \#($0.output)}"# }
    }
    try await store.sync(payload: payload("A"), as: Kinds.self)
    try await store.database.write { try $0.execute(sql: "UPDATE Kinds SET int8 = 'x' WHERE id = 1") }
    let report = try await store.sync(payload: payload("B"), as: Kinds.self)
    #expect(
      report.problems.map(\.description).joined().contains(
        "the column “int8” does not hold a valid Int8: the string “x”"))
    #expect(report[Kinds.self].updated == 2)
    #expect(report[Kinds.self].skipped == 1)
    let texts = try await store.database.read {
      try String.fetchAll($0, sql: "SELECT text FROM Kinds ORDER BY id")
    }
    #expect(texts == ["A", "B", "B"])
    // After the value is corrected, the row can be read.
    try await store.database.write { try $0.execute(sql: "UPDATE Kinds SET int8 = 7 WHERE id = 1") }
    #expect(try await store.sync(payload: payload("B"), as: Kinds.self)[Kinds.self].updated == 1)
  }

  /// A row counts once (contract, section 1).
  @Test func unreadableStoredRowWithTwoObjectsIsReportedOnce() async throws {
    let store = try SynclineTests.makeStore(invalidRows: .skip)
    try await store.sync(payload: #"[{"id": 1, "text": "A", "int8": 1}]"#, as: Kinds.self)
    try await store.database.write { try $0.execute(sql: "UPDATE Kinds SET int8 = 'x'") }
    let report = try await store.sync(
      payload: #"[{"id": 1, "text": "B"}, {"id": 1, "text": "C"}]"#, as: Kinds.self)
    #expect((report[Kinds.self].skipped, report[Kinds.self].unchanged) == (1, 0))
    #expect(report.problemCount == 1)
  }

  @Test func unreadableRowOfAParentIsNotCountedAsUnchanged() async throws {
    let store = try TextStore(
      #"""
      model Board { id: Int; columns: [Column] }
      @ParentScoped(\.board) model Column { id: Int; title: String; width: Int; board: Board }
      """#, SyncConfiguration(invalidRows: .skip))
    try await store.sync(#"[{"id": 1, "columns": [{"id": 1, "title": "A", "width": 1}]}]"#)
    try await store.run("UPDATE \"Column\" SET width = 'x'")
    let report = try await store.sync(#"[{"id": 1, "columns": [{"id": 1, "title": "B"}]}]"#)
    let counts = try #require(report.models["Column"])
    #expect((counts.skipped, counts.unchanged) == (1, 0))
  }
}

import Foundation
import GRDB
import Syncline
import TestSupport
import Testing

/// Triggers of users that leave out writes without an error.
@Suite struct IgnoringTriggerTests {
  private static let schemas = [
    "model Item { id: Int; name: String }", "@Offline model Item { id: Int; name: String }",
    "model Item { id: Int; name: String; box: Box? } model Box { id: Int; items: [Item] }",
  ]

  private func payload(_ numbers: Range<Int>, _ name: String) -> String {
    "[" + numbers.map { #"{"id": \#($0), "name": "\#(name)"}"# }.joined(separator: ", ") + "]"
  }

  /// Otherwise the report would count rows that are not stored.
  @Test(arguments: schemas, ["INSERT", "UPDATE"])
  func rowThatATriggerIgnoresIsAnError(_ schema: String, _ event: String) async throws {
    let store = try TextStore(schema)
    try await store.sync(payload(0..<20, "a"))
    try await store.run(
      "CREATE TRIGGER own BEFORE \(event) ON Item WHEN NEW.id IN (7, 27) BEGIN SELECT RAISE(IGNORE); END")
    await #expect {
      try await store.sync(payload(5..<30, "b"))
    } throws: { error in
      guard let error = error as? DatabaseError else { return false }
      return error.extendedResultCode == .SQLITE_CONSTRAINT_TRIGGER && error.sql?.contains("Item") == true
        && error.message == "the row was not written: a trigger deleted it, or ignored it with RAISE(IGNORE)"
    }
    #expect(try await store.rows("SELECT count(*), max(name) FROM Item") == ["20 a"])
  }

  @Test(arguments: schemas) func rowThatATriggerKeepsIsNotCountedAsDeleted(_ schema: String) async throws {
    let store = try TextStore(schema)
    try await store.sync(payload(0..<20, "a"))
    try await store.run(
      "CREATE TRIGGER own BEFORE DELETE ON Item WHEN OLD.id = 7 BEGIN SELECT RAISE(IGNORE); END")
    let report = try await store.sync("[]")
    #expect(report.totals.deleted == 19)
    #expect(try await store.rows("SELECT id FROM Item") == ["7"])
  }
}

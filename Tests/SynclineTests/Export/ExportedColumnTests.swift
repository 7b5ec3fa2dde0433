import Foundation
import Syncline
import Testing

/// Text that is written directly from columns equals the text of the exported values.
@Suite struct ExportedColumnTests {
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 7, "text": "t", "int": 5, "double": 2.5, "bool": true, "date": "2024-01-02T03:04:05.123Z",
          "uuid": "C3E7A1B2-1001-4000-8000-000000000001", "url": "https://example.com/a", "decimal": 1.25,
          "data": "AAEC", "level": 2, "words": ["a", "b"], "json": {"k": [1]}}]
        """#, as: Required.self)
    return store
  }

  private func expectSame(_ store: SyncContainer, _ column: String, _ value: String) async throws {
    try await store.database.write { try $0.execute(sql: "UPDATE Required SET \(column) = \(value)") }
    let data = try await store.exportData(as: Required.self)
    let rows = try await store.export(as: Required.self)
    #expect(try data == SyncJSON.array(rows).data(), "\(column) = \(value)")
  }

  @Test func textIsExportedDirectlyLikeItsValue() async throws {
    let store = try await store()
    let texts = [
      "", "00", "22", "5c", "0a", "1f", "7f", "c3a9", "f09f9880", "e282ac22", "c3", "ff", "eda080", "f09f98",
    ]
    for text in texts {
      // At each byte of an 8-byte word, and after a character that must be escaped.
      for count in 0...9 {
        let before = String(repeating: "61", count: count)
        try await expectSame(store, "text", "CAST(x'\(before)\(text)\(before)' AS TEXT)")
        try await expectSame(store, "text", "CAST(x'22\(before)\(text)' AS TEXT)")
      }
    }
  }

  @Test(arguments: [
    "0.0", "-0.0", "2.0", "-7.0", "0.1", "1e21", "1e22", "-1.5e300", "5e-324", "9007199254740991.0",
    "9007199254740992.0", "9007199254740994.0", "1e15", "1e16", "9223372036854775807.0", "9e999", "-9e999",
    "123456.789",
  ])
  func numbersAreExportedDirectlyLikeTheirValues(_ number: String) async throws {
    try await expectSame(store(), "double", number)
  }

  @Test(arguments: [
    "2024-01-02 03:04:05.123", "2024-01-02 03:04:05.123456", "2024-01-02 23:59:60.000",
    "2024-02-30 03:04:05.123", "2024-01-02T03:04:05Z", "2024-01-02",
  ])
  func datesAreExportedDirectlyLikeTheirValues(_ date: String) async throws {
    try await expectSame(store(), "date", "'\(date)'")
  }
}

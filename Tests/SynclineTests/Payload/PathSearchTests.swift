import Syncline
import SynclineTesting
import Testing

/// A document is validated around the synced value as strictly as the value itself. Invalid JSON is rejected as a whole.
@Suite struct PathSearchTests {
  private static let document =
    #"{"meta": [1, {"data": 0}], "data": {"n": "[", "items": [{"id": 3, "name": "c"}, "#
    + #"{"id": 4, "name": "d]}"}], "m": {}}, "end": [null]}"#

  @Test(arguments: ["data.items", "data.items[1]", "end[0]", "data.n"])
  func aDocumentWithAWrongByteIsRefused(path: String) async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    let bytes = Array(Self.document.utf8)
    var refused = 0
    for offset in bytes.indices {
      for replacement in ["", "{", "}", "]", ",", "\"", ":", "x", "\\"] {
        let text = String(
          decoding: bytes[..<offset] + replacement.utf8 + bytes[(offset + 1)...], as: UTF8.self)
        guard (try? SyncJSON(parsing: text)) == nil else { continue }
        refused += 1
        let before = try store.rows(of: Project.self)
        await #expect(throws: SyncError.self, "\(text)") {
          if path == "data.items" {
            try await store.sync(payload: text, at: path, as: Project.self)
          } else {
            try await store.sync(item: text, at: path, as: Project.self)
          }
        }
        #expect(try store.rows(of: Project.self) == before, "\(text)")
      }
    }
    #expect(refused > 300)
  }

  @Test(arguments: [
    (#"{"data": {"items": [{"id": 1, "name": "a"}]}, "data": {"items": [{"id": 2, "name": "b"}]}}"#, [2]),
    (#"{"data": {"items": [{"id": 1, "name": "a"}], "items": [{"id": 2, "name": "b"}]}}"#, [2]),
    (#"{"data": {"\u0069tems": [{"id": 3, "name": "a"}]}, "x": {"data": 1}}"#, [3]),
    (#"{"items": [], "data": {"x": "]}\"", "items": []}}"#, []),
  ])
  func lastOfDuplicateKeysOnThePathIsRead(_ payload: String, _ identities: [Int]) async throws {
    let store = try makeStore()
    try await store.sync(payload: payload, at: "data.items", as: Project.self)
    let expected: [SyncJSON?] = identities.map { .number(SyncNumber($0)) }
    #expect(try store.rows(of: Project.self).map { $0["id"] } == expected)
  }

  @Test func duplicateKeysWithInvalidJSONAreRefused() async throws {
    let store = try makeStore()
    for first in ["[}", "[1 2]", "{\"a\"}"] {
      await #expect(throws: SyncError.self) {
        try await store.sync(
          payload: #"{"data": \#(first), "data": [{"id": 1, "name": "a"}]}"#, at: "data", as: Project.self)
      }
    }
    #expect(try store.rows(of: Project.self).isEmpty)
  }
}

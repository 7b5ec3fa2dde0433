import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Payloads with one row per line.
@Suite struct LinesTests {
  private static func lines(_ rows: some Sequence<Int>) -> String {
    rows.map { #"{"id": \#($0), "name": "tag \#($0)"}"# + "\n" }.joined()
  }

  @Test func linesAreSyncedAsAFullList() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([1, 9]), as: Tag.self)
    let text = "\n" + Self.lines([1]) + "\r\n  \n" + Self.lines([2, 3]) + #"{"id": 4, "name": "last"}"#
    let report = try await store.sync(payload: SyncLines(text), as: Tag.self)
    #expect((report.inserted, report.unchanged, report.deleted) == (3, 1, 1))
    #expect(try await store.sync(payload: SyncLines(Data(text.utf8)), as: Tag.self).isUnchanged)
    #expect(try store.tags() == [1, 2, 3, 4])
  }

  @Test func linesInAnyOrderSyncLikeAnArray() async throws {
    var random = SeededGenerator(seed: 14_400)
    for _ in 0..<10 {
      let rows = Array(0..<300).shuffled(using: &random)
      let (store, other) = (try makeStore(), try makeStore())
      for part in [rows, Array(rows.prefix(200)), rows] {
        let report = try await store.sync(payload: SyncLines(Self.lines(part)), as: Tag.self)
        let expected = try await other.sync(payload: PagedServer.payload(part), as: Tag.self)
        #expect(report.models == expected.models)
      }
      #expect(try store.tags() == other.tags())
    }
  }

  @Test func textWithoutLinesIsAnEmptyList() async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([1]), as: Tag.self)
    let kept = try await store.sync(
      payload: SyncLines(" \n"), as: Tag.self, requireNonEmptyFullSlice: true)
    #expect(kept.actions == [.deletedNothing])
    #expect(try await store.sync(payload: SyncLines(""), as: Tag.self).deleted == 1)
  }

  @Test(arguments: [
    #"{"id": 1, "name": "a"} {"id": 2, "name": "b"}"#, #"{"id": 1, "name": "a"}"# + "\n" + #"{"id": 2, "na"#,
    #"{"id": 1, "name": "a"},"# + "\n" + #"{"id": 2, "name": "b"}"#, "[]", "7", "{}x",
  ])
  func lineThatIsNotASingleObjectIsRejected(_ text: String) async throws {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([5]), as: Tag.self)
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: SyncLines(text), as: Tag.self)
    }
    #expect(try store.tags() == [5])
  }

  @Test(arguments: ["", " \n", "{}", "\n{\"id\": 1}\r\n\n{\"id\": 2}\n"])
  func linesAreValidPayloads(_ text: String) throws {
    try SyncJSON.validate(SyncLines(text))
  }

  @Test(arguments: ["{} {}", "{},\n{}", "{}\n{\"id\": 2, \"na", "{}x"])
  func invalidLinesAreInvalidPayloads(_ text: String) {
    #expect(throws: SyncError.self) { try SyncJSON.validate(SyncLines(text)) }
  }

  @Test func pathWithALinesPayloadIsRejected() async throws {
    let store = try makeStore()
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(payload: SyncLines(Self.lines([1])), at: "items", as: Tag.self)
    }
    #expect(
      error?.description
        == "Invalid payload for Tag: a path cannot be combined with lines: each line is a row")
  }

  @Test func linesFileIsSyncedInPages() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file("tags.ndjson")
    try Self.lines(0..<2_500).write(to: file, atomically: true, encoding: .utf8)
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload([9_999]), as: Tag.self)
    let report = try await store.sync(pages: SyncLinePages(of: file), as: Tag.self)
    #expect((report.inserted, report.deleted) == (2_500, 1))
    await #expect(throws: CocoaError.self) {
      try await store.sync(pages: SyncLinePages(of: folder.file("none.ndjson")), as: Tag.self)
    }
    #expect(try store.tags().count == 2_500)
  }

  @Test func linesSplitAcrossChunksAreReassembled() async throws {
    let text = Array((Self.lines(0..<57) + #"{"id": 57, "name": "é"}"#).utf8)
    for size in [1, 2, 7, 64, 1_000, 10_000] {
      for rows in [1, 10, 58, 100] {
        let chunks = AsyncStream<ArraySlice<UInt8>> { source in
          for start in stride(from: 0, to: text.count, by: size) {
            source.yield(text[start..<min(text.count, start + size)])
          }
          source.finish()
        }
        let store = try SyncContainer(for: Tag.self, User.self, Task.self, Project.self, Item.self)
        let report = try await store.sync(pages: SyncLinePages(chunks, rowsPerPage: rows), as: Tag.self)
        #expect(report.inserted == 58, "\(size), \(rows)")
        #expect(try store.tags() == Array(0...57))
      }
    }
  }
}

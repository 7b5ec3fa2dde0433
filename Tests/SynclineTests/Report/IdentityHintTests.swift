import Syncline
import SynclineTesting
import Testing

/// The message of the error if no row of a payload has an identity.
@Suite struct IdentityHintTests {
  private func reason(_ payload: String, at path: String? = nil) async throws -> String {
    let store = try SynclineTestsSchema.makeStore(in: nil, SyncConfiguration())
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(payload: payload, at: path, as: Project.self)
    }
    return error?.description ?? ""
  }

  @Test func similarlySpelledIdentityKeyIsSuggested() async throws {
    let reason = try await reason(#"[{"Id": 1, "name": "A"}]"#)
    #expect(reason.hasSuffix(#"; did you mean @PrimaryKey(remote: "Id")?"#), "\(reason)")
  }

  @Test func errorNamesTheUnreadableIdentityValue() async throws {
    let reason = try await reason(#"[{"id": "x", "name": "A"}]"#)
    #expect(reason.hasSuffix("; “id” of the first row is the string “x”, not an integer"), "\(reason)")
  }

  @Test func pathOfWrappedRowsIsSuggested() async throws {
    let reason = try await reason(#"{"data": [{"row": {"id": 1, "name": "A"}, "rank": 1}]}"#, at: "data")
    #expect(reason.hasSuffix(#"; if the rows are in “row”, name them with at: "data[].row""#), "\(reason)")
    let root = try await self.reason(#"[{"row": {"id": 1, "name": "A"}}]"#)
    #expect(root.hasSuffix(#"at: "[].row""#), "\(root)")
  }

  /// No path leads into the lists of changes.
  @Test func noPathIsSuggestedForChanges() async throws {
    let store = try SynclineTestsSchema.makeStore(in: nil, SyncConfiguration())
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(changes: #"{"created": [{"row": {"id": 1, "name": "A"}}]}"#, as: Project.self)
    }
    #expect(error?.description.contains("at:") == false)
  }

  @Test func nothingIsSuggestedWithoutASimilarKey() async throws {
    let reason = try await reason(#"[{"name": "A", "one": {"id": 1}, "two": {"id": 2}}]"#)
    #expect(reason.contains("no row has an identity") && !reason.contains("at:"), "\(reason)")
    #expect(!reason.contains("did you mean"), "\(reason)")
  }

  @Test func missingResourceTypeIsNamedInTheError() async throws {
    let store = try SynclineTestsSchema.makeStore(in: nil, SyncConfiguration())
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(
        jsonAPI: #"{"data": [{"id": "1", "attributes": {"name": "A"}}]}"#, as: Project.self)
    }
    #expect(error?.description.contains("no resource has a “type”") ?? false, "\(String(describing: error))")
  }

  @Test func theRowsOfManyListsInAMapAreRead() async throws {
    let store = try SynclineTestsSchema.makeStore(in: nil, SyncConfiguration())
    let payload = #"""
      {"days": {"mon": {"games": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]}, "tue": {"games": []},
        "wed": {"games": [{"id": 3, "name": "C"}]}, "thu": {}}}
      """#
    let report = try await store.sync(payload: payload, at: "days{}.games[]", as: Project.self)
    #expect(report.inserted == 3)
  }
}

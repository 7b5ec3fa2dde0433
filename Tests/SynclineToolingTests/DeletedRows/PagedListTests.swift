import Syncline
import TestSupport
import Testing

/// Rows that nested lists of pages leave out.
@Suite struct PagedListTests {
  @Test(arguments: [true, false])
  func rowLeftOutOfAListOfItsModelHasThePolicyOfTheCall(isPaged: Bool) async throws {
    let store = try TextStore(
      """
      @SoftDelete(\\.deletedAt)
      model Category {
        id: Int
        deletedAt: Date?
        parent: Category?
        @Relationship(inverse: \\Category.parent, missing: .softDelete) children: [Category]
      }
      """)
    try await store.sync(list: #"[{"id": 1, "children": [{"id": 2}]}]"#)
    let list = #"[{"id": 1, "children": []}]"#
    let report =
      isPaged
      ? try await store.sync(pages: [SyncPage(list)], policy: .hardDeleteMissing)
      : try await store.sync(list: list, policy: .hardDeleteMissing)
    #expect(report.deleted == 1 && report.softDeleted == 0)
    #expect(try await store.rows("SELECT id FROM Category") == ["1"])
  }
}

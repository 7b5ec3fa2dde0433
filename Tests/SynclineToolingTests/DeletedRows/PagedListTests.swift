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

  /// The list of an object that is not newer does not count, whether it has the stored members or others.
  @Test(arguments: [([1, 2], ["1 1", "2 -"]), ([2], ["1 1", "2 -"]), ([1], ["1 1"])])
  func listOfARowThatIsNotNewerReplacesNoList(second: [Int], lines: [String]) async throws {
    let store = try TextStore(
      """
      @UpdatedAt(\\.stamp)
      model Order { id: Int; stamp: Date?; @Relationship(missing: .delete) lines: [Line] }
      model Line { id: Int; order: Order? }
      """)
    func orders(_ day: Int, _ lines: [Int]) -> String {
      let lines = lines.map { #"{"id": \#($0)}"# }.joined(separator: ", ")
      return #"[{"id": 1, "stamp": "2020-01-0\#(day)", "lines": [\#(lines)]}]"#
    }
    try await store.sync(orders(1, [1, 2]), as: "Order")
    let pages = [SyncPage(orders(2, [1])), SyncPage(orders(2, second))]
    _ = try await store.sync(pages: pages, as: "Order")
    #expect(try await store.rows("SELECT id, \"order\" FROM Line ORDER BY id") == lines)
  }

  @Test func rowsThatStayAreReportedInTheOrderOfTheirOwners() async throws {
    let store = try TextStore(
      """
      model Order {
        id: Int
        @Relationship(inverse: \\.order, missing: .delete) lines: [Line]
        top: Star?
      }
      model Line { id: Int; order: Order; star: Star? }
      model Star { id: Int; @Relationship(inverse: \\.star) lines: [Line] }
      """)
    func orders(lines: (Int) -> String) -> String {
      "[" + (1...6).map { #"{"id": \#($0), "lines": [\#(lines($0))]}"# }.joined(separator: ", ") + "]"
    }
    try await store.sync(orders { #"{"id": \#($0)0}, {"id": \#($0)1}"# }, as: "Order")
    let lines = (1...6).map { #"{"id": \#($0)1}"# }.joined(separator: ", ")
    let report = try await store.sync(
      pages: [
        SyncPage(orders { #"{"id": \#($0)0}"# }),
        SyncPage(#"[{"id": 99, "top": {"id": 1, "lines": [\#(lines)]}}]"#),
      ], as: "Order")
    #expect(report.problems.map(\.identity) == ["1", "2", "3", "4", "5", "6"])
  }

  /// A row on no page that `confirm` or `absences` keeps only leaves the list.
  @Test(arguments: [1, 2]) func keptRowIsNotDeletedByAListOfItsModel(absences: Int) async throws {
    let store = try TextStore(
      """
      model Category {
        id: Int
        parent: Category?
        @Relationship(inverse: \\Category.parent, missing: .delete) children: [Category]
      }
      """)
    try await store.sync(list: #"[{"id": 1, "children": [{"id": 2}]}]"#)
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncReport {
      let pages = AsyncStream<SyncPage> { stream in
        stream.yield(SyncPage(#"[{"id": 1, "children": []}]"#))
        stream.finish()
      }
      let keepsAll: SyncConfirmation<Model> = { _ in [] }
      return try await store.container.sync(
        pages: pages, as: model, absences: absences, confirm: absences == 1 ? keepsAll : nil)
    }
    let report = try await sync(store.model("Category"))
    #expect(report.deleted == 0 && report.unlinked > 0)
    #expect(try await store.rows("SELECT id, parent FROM Category ORDER BY id") == ["1 -", "2 -"])
  }

  /// A resource of an unknown type: the pages do not show which orders are missing, but a list shows which lines are.
  @Test func cursorOfADocumentIsNotStoredWhileLeftOutRowsAwaitDeletion() async throws {
    let store = try TextStore(
      """
      model Order { id: Int; @Relationship(missing: .delete) lines: [Line] }
      model Line { id: Int; order: Order? }
      """)
    try await store.sync(#"[{"id": 1, "lines": [{"id": 1}, {"id": 2}]}]"#, as: "Order")
    let lines = #"{"data": [{"type": "lines", "id": "1"}]}"#
    let first = SyncDocument(
      #"{"data": [{"type": "orders", "id": "1", "relationships": {"lines": \#(lines)}}, {"type": "faxes", "id": "9"}]}"#
    )
    try await store.sync(pages: [SyncPage(first, cursor: "2")], as: "Order")
    #expect(try await store.cursor(of: "Order") == nil)
    let last = SyncDocument(#"{"data": []}"#)
    let report = try await store.sync(
      pages: [SyncPage(first, cursor: "2"), SyncPage(last)], as: "Order")
    #expect(report.deleted == 1)
    #expect(try await store.rows("SELECT id FROM Line") == ["1"])
  }

  /// A lane is deleted if its board's list leaves it out, and takes its detail with it, unless a page has that.
  @Test func cascadeOfAParentScopedRowKeepsRowsOfPages() async throws {
    let store = try TextStore(
      """
      model Space { id: Int; boards: [Board] }
      model Board { id: Int; space: Space?; lanes: [Lane]; pinned: Detail? }
      @ParentScoped(\\.board)
      model Lane { id: Int; board: Board; @Relationship(deleteRule: .cascade) detail: Detail? }
      model Detail { id: Int }
      """)
    try await store.sync(
      #"""
      [{"id": 1, "boards": [{"id": 1, "lanes": [{"id": 1}, {"id": 2, "detail": {"id": 7}}]}]},
       {"id": 2, "boards": [{"id": 2}]}]
      """#, as: "Space")
    let texts = [
      #"[{"id": 1, "boards": [{"id": 1, "lanes": [{"id": 1}]}]}]"#,
      #"[{"id": 2, "boards": [{"id": 2, "pinned": {"id": 7}}]}]"#,
    ]
    let report = try await store.sync(pages: texts.map { SyncPage($0) }, as: "Space")
    #expect(report.deleted == 1)
    #expect(try await store.rows("SELECT id FROM Lane") == ["1"])
    #expect(try await store.rows("SELECT id FROM Detail") == ["7"])
  }

  /// The second time, the order has the stamp that is stored, so its list says nothing.
  @Test func rowLeftOutOfAPageThatArrivesTwiceIsDeleted() async throws {
    let store = try TextStore(
      """
      @UpdatedAt(\\.updatedAt)
      model Order { id: Int; updatedAt: Date; @Relationship(missing: .delete) lines: [Line] }
      model Line { id: Int; order: Order? }
      """)
    try await store.sync(
      #"[{"id": 1, "updated_at": "2026-01-01T00:00:00Z", "lines": [{"id": 1}, {"id": 2}]}]"#, as: "Order")
    let page = SyncPage(#"[{"id": 1, "updated_at": "2026-01-02T00:00:00Z", "lines": [{"id": 1}]}]"#)
    let report = try await store.sync(pages: [page, page], as: "Order")
    #expect(report.deleted == 1)
    #expect(try await store.rows("SELECT id FROM Line") == ["1"])
  }
}

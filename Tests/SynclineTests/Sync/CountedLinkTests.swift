import Syncline
import TestSupport
import Testing

extension CountedWork {
  /// The work for links that wait for rows, and for rows that lists leave out. It must not be quadratic.
  @Suite struct ManyLinks {
    private let folder = TemporaryFolder()

    private func list(_ count: Int, _ object: (Int) -> String) -> String {
      "[\((1...count).map(object).joined(separator: ","))]"
    }

    /// The rows of the looked-up keys are new, or they were stored without these keys.
    @Test(arguments: ["Int", "String"], [true, false])
    func pendingLinksOfArrivingKeysAreLookedUp(type: String, isStored: Bool) async throws {
      func key(_ number: Int) -> String { type == "Int" ? "\(number)" : "\"\(number)\"" }
      func steps(pending count: Int) async throws -> Int {
        let store = try TextStore(
          """
          model Order { id: Int; @RemoteKey("code") @Relationship(by: \\Customer.code) customer: Customer? }
          model Customer { id: Int; @Unique code: \(type)? }
          """, in: .file(folder.file()))
        if isStored { try await store.sync(list(10) { "{\"id\": \($0)}" }, as: "Customer") }
        try await store.sync(list(count) { "{\"id\": \($0), \"code\": \(key($0))}" }, as: "Order")
        let customers = list(10) { "{\"id\": \($0), \"code\": \(key($0))}" }
        let work = try await store.container.work { try await store.sync(customers, as: "Customer") }
        #expect(try await store.rows("SELECT count(customer) FROM \"Order\"") == ["10"])
        return work.steps
      }
      let (few, many) = (try await steps(pending: 100), try await steps(pending: 2000))
      #expect(many < few + 1000)
    }

    @Test func exportLooksUpPendingLinksOfPartners() async throws {
      func steps(count: Int) async throws -> Int {
        // A store in memory has one connection, so that the reading connection is counted.
        let store = try TextStore(
          "model User { id: Int; profile: Profile? }\nmodel Profile { id: Int; user: User? }")
        try await store.sync(list(count) { "{\"id\": \($0)}" }, as: "User")
        try await store.sync(list(count) { "{\"id\": \($0), \"user_id\": \($0)}" }, as: "Profile")
        let users = list(count) { "{\"id\": \(10_000 + $0), \"profile_id\": \(10_000 + $0)}" }
        try await store.sync(
          String(users.dropLast()) + "," + list(count) { "{\"id\": \($0)}" }.dropFirst(), as: "User")
        let counter = StepCounter()
        try await store.container.database.write { counter.start($0) }
        _ = try await store.exportData("Profile")
        try await store.container.database.write { counter.stop($0) }
        return counter.steps
      }
      let (few, many) = (try await steps(count: 100), try await steps(count: 800))
      #expect(few > 1000)
      #expect(many < 12 * few)
    }

    @Test func endOfPagesReadsEachListOnce() async throws {
      func steps(members count: Int) async throws -> Int {
        let store = try TextStore(
          """
          model Project { id: Int; @Relationship(missing: .delete) tasks: [Task] }
          model Task { id: Int; project: Project? }
          """, in: .file(folder.file()))
        let tasks = list(count) { "{\"id\": \($0)}" }
        try await store.sync("[{\"id\": 1, \"tasks\": \(tasks)}]", as: "Project")
        let work = try await store.container.work {
          try await store.sync(pages: [SyncPage(#"[{"id": 1, "tasks": []}]"#)], as: "Project")
        }
        #expect(try await store.rows("SELECT count(*) FROM Task") == ["0"])
        return work.steps
      }
      let (few, many) = (try await steps(members: 100), try await steps(members: 800))
      #expect(many < 12 * few)
    }
  }
}

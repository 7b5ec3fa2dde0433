import Syncline
import TestSupport
import Testing

extension CountedWork {
  /// The work for links that wait for rows, and for rows that lists leave out. It must not be quadratic.
  @Suite struct ManyLinks {
    @Test(arguments: ["Int", "String"])
    func pendingLinksOfAnArrivingRowAreLookedUp(type: String) async throws {
      func key(_ number: Int) -> String { type == "Int" ? "\(number)" : "\"\(number)\"" }
      func steps(pending count: Int) async throws -> Int {
        let store = try TextStore(
          """
          model Order { id: Int; @RemoteKey("code") @Relationship(by: \\Customer.code) customer: Customer? }
          model Customer { id: Int; @Unique code: \(type) }
          """)
        let orders = (1...count).map { "{\"id\": \($0), \"code\": \(key($0))}" }
        try await store.sync("[\(orders.joined(separator: ","))]", as: "Order")
        let customers = (1...10).map { "{\"id\": \($0), \"code\": \(key($0))}" }
        let work = try await store.container.work {
          try await store.sync("[\(customers.joined(separator: ","))]", as: "Customer")
        }
        #expect(try await store.rows("SELECT count(customer) FROM \"Order\"") == ["10"])
        return work.steps
      }
      let (few, many) = (try await steps(pending: 100), try await steps(pending: 2000))
      #expect(many < few + 1000)
    }

    @Test func exportLooksUpPendingLinksOfPartners() async throws {
      func steps(count: Int) async throws -> Int {
        let store = try TextStore(
          "model User { id: Int; profile: Profile? }\nmodel Profile { id: Int; user: User? }")
        func rows(_ row: (Int) -> String) -> String { "[\((1...count).map(row).joined(separator: ","))]" }
        try await store.sync(rows { "{\"id\": \($0)}" }, as: "User")
        try await store.sync(rows { "{\"id\": \($0), \"user_id\": \($0)}" }, as: "Profile")
        let users = rows { "{\"id\": \(10_000 + $0), \"profile_id\": \(10_000 + $0)}" }
        try await store.sync(
          String(users.dropLast()) + "," + rows { "{\"id\": \($0)}" }.dropFirst(), as: "User")
        let work = try await store.container.work { _ = try await store.exportData("Profile") }
        return work.steps
      }
      let (few, many) = (try await steps(count: 100), try await steps(count: 800))
      #expect(many < 12 * few)
    }

    @Test func endOfPagesReadsEachListOnce() async throws {
      func steps(members count: Int) async throws -> Int {
        let store = try TextStore(
          """
          model Project { id: Int; @Relationship(missing: .delete) tasks: [Task] }
          model Task { id: Int; project: Project? }
          """)
        let tasks = (1...count).map { "{\"id\": \($0)}" }.joined(separator: ",")
        try await store.sync("[{\"id\": 1, \"tasks\": [\(tasks)]}]", as: "Project")
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

import Foundation
import TestSupport
import Testing

@testable import Syncline

/// What syncs and pushes cost while many edits are pending, as SQLite counts it (contract, section 13).
@Suite struct CountedPullTests {
  private let projects = SyncJSON.array((1...600).map { ["id": .number(.init($0)), "name": "p"] })

  /// The work of the second of two items, so that what is prepared once does not count.
  private func workOfItem(pending count: Int) async throws -> Work {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try makeStore(in: folder)
    try await store.sync(payload: projects, as: Project.self)
    try await store.run("UPDATE Project SET name = 'mine' WHERE id <= ?", [count])
    try await store.sync(item: #"{"id": 599, "name": "a"}"#, as: Project.self)
    return try await store.work { try await store.sync(item: #"{"id": 600, "name": "b"}"#, as: Project.self) }
  }

  /// The edits of its own rows are looked up, however many there are of others.
  @Test func itemSyncCostIsIndependentOfEditsOfOtherRows() async throws {
    let (few, many) = (try await workOfItem(pending: 10), try await workOfItem(pending: 500))
    #expect(few.changes == many.changes && few.runs == many.runs)
    #expect(abs(few.steps - many.steps) < 20, "\(few), \(many)")
    // GRDB prepares these two for each transaction.
    #expect(many.prepared == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
  }

  private func identity(_ number: Int, _ type: String) -> String {
    switch type {
    case "Int": "\(number)"
    case "String": "\"T\(number)\""
    default: "\"ABCDEF00-0000-0000-0000-\(String(1_000_000_000_000 + number).dropFirst())\""
    }
  }

  /// The edits of rows with links to others are looked up by these links, too.
  @Test(arguments: ["Int", "String", "UUID"])
  func itemSyncCostIsIndependentOfEditsOfRowsWithLinks(type: String) async throws {
    func id(_ number: Int) -> String { identity(number, type) }
    func work(pending count: Int) async throws -> Work {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let store = try TextStore(
        """
        @Offline model Task {
          id: \(type)
          title: String
          owner: User?
          tags: [Tag]
          @Relationship(inverse: nil) parent: Task?
        }
        model User { id: \(type) }
        model Tag { id: \(type) }
        """, in: .file(folder.file()))
      let rows = (1...600).map { number in
        """
        {"id": \(id(number)), "title": "t", "owner": {"id": \(id(1000 + number % 50))},
         "parent_id": \(id(number / 2 + 1)), "tags": []}
        """
      }
      try await store.sync("[\(rows.joined(separator: ","))]", as: "Task")
      try await store.run("UPDATE Task SET title = 'mine' WHERE rowid <= \(count)")
      let item = #"{"id": \#(id(599)), "title": "a", "owner": {"id": \#(id(1007))}}"#
      try await store.sync(item, as: "Task")
      return try await store.container.work {
        try await store.sync(#"{"id": \#(id(600)), "title": "b"}"#, as: "Task")
      }
    }
    let (few, many) = (try await work(pending: 70), try await work(pending: 590))
    #expect(few.runs == many.runs)
    #expect(abs(few.steps - many.steps) < 60, "\(few), \(many)")
  }

  /// The edits of rows that an item may concern are found, however these are linked to rows of the item.
  @Test(arguments: ["Int", "String", "UUID"], [3, 300])
  func editsOfRowsLinkedToAnItemAreReset(type: String, count: Int) async throws {
    func id(_ number: Int) -> String { identity(number, type) }
    let store = try TextStore(
      """
      @Offline model Task { id: \(type); title: String; owner: User?; topics: [Topic] }
      model User { id: \(type); @Relationship(inverse: \\Task.owner) tasks: [Task] }
      model Topic { id: \(type); @Relationship(inverse: \\Task.topics) tasks: [Task] }
      """)
    let rows = (1...count).map { number in
      """
      {"id": \(id(number)), "title": "t", "owner": {"id": \(id(1))}, "topics": [{"id": \(id(number % 3))}]}
      """
    }
    try await store.sync("[\(rows.joined(separator: ","))]", as: "Task")
    try await store.run("UPDATE Task SET title = 'mine'")
    try await store.run("UPDATE Task SET owner = NULL WHERE rowid = 2")
    try await store.run("DELETE FROM \"Task.topics\" WHERE rowid = 3")
    // The server takes all tasks from the user, and from a tag: what is stored of the edited rows follows.
    try await store.sync(#"{"id": \#(id(1)), "tasks": []}"#, as: "User")
    try await store.sync(#"{"id": \#(id(0)), "tasks": []}"#, as: "Topic")
    #expect(try await store.rows("SELECT count(*) FROM Task WHERE owner IS NOT NULL") == ["0"])
    #expect(try await store.rows("SELECT count(*) FROM Task WHERE title <> 'mine'") == ["0"])
    let table = "\"syncline_edit_Task\""
    #expect(try await store.rows("SELECT count(*) FROM \(table)") == ["\(count)"])
    #expect(try await store.rows("SELECT count(*) FROM \(table) WHERE base_owner IS NOT NULL") == ["0"])
    let tagged = try await store.rows("SELECT count(*) FROM \(table) WHERE base_topics = '[]'")
    #expect(tagged == ["\(count / 3)"])
  }

  /// Models whose items may change rows that they do not name are no reason to put back the edits for other items.
  @Test func itemSyncCostIsIndependentOfOtherModels() async throws {
    func work(pending count: Int) async throws -> Work {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let store = try TextStore(
        #"""
        @Offline model Project { id: Int; name: String }
        model Order { id: Int; @Relationship(missing: .delete) lines: [Line] }
        model Line { id: Int; order: Order?; @Relationship(by: \Country.code) country: Country? }
        model Country { id: Int; @Unique code: String }
        """#, in: .file(folder.file()))
      try await store.sync(String(decoding: try projects.data(), as: UTF8.self), as: "Project")
      try await store.run("UPDATE Project SET name = 'mine' WHERE id <= \(count)")
      try await store.sync(item: #"{"id": 599, "name": "a"}"#, as: "Project")
      return try await store.container.work {
        try await store.sync(item: #"{"id": 600, "name": "b"}"#, as: "Project")
      }
    }
    let (few, many) = (try await work(pending: 10), try await work(pending: 500))
    #expect(few.runs == many.runs)
    #expect(abs(few.steps - many.steps) < 20, "\(few), \(many)")
  }

  /// The edits of rows whose unique values an item may contain are looked up by these values.
  @Test(arguments: ["Int", "String", "UUID"])
  func itemSyncCostIsIndependentOfEditsOfRowsWithUniqueValues(type: String) async throws {
    func work(pending count: Int) async throws -> Work {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let store = try TextStore(
        "@Offline model Project { id: Int; name: String; @Unique code: \(type)? }", in: .file(folder.file()))
      let rows = (1...600).map {
        "{\"id\": \($0), \"name\": \"p\", \"code\": \(identity(10_000 + $0, type))}"
      }
      try await store.sync("[\(rows.joined(separator: ","))]")
      try await store.run("UPDATE Project SET name = 'mine' WHERE id <= \(count)")
      try await store.sync(item: #"{"id": 599, "name": "a"}"#)
      return try await store.container.work {
        try await store.sync(item: "{\"id\": 600, \"name\": \"b\", \"code\": \(identity(10_601, type))}")
      }
    }
    let (few, many) = (try await work(pending: 10), try await work(pending: 500))
    #expect(few.runs == many.runs)
    // The values that the server last sent have no index: they are compared, at a few steps for each edit.
    #expect(many.steps < few.steps + 490 * 12, "\(few), \(many)")
  }

  /// A batch reads the edits that it sends, however many follow.
  @Test(arguments: ["UPDATE Project SET name = 'mine'", "DELETE FROM Project"])
  func pushBatchCostIsIndependentOfRemainingEdits(edit: String) async throws {
    func work(pending count: Int) async throws -> Work {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let store = try makeStore(in: folder)
      try await store.sync(payload: projects, as: Project.self)
      try await store.run("\(edit) WHERE id <= ?", [count])
      func push() async throws {
        let report = try await store.withPendingChanges(for: Project.self, limit: 3) { changes in
          Dictionary(uniqueKeysWithValues: changes.map { ($0.id, .confirmed) })
        }
        #expect(report.confirmed == 3)
      }
      try await push()
      return try await store.work { try await push() }
    }
    let (few, many) = (try await work(pending: 10), try await work(pending: 500))
    #expect(few.runs == many.runs)
    // Deletions are found after a search for other edits, which only looks up whether each row is stored.
    #expect(abs(few.steps - many.steps) < (edit.hasPrefix("DELETE") ? 20_000 : 20), "\(few), \(many)")
  }

  /// The identity that the server created replaces the local one in the edits of rows that link the row. These are looked up.
  @Test func renamingANewRowCostIsIndependentOfOtherEdits() async throws {
    func work(pending count: Int) async throws -> Work {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let store = try TextStore(
        """
        @Offline model Task { id: Int; title: String; next: Task?; @Relationship(inverse: nil) before: [Task] }
        """, in: .file(folder.file()))
      let rows = (1...600).map { #"{"id": \#($0), "title": "t", "next_id": \#($0 % 600 + 1)}"# }
      try await store.sync("[\(rows.joined(separator: ","))]")
      try await store.run("INSERT INTO Task (id, title) VALUES (-1, 'first'), (-2, 'second')")
      try await store.run("UPDATE Task SET title = 'mine', next = -2 WHERE id BETWEEN 1 AND \(count)")
      func push<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
        let report = try await store.container.withPendingChanges(for: model, limit: 1) { changes in
          let digit = changes.map { "\($0.id)".suffix(1) }.joined()
          let body = Data(#"{"id": 70\#(digit), "title": "new"}"#.utf8)
          return Dictionary(
            uniqueKeysWithValues: changes.map { ($0.id, SyncPushOutcome(status: 201, body: body, for: $0)) })
        }
        #expect(report.confirmed == 1 && report.errors.isEmpty)
      }
      try await push(try store.model())
      #expect(try await store.rows("SELECT id FROM Task WHERE title = 'new'") == ["701"])
      // What links the second row must change; what does not is not read.
      try await store.run("UPDATE Task SET next = 1 WHERE id BETWEEN 6 AND \(count)")
      let work = try await store.container.work { try await push(try store.model()) }
      #expect(try await store.rows("SELECT count(*) FROM Task WHERE next = 702") == ["5"])
      return work
    }
    let (few, many) = (try await work(pending: 10), try await work(pending: 500))
    #expect(few.runs == many.runs)
    #expect(abs(few.steps - many.steps) < 20, "\(few), \(many)")
  }
}

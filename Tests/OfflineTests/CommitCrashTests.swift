import Foundation
import GRDB
import TestRuns
import TestSupport
import Testing

@testable import Syncline

/// A program that ends after any commit of a pull or a push goes on without losing an edit or sending one twice (contract,
/// section 13). The store's file is copied at each commit, and a new program goes on with each copy.
@Suite(.enabled(if: TestKind.thorough.runs)) struct CommitCrashTests {
  /// A server of tasks that answers each key once, and makes identities.
  private struct Server {
    var titles: [Int: String] = [1: "one", 2: "two", 3: "three"]
    private var answers: [String: String?] = [:]
    private(set) var requests: [String] = []
    private var next = 50

    /// The row in the answer; nil for a deletion.
    mutating func answer(_ change: SyncPendingChange<Task>) throws -> String? {
      if let known = answers[change.key] { return known }
      let body =
        try change.body.isEmpty
        ? [:] : JSONSerialization.jsonObject(with: change.body) as? [String: Any] ?? [:]
      requests.append("\(change.method) \(change.id) \(body["title"] as? String ?? "")")
      var id = change.id
      if change.kind == .insert {
        id = next
        next += 1
      }
      if change.kind == .delete {
        titles[id] = nil
      } else if let title = body["title"] as? String {
        titles[id] = title
      }
      let row = titles[id].map { #"{"id": \#(id), "title": "\#($0)"}"# }
      answers[change.key] = row
      return row
    }

    var list: String {
      "["
        + titles.sorted { $0.key < $1.key }.map { #"{"id": \#($0.key), "title": "\#($0.value)"}"# }
        .joined(separator: ",") + "]"
    }
  }

  /// A server that is asked by one program at a time.
  private final class Service: @unchecked Sendable {
    private let lock = NSLock()
    private var current: Server

    init(_ server: Server) { current = server }

    var server: Server { lock.withLock { current } }
    func answer(_ change: SyncPendingChange<Task>) throws -> String? {
      try lock.withLock { try current.answer(change) }
    }
  }

  /// Copies the file at each commit, together with what the server knows at that time.
  private final class Copies: TransactionObserver, @unchecked Sendable {
    private let file: URL
    private let service: Service
    private(set) var all: [(file: URL, server: Server)] = []
    private(set) var error: (any Error)?

    init(_ file: URL, _ service: Service) { (self.file, self.service) = (file, service) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) {}
    func databaseDidCommit(_ db: Database) {
      let copy = file.deletingLastPathComponent().appending(path: "copy\(all.count).sqlite")
      do {
        try FileManager.default.copyItem(at: file, to: copy)
        all.append((copy, service.server))
      } catch {
        self.error = error
      }
    }
  }

  private func open(_ file: URL) throws -> SyncContainer {
    try SyncContainer(for: OfflineTestsSchema.self, storage: .database(DatabaseQueue(path: file.path)))
  }

  private func drain(_ store: SyncContainer, _ service: Service, pulls: Bool = false) async throws {
    try await store.drainPendingChanges {
      SyncPush(Task.self) { change in
        if pulls { try await store.sync(payload: service.server.list, as: Task.self) }
        let row = try service.answer(change)
        if pulls { try await store.sync(payload: service.server.list, as: Task.self) }
        return row.map { .confirmedWith(Data($0.utf8)) } ?? .confirmed
      }
      SyncPush(Step.self) { _ in .confirmed }
    }
  }

  private func edit(_ store: SyncContainer) async throws {
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("DELETE FROM Task WHERE id = 2")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (-1, 'new', 0, 0)")
    try await store.run("UPDATE Task SET title = 'third' WHERE id = 3")
    try await store.run("UPDATE Task SET title = 'three' WHERE id = 3")
    try await store.run(
      "INSERT INTO Step (id, text, task) VALUES (x'00000000000000000000000000000001', 'step', -1)")
  }

  @Test(arguments: [false, true]) func crashAfterAnyCommitLosesOrRepeatsNoEdit(pulls: Bool) async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    let service = Service(Server())
    let store = try open(file)
    try await store.sync(payload: service.server.list, as: Task.self)
    let copies = Copies(file, service)
    try await edit(store)
    store.database.add(transactionObserver: copies, extent: .databaseLifetime)
    try await drain(store, service, pulls: pulls)
    try await store.sync(payload: service.server.list, as: Task.self)
    try store.database.close()
    #expect(copies.error == nil && copies.all.count > 6)
    for (number, copy) in copies.all.enumerated() {
      let again = try open(copy.file)
      let service = Service(copy.server)
      // It may first pull, and has edited on.
      try await again.run("UPDATE Task SET votes = 7 WHERE id = 1")
      if number % 2 == 0 { try await again.sync(payload: service.server.list, as: Task.self) }
      try await drain(again, service, pulls: pulls)
      try await again.sync(payload: service.server.list, as: Task.self)
      let server = service.server
      #expect(server.titles == [1: "mine", 3: "three", 50: "new"], "copy \(number)")
      #expect(server.requests.count { $0 == "POST -1 new" } == 1, "copy \(number): \(server.requests)")
      #expect(server.requests.count { $0.hasPrefix("DELETE") } == 1, "copy \(number): \(server.requests)")
      let rows = try await again.rows("SELECT id, title FROM Task ORDER BY id")
      #expect(rows == ["1 mine", "3 three", "50 new"], "copy \(number)")
      #expect(try await again.text("SELECT task FROM Step") == "50", "copy \(number)")
      #expect(try await !again.hasPendingChanges(), "copy \(number)")
      try again.database.close()
    }
  }

  /// Two programs edit one store; one of them pushes all of it.
  @Test func twoContainersOfOneStoreLoseNoEdits() async throws {
    let folder = TemporaryFolder()
    let storage = SyncStorage.file(try folder.file())
    let service = Service(Server())
    let (one, other) = (
      try SyncContainer(for: OfflineTestsSchema.self, storage: storage),
      try SyncContainer(for: OfflineTestsSchema.self, storage: storage)
    )
    try await one.sync(payload: service.server.list, as: Task.self)
    let titles = try await withThrowingTaskGroup(of: [Int: String].self) { group in
      for (number, store) in [one, other].enumerated() {
        group.addTask {
          var titles: [Int: String] = [:]
          for round in 0..<20 {
            let title = "\(number) \(round)"
            let task = number == 0 ? 1 : 3
            try await store.run("UPDATE Task SET title = ? WHERE id = ?", [title, task])
            titles[task] = title
            if number == 0 { try await self.drain(store, service) }
            if number == 1, round % 5 == 0 {
              try await store.sync(payload: service.server.list, as: Task.self, requestedAt: store.moment)
            }
          }
          return titles
        }
      }
      return try await group.reduce(into: [2: "two"]) { all, own in all.merge(own) { $1 } }
    }
    try await drain(one, service)
    #expect(service.server.titles == titles)
    for store in [one, other] { #expect(try await !store.hasPendingChanges()) }
  }
}

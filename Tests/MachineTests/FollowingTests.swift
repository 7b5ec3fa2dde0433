import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Random queries follow a store under random writes of every kind. After each commit, what was published last is what a
/// fresh query finds.
@Suite(.enabled(if: TestKind.random.runs))
struct FollowingTests {
  private let folder = TemporaryFolder()

  @Test(arguments: Soak.seeds(70_000, count: 8))
  func publishedRowsMatchAFreshQuery(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try MachineTestsSchema.makeStore(in: seed.isMultiple(of: 3) ? nil : folder)
    var writer = RandomWriter(store, seed: seed)
    try await writer.fill()
    var readers: [any FollowedReader] = (0..<16).map { _ in RandomQuery.reader(of: store, using: &random) }
    try await store.settle()
    for step in 0..<300 {
      try await writer.write()
      try await store.settle()
      for reader in readers {
        let problem = try await store.database.read { try reader.problem($0) }
        guard let problem else { continue }
        Issue.record("seed \(seed), step \(step), \(reader.text), after \(writer.last): \(problem)")
        return
      }
      // Some come and go.
      if random.chance(5) {
        readers.remove(at: Int.random(in: 0..<readers.count, using: &random))
        readers.append(RandomQuery.reader(of: store, using: &random))
        try await store.settle()
      }
    }
  }
}

extension SyncContainer {
  /// Waits until all that was committed has been read by those who follow.
  func settle() async throws {
    // The first is read in a pass that may have others to serve after it; the second in a later pass.
    for _ in 0..<2 {
      let probe = Probe()
      let (loads, continuation) = AsyncStream.makeStream(of: Void.self)
      probe.onLoad = { continuation.yield() }
      let following = hub.follow(probe)
      for await _ in loads { break }
      withExtendedLifetime(following) {}
    }
  }
}

/// Says when it is read.
private final class Probe: Follower {
  var onLoad: () -> Void = {}
  func load(_ pass: ReadPass) throws { onLoad() }
  func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws {}
  func fail(_ error: any Error) { onLoad() }
}

/// A query that follows a store, and what it published.
protocol FollowedReader: Sendable {
  var text: String { get }
  /// What is wrong with what was published; nil where nothing is.
  func problem(_ database: Database) throws -> String?
}

final class ListReader<Model: SyncGeneratedModel>: FollowedReader, @unchecked Sendable {
  let text: String
  private let query: ListQuery<Model>
  private let lock = NSLock()
  private var publications: [Result<SyncRows<Model>, any Error>] = []
  private var last: SyncRows<Model>?
  private var following: Following?

  init(_ store: SyncContainer, _ query: ListQuery<Model>, slack: Int, _ text: String) {
    self.text = "\(Model.self) \(text)"
    self.query = query
    following = store.hub.follow(
      FollowedList(query, slack: slack) { [weak self] result in
        self?.lock.withLock { self?.publications.append(result) }
      })
  }

  func problem(_ database: Database) throws -> String? {
    let new = lock.withLock {
      defer { publications = [] }
      return publications
    }
    // One commit or more since the last look: what was read between may have been published.
    for result in new {
      let rows: SyncRows<Model>
      do { rows = try result.get() } catch { return "\(error)" }
      if let last, last == rows { return "published twice" }
      if Array(rows).count != rows.count { return "\(rows.count) rows, and not as many" }
      last = rows
    }
    guard let last else { return "nothing published" }
    let fresh = try query.request.fetchAll(database)
    if Array(last) == fresh { return nil }
    func list(_ rows: some Sequence<Model>) -> String {
      rows.map { "\($0[keyPath: Model.syncIdentity])" }.joined(separator: " ")
    }
    return "published \(list(last)), but there is \(list(fresh))"
  }
}

/// Queries of every form.
enum RandomQuery {
  static func reader(of store: SyncContainer, using random: inout SeededGenerator) -> any FollowedReader {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: sample(store, &random)
    case 2: ticket(store, &random)
    case 3: person(store, &random)
    case 4: lane(store, &random)
    default: exact(store, &random)
    }
  }

  private static func reader<Model: SyncGeneratedModel>(
    of model: Model.Type = Model.self, _ store: SyncContainer, _ filters: [(String, any SQLExpressible)],
    _ orders: [(String, any SQLOrderingTerm)],
    related: [(String, PartialKeyPath<Model>, SyncIdentity)] = [], _ random: inout SeededGenerator
  ) -> any FollowedReader {
    let filter = random.chance(75) ? random.pick(filters) : nil
    let order = (0..<Int.random(in: 0...2, using: &random)).map { _ in random.pick(orders) }
    let limit = random.chance(65) ? Int.random(in: 0...5, using: &random) : nil
    let link = !related.isEmpty && random.chance(40) ? random.pick(related) : nil
    let all = ListQuery<Model>(
      where: filter?.1, orderBy: order.map(\.1), limit: limit,
      relationship: link.map { Relationship($0.1, $0.2) })
    guard let query = try? all.resolved() else { preconditionFailure("a relationship that is none") }
    // Slack hides mistakes at the edge of a window.
    let slack = random.chance(60) ? 0 : Int.random(in: 1...3, using: &random)
    return ListReader(
      store, query, slack: slack,
      "where \(filter?.0 ?? "all") of \(link?.0 ?? "any") by \(order.map(\.0)), limit \(limit ?? -1) + \(slack)"
    )
  }

  private static func sample(_ store: SyncContainer, _ random: inout SeededGenerator) -> any FollowedReader {
    let number = Int.random(in: 0...3, using: &random)
    let int = Column("int")
    let text = Column("text")
    return reader(
      store,
      [
        ("int = \(number)", int == number), ("int > \(number)", int > number), ("int is null", int == nil),
        ("text = a", text == "a"), ("text like", text.like("%b%")), ("int in", [1, 2].contains(int)),
        ("int = \(number) and bool", int == number && Column("bool") == true),
        ("int or text", int == number || text == "a"), ("not int", !(int == number)),
        ("length", length(text) > 1), ("double", Column("double") >= 1.5),
        ("most", SQL("int = (SELECT max(int) FROM Sample)").sqlExpression),
        ("project = 1", Column("project") == 1), ("project as text", Column("project") == "1"),
        ("abs", SQL("abs(int) = \(number) AND text IS NOT NULL").sqlExpression),
      ],
      [
        ("int", int), ("int desc", int.desc), ("text", text), ("text nocase", text.collating(.nocase).desc),
        ("double", Column("double").ascNullsLast), ("length", length(text)),
        ("int + id", SQL("int + id").sqlExpression),
        ("count", SQL("(SELECT count(*) FROM Sample), int").sqlExpression),
      ], related: [("project", \Sample.project, .integer(Int64.random(in: 1...3, using: &random)))], &random)
  }

  private static func ticket(_ store: SyncContainer, _ random: inout SeededGenerator) -> any FollowedReader {
    let person = SyncIdentity.text("p\(Int.random(in: 0...3, using: &random))")
    return reader(
      store,
      [
        ("mood", Column("mood") == "calm"), ("not deleted", Column("deletedAt") == nil),
        ("title > b", Column("title") > "b"), ("assignee", Column("assignee") != nil),
        ("assigned", SQL("assignee IN (SELECT id FROM Person WHERE name > 'b')").sqlExpression),
      ],
      [("title", Column("title")), ("title desc", Column("title").desc), ("mood", Column("mood"))],
      related: [
        ("watchers", \Ticket.watchers, person), ("assignee", \Ticket.assignee, person),
        ("comments", \Ticket.comments, .integer(Int64.random(in: 1...4, using: &random))),
      ], &random)
  }

  private static func person(_ store: SyncContainer, _ random: inout SeededGenerator) -> any FollowedReader {
    let id = "p\(Int.random(in: 0...5, using: &random))"
    return reader(
      store,
      [
        ("id = \(id)", Column("id") == id), ("name", Column("name") > "b"), ("email", Column("email") == nil),
        ("manager", Column("manager") == id),
      ],
      [("name", Column("name")), ("email", Column("email").desc)],
      related: [
        ("follows", \Person.follows, .text(id)), ("followers", \Person.followers, .text(id)),
        ("reports", \Person.reports, .text(id)), ("manager", \Person.manager, .text(id)),
        ("tickets", \Person.tickets, .integer(Int64.random(in: 1...4, using: &random))),
      ], &random)
  }

  private static func lane(_ store: SyncContainer, _ random: inout SeededGenerator) -> any FollowedReader {
    reader(
      store, [("position", Column("position") == 1), ("title", Column("title") > "b")],
      [("position", Column("position").desc), ("title", Column("title"))],
      related: [("board", \Lane.board, .integer(Int64.random(in: 1...3, using: &random)))], &random)
  }

  private static func exact(_ store: SyncContainer, _ random: inout SeededGenerator) -> any FollowedReader {
    reader(
      of: Exact.self, store,
      [
        ("bool", Column("bool") == true), ("text", Column("text") == "a"),
        ("data", Column("data") == Data([1])),
      ],
      [("text", Column("text")), ("ratio", Column("ratio").desc), ("double", Column("double"))], &random)
  }
}

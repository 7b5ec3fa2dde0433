import Syncline
import SynclineInterpreter
import TestSupport
import Testing

/// Random lists in pages: whatever the pages contain, the store is the same as after a sync of one payload with all their rows.
///
/// There is one difference, which is left out: if a key refers to a row that is deleted at the end, one payload keeps the row's
/// former link, and pages do not.
@Suite struct RandomPageTests {
  private static let schema = """
    model Node {
      id: Int
      name: String?
      @Relationship(inverse: nil) up: Node?
      @Relationship(inverse: nil) friends: [Node]
      @Relationship(inverse: \\Leaf.node, missing: .delete) leaves: [Leaf]
      @Relationship(inverse: \\Pin.node, deleteRule: .cascade) pins: [Pin]
    }
    model Leaf {
      id: Int
      node: Node?
      @Relationship(inverse: nil) pin: Pin?
      @Relationship(deleteRule: .cascade) veins: [Vein]
    }
    model Pin {
      id: Int
      node: Node?
      @Relationship(inverse: nil) leaf: Leaf?
    }
    model Vein { id: Int; leaf: Leaf? }
    """

  private static let clearFormerLinks = [("Node", "up"), ("Leaf", "pin")].map { model, column in
    """
    UPDATE \(model) SET \(column) = NULL
    WHERE id IN (SELECT "ownerID" FROM syncline_pending_link WHERE "relationship" = '\(column)')
    """
  }

  /// Makes payloads in which no two statements conflict: each row is in at most one list of each relationship.
  private struct Payloads {
    var random: SeededGenerator
    private var free: [String: [Int]] = [:]

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    private mutating func take(_ model: String) -> Int? {
      guard let index = free[model]?.indices.randomElement(using: &random) else { return nil }
      return free[model]?.remove(at: index)
    }

    private mutating func members(_ model: String, _ body: (inout Payloads, Int) -> String) -> String {
      var rows: [String] = []
      while random.chance(50), let id = take(model) { rows.append(body(&self, id)) }
      return "[\(rows.joined(separator: ", "))]"
    }

    private mutating func leaf(_ id: Int) -> String {
      var members = ["\"id\": \(id)"]
      if random.chance(30) {
        members.append(#""veins": \#(self.members("Vein") { #"{"id": \#($1)}"# })"#)
      }
      if random.chance(30) { members.append(#""pin_id": \#(Int.random(in: 1...5, using: &random))"#) }
      return "{\(members.joined(separator: ", "))}"
    }

    private mutating func pin(_ id: Int) -> String {
      guard random.chance(40), let leaf = take("Leaf") else { return #"{"id": \#(id)}"# }
      return #"{"id": \#(id), "leaf": {"id": \#(leaf)}}"#
    }

    /// The rows of a list.
    mutating func rows() -> [String] {
      free = ["Leaf": Array(1...6), "Pin": Array(1...5), "Vein": Array(1...5)]
      var nodes: [String] = []
      for id in (1...7).shuffled(using: &random) where random.chance(65) {
        var members = ["\"id\": \(id)"]
        if random.chance(50) { members.append(#""name": "\#(random.pick(["a", "b"]))""#) }
        if random.chance(60) {
          let target = random.chance(15) ? "null" : "\(Int.random(in: 1...8, using: &random))"
          members.append(#""up_id": \#(target)"#)
        }
        if random.chance(50) {
          var friends: [Int] = []
          for friend in 1...8 where random.chance(25) { friends.append(friend) }
          members.append(#""friend_ids": \#(friends)"#)
        }
        if random.chance(60) { members.append(#""leaves": \#(self.members("Leaf") { $0.leaf($1) })"#) }
        if random.chance(60) {
          members.append(#""pins": \#(self.members("Pin") { $0.pin($1) })"#)
        }
        nodes.append("{\(members.joined(separator: ", "))}")
      }
      return nodes
    }

    /// The rows in pages.
    mutating func pages(of rows: [String]) -> [SyncPage] { texts(of: rows).map { SyncPage($0) } }

    mutating func texts(of rows: [String]) -> [String] {
      var pages: [[String]] = [[]]
      for row in rows {
        if random.chance(50) { pages.append([]) }
        pages[pages.count - 1].append(row)
      }
      return pages.map { "[\($0.joined(separator: ", "))]" }
    }
  }

  /// A run that ends before its last page, and that another call continues.
  @Test func interruptedRunsGiveTheSameResultAsOneList() async throws {
    let schema = InterpretedSchema(try TextStore.schema(RandomPageTests.schema))
    for seed in 1...50 {
      var payloads = Payloads(seed: seed)
      let (whole, paged) = (try TextStore(schema, in: .inMemory), try TextStore(schema, in: .inMemory))
      for round in 0..<3 {
        let rows = payloads.rows()
        let list = "[\(rows.joined(separator: ", "))]"
        try await whole.sync(list: list)
        let texts = payloads.texts(of: rows)
        let pages = texts.indices.map { index in
          SyncPage(
            texts[index], cursor: index + 1 < texts.count ? "\(index + 1)" : nil,
            isLast: index + 1 == texts.count)
        }
        let count = Int.random(in: 0..<pages.count, using: &payloads.random)
        try await paged.sync(pages: Array(pages[..<count]))
        // The cursor of a page after which lists have left out rows is not stored.
        let cursor = try await paged.cursor()
        let next = cursor.flatMap { Int($0) } ?? 0
        #expect(next <= count, "seed \(seed)")
        try await paged.sync(pages: Array(pages[next...]), from: cursor)
        for sql in RandomPageTests.clearFormerLinks {
          for store in [whole, paged] { try await store.run(sql) }
        }
        let own: Set = ["syncline_bookmark", "syncline_run"]
        let (expected, found) = (
          try StoreDump(whole.container).without(own), try StoreDump(paged.container).without(own)
        )
        #expect(expected.tables == found.tables, "seed \(seed), round \(round), \(count): \(list)")
        if expected.tables != found.tables { return }
      }
    }
  }

  @Test func pagesGiveTheSameResultAsOneList() async throws {
    let schema = InterpretedSchema(try TextStore.schema(RandomPageTests.schema))
    for seed in 1...50 {
      var payloads = Payloads(seed: seed)
      let (whole, paged) = (try TextStore(schema, in: .inMemory), try TextStore(schema, in: .inMemory))
      for round in 0..<3 {
        let rows = payloads.rows()
        let list = "[\(rows.joined(separator: ", "))]"
        try await whole.sync(list: list)
        let report = try await paged.sync(pages: round == 0 ? [SyncPage(list)] : payloads.pages(of: rows))
        for sql in RandomPageTests.clearFormerLinks {
          for store in [whole, paged] { try await store.run(sql) }
        }
        let (expected, found) = (try StoreDump(whole.container), try StoreDump(paged.container))
        #expect(expected.tables == found.tables, "seed \(seed), round \(round): \(report)")
        if expected.tables != found.tables { return }
        let pages = payloads.pages(of: rows)
        let again = try await paged.sync(pages: pages)
        #expect(again.isUnchanged, "seed \(seed), round \(round), again: \(rows) \(again)")
        #expect(
          try StoreDump(paged.container).tables == expected.tables, "seed \(seed), round \(round), again")
      }
    }
  }
}

import TestRuns
import TestSupport
import Testing

@testable import Syncline

/// Compares the runtime's link decisions with those of the naive implementation, for 100,000 sets of random statements.
@Suite struct RandomLinkDecisionTests {
  typealias Links = NaiveLinks.Links

  struct World {
    var random: SeededGenerator
    let rowCount: Int
    var begin = 0

    init(seed: Int) {
      random = SeededGenerator(seed: seed)
      rowCount = Int.random(in: 2...4, using: &random)
    }

    /// Rows with a column, or sources: 0 and up. Their targets: 10 and up.
    var members: Range<Int> { 0..<rowCount }
    var owners: Range<Int> { 10..<10 + rowCount }

    mutating func nextBegin() -> Int {
      begin += 1
      return begin
    }

    mutating func rows() -> Links.Rows {
      var rows = Links.Rows()
      for row in [members, owners].joined() {
        if random.chance(20) { rows.absent.insert(row) } else if random.chance(30) { rows.new.insert(row) }
        if random.chance(50) { rows.held.insert(row) }
      }
      return rows
    }

    mutating func subset(_ range: Range<Int>) -> Set<Int> { Set(range.filter { _ in random.chance(45) }) }

    mutating func list(_ end: String, _ owner: Int, _ others: Range<Int>, isStale: Bool) -> Links.List {
      let members = subset(others)
      return Links.List(
        end: end, owner: owner, members: members, nested: members.filter { _ in random.chance(40) },
        begin: nextBegin(), isComplete: random.chance(70), adds: random.chance(85),
        policy: random.chance(20) ? .hardDeleteMissing : nil, isStale: isStale, number: begin)
    }

    mutating func pending(_ column: String, _ list: String, limit: Int) -> [Links.Pending] {
      var links: [Links.Pending] = []
      for _ in 0..<Int.random(in: 0...limit, using: &random) {
        links.append(
          random.chance(50)
            ? .init(end: column, owner: random.pick(members), target: random.pick(owners))
            : .init(end: list, owner: random.pick(owners), target: random.pick(members)))
      }
      return links
    }
  }

  @Test(arguments: Soak.seeds(9_100_000, count: 40)) func columnDecisionsMatchNaiveImplementation(
    _ block: Int
  ) {
    for seed in block * 1_000..<block * 1_000 + 1_000 {
      var world = World(seed: seed)
      var known = Links.Known(rows: world.rows(), isRequired: world.random.chance(35))
      // A row with stored links is not new.
      for row in world.members where !known.rows.new.contains(row) && world.random.chance(60) {
        let owner = world.random.pick(world.owners)
        if !known.rows.new.contains(owner) { known.targets[row] = owner }
      }
      known.pending = world.pending("row", "list", limit: 2)
      var (own, lists): ([Links.OwnKey], [Links.List]) = ([], [])
      for _ in 0..<Int.random(in: 0...4, using: &world.random) {
        let row = world.random.pick(world.members)
        let target = world.random.chance(20) ? nil : world.random.pick(world.owners)
        own.append(
          .init(row: row, target: target, begin: world.nextBegin(), isStale: row == 1, number: own.count))
      }
      for _ in 0..<Int.random(in: 0...4, using: &world.random) {
        let owner = world.random.pick(world.owners)
        lists.append(world.list("list", owner, world.members, isStale: owner == 11))
      }
      if world.random.chance(20) {
        let row = world.random.pick(world.members)
        known.given[row] = .init(row: row, target: 10, begin: 0)
        known.rows.absent.remove(10)
      }
      let naive = NaiveLinks(known: known, own: own, lists: lists)
      let outcome = Links.column("row", own: Dictionary(grouping: own, by: \.row), lists: lists, known)
      for row in world.members where known.rows.exists(row) {
        guard let target = outcome.targets[row] else { continue }
        #expect(target == naive.target(of: row, in: "row"), "row \(row) of seed \(seed)")
      }
      own.shuffle(using: &world.random)
      lists.shuffle(using: &world.random)
      let shuffled = Links.column("row", own: Dictionary(grouping: own, by: \.row), lists: lists, known)
      #expect(isSame(outcome, shuffled), "order of statements, seed \(seed)")
    }
  }

  @Test(arguments: Soak.seeds(9_200_000, count: 30)) func joinTableDecisionsMatchNaiveImplementation(
    _ block: Int
  ) {
    for seed in block * 1_000..<block * 1_000 + 1_000 {
      var world = World(seed: seed)
      var known = Links.Known(rows: world.rows())
      for source in world.members where !known.rows.new.contains(source) {
        for target in world.subset(world.owners) where !known.rows.new.contains(target) {
          known.pairs.insert(.init(source: source, target: target))
        }
      }
      known.pending = world.pending("source", "target", limit: 2)
      var lists: [Links.List] = []
      for _ in 0..<Int.random(in: 0...5, using: &world.random) {
        let isSource = world.random.chance(50)
        let owner = world.random.pick(isSource ? world.members : world.owners)
        lists.append(
          world.list(
            isSource ? "source" : "target", owner, isSource ? world.owners : world.members,
            isStale: owner % 10 == 1))
      }
      let naive = NaiveLinks(known: known, lists: lists)
      let outcome = Links.table(source: "source", target: "target", lists: lists, known)
      for source in world.members where known.rows.exists(source) {
        for target in world.owners where known.rows.exists(target) {
          let pair = Links.Pair(source: source, target: target)
          let areLinked = outcome.pairs[pair] ?? known.pairs.contains(pair)
          #expect(
            areLinked == naive.areLinked(source, target, sources: "source", targets: "target"),
            "\(source)–\(target) of seed \(seed)")
        }
      }
      lists.shuffle(using: &world.random)
      let shuffled = Links.table(source: "source", target: "target", lists: lists, known)
      #expect(isSame(outcome, shuffled), "order of statements, seed \(seed)")
    }
  }

  @Test(arguments: Soak.seeds(9_300_000, count: 30)) func oneToOneDecisionsMatchNaiveImplementation(
    _ block: Int
  ) {
    for seed in block * 1_000..<block * 1_000 + 1_000 {
      var world = World(seed: seed)
      var known = Links.Known(rows: world.rows())
      var free = Set(world.owners).subtracting(known.rows.new)
      for row in world.members where !known.rows.new.contains(row) && world.random.chance(60) {
        guard let partner = free.sorted().first else { continue }
        free.remove(partner)
        known.targets[row] = partner
      }
      var (own, far): ([Links.OwnKey], [Links.OwnKey]) = ([], [])
      for _ in 0..<Int.random(in: 0...4, using: &world.random) {
        let target = world.random.chance(20) ? nil : world.random.pick(world.owners)
        own.append(
          .init(
            row: world.random.pick(world.members), target: target, begin: world.nextBegin(),
            number: own.count))
      }
      for _ in 0..<Int.random(in: 0...4, using: &world.random) {
        let target = world.random.chance(20) ? nil : world.random.pick(world.members)
        far.append(
          .init(
            row: world.random.pick(world.owners), target: target, begin: world.nextBegin(),
            number: 100 + far.count))
      }
      if world.random.chance(20) {
        let row = world.random.pick(world.members)
        known.given[row] = .init(row: row, target: 10, begin: 0, number: 200)
        known.rows.absent.remove(10)
      }
      let naive = NaiveLinks(known: known, own: own, far: far)
      func decide() -> Links.Outcome {
        Links.pair(
          column: "row", farEnd: "partner", own: Dictionary(grouping: own, by: \.row),
          far: Dictionary(grouping: far, by: \.row), known)
      }
      let outcome = decide()
      let partners = naive.partners(column: "row")
      for row in world.members where known.rows.exists(row) {
        guard let target = outcome.targets[row] else { continue }
        #expect(target == partners[row], "row \(row) of seed \(seed)")
      }
      own.shuffle(using: &world.random)
      far.shuffle(using: &world.random)
      #expect(isSame(outcome, decide()), "order of statements, seed \(seed)")
    }
  }

  private func isSame(_ left: Links.Outcome, _ right: Links.Outcome) -> Bool {
    left.targets == right.targets && left.pairs == right.pairs && left.pending == right.pending
      && left.settled == right.settled && left.forgotten == right.forgotten
      && left.recalled == right.recalled && left.missing == right.missing && left.refused == right.refused
      && Set(left.kept.map(\.row)) == Set(right.kept.map(\.row)) && left.lost == right.lost
  }
}

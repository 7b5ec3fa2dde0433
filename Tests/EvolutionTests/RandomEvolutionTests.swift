import Foundation
import TestSupport
import Testing

@testable import Syncline

/// Random schemas with rows, changed at random: a store that was evolved has what one that was made anew with the same rows
/// has, and one that cannot be evolved is as it was.
@Suite(.enabled(if: TestKind.random.runs))
struct RandomEvolutionTests {
  private static let seeds = Soak.seeds(10_000_000, count: 40)

  @Test(arguments: seeds) func aRandomStoreIsEvolvedOrLeftAsItIs(seed: Int) throws {
    var world = RandomWorld(seed: seed)
    let store = try EvolvingStore(world.schema, world.sql(schema(world.schema)))
    for version in 0..<12 {
      let before = world
      world.beginVersion()
      var fits = true
      for _ in 0..<(1 + (seed + version) % 3) where fits { fits = world.change() }
      world.endVersion()
      try store.forgetHistory()
      guard fits else {
        _ = try store.refusal(of: world.schema)
        world = before
        continue
      }
      do {
        try store.evolve(to: world.schema)
      } catch let error as StoreMisfit {
        Issue.record(
          "\(error.reason): version \(version) of seed \(seed):\n\(before.schema)\nbecame\n\(world.schema)")
        return
      }
      let fresh = try EvolvingStore(world.schema, world.sql(schema(world.schema)))
      let (found, expected) = (try store.contents(), try fresh.contents())
      guard found == expected else {
        Issue.record(
          """
          version \(version) of seed \(seed):
          \(before.schema)
          became
          \(world.schema)
          missing: \(expected.subtracting(found).sorted())
          found: \(found.subtracting(expected).sorted())
          """)
        return
      }
    }
  }
}

extension EvolvingStore {
  /// All rows of the schema's tables, under the names of their columns.
  fileprivate func contents() throws -> Set<String> {
    let tables = try rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'syncline_schema'"
    )
    var contents: Set<String> = []
    for table in tables {
      let columns = try rows("SELECT name FROM pragma_table_info(\(table.sqlLiteral)) ORDER BY name")
      let values = columns.map { "'\($0)=' || quote(\($0.quotedIdentifier))" }.joined(
        separator: " || ' ' || ")
      contents.formUnion(
        try rows("SELECT \(values) FROM \(table.quotedIdentifier)").map { "\(table): \($0)" })
    }
    return contents
  }
}

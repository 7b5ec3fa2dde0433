import Syncline
import SynclineTesting
import TestRuns
import Testing

/// Stored rows are scanned together with the payload. In any order, each row is found once, and missing rows are deleted.
@Suite(.enabled(if: TestKind.random.runs))
struct ScanTests {
  private struct Row {
    var id: Int
    var name: Int
  }

  /// A payload with typical changes of a list: rows are removed, added at the start or the end, moved, or repeated, and the whole
  /// list may be reversed.
  private func next(_ rows: [Row], _ random: inout SeededGenerator) -> [Row] {
    var rows = rows
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      switch Int.random(in: 0..<7, using: &random) {
      case 0: rows.reverse()
      case 1: rows.shuffle(using: &random)
      case 2: rows.sort { $0.id < $1.id }
      case 3:
        // Move a block that is longer than the number of rows that a scan skips.
        let start = Int.random(in: 0...rows.count, using: &random)
        rows.removeSubrange(start..<min(rows.count, start + Int.random(in: 0...100, using: &random)))
      case 4:
        let added = (0..<Int.random(in: 0...30, using: &random)).map { _ in
          Row(id: Int.random(in: 1...120, using: &random), name: 0)
        }
        rows.insert(contentsOf: added, at: random.chance(50) ? 0 : rows.count)
      case 5:
        for index in rows.indices where random.chance(10) {
          rows[index].name = Int.random(in: 0..<3, using: &random)
        }
      default:
        guard rows.count > 1 else { continue }
        rows.append(rows.remove(at: Int.random(in: rows.indices, using: &random)))
      }
    }
    return rows
  }

  private func check<Model: SyncUpdatableModel>(
    _ model: Model.Type, seed: Int, identity: (Int) -> SyncJSON
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try makeStore()
    var payload = (1...Int.random(in: 1...120, using: &random)).map { Row(id: $0, name: 0) }
    var stored: [Int: Int] = [:]
    for step in 1...12 {
      let before = stored
      stored = [:]
      for row in payload { stored[row.id] = row.name }
      let rows = payload.map { #"{"id": \#(identity($0.id)), "name": "n\#($0.name)"}"# }
      let report = try await store.sync(payload: "[\(rows.joined(separator: ","))]", as: model)
      let kept = stored.filter { before[$0.key] != nil }
      let comment: Testing.Comment = "\(model), step \(step)"
      #expect(report.inserted == stored.count - kept.count, comment)
      #expect(report.unchanged == kept.count { before[$0.key] == $0.value }, comment)
      #expect(report.updated == kept.count { before[$0.key] != $0.value }, comment)
      #expect(report.deleted == before.count { stored[$0.key] == nil }, comment)
      let names = try store.rows(of: model).map { "\($0["id"] ?? .null)=\($0["name"] ?? .null)" }
      #expect(Set(names) == Set(stored.map { "\(identity($0.key))=\"n\($0.value)\"" }), comment)
      #expect(names.count == stored.count, comment)
      payload = next(payload, &random)
      // Other rules apply to an empty payload.
      if payload.isEmpty { payload = [Row(id: 1, name: 0)] }
    }
  }

  @Test(arguments: Soak.seeds(1, count: 15)) func scanMatchesIntegerIdentitiesInAnyOrder(seed: Int)
    async throws
  {
    try await check(Tiny.self, seed: seed) { .number(SyncNumber($0)) }
  }

  @Test(arguments: Soak.seeds(1, count: 15)) func scanMatchesTextIdentitiesInAnyOrder(seed: Int) async throws
  {
    // The order of the strings differs from that of the numbers.
    try await check(Label.self, seed: seed) { .string("\($0 * 7_919 % 10_007)é") }
  }

  @Test(arguments: Soak.seeds(1, count: 15)) func scanMatchesUUIDIdentitiesInAnyOrder(seed: Int) async throws
  {
    try await check(Token.self, seed: seed) { number in
      .string("C3E7A1B2-1001-4000-8000-0000000\(number * 7_919 % 10_007 + 10_000)")
    }
  }

  @Test(arguments: Soak.seeds(1, count: 15)) func scanMatchesRowsWithRelationshipsInAnyOrder(seed: Int)
    async throws
  {
    try await check(Category.self, seed: seed) { .string("\($0 * 7_919 % 10_007)") }
  }
}

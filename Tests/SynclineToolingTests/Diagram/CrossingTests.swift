import TestSupport
import Testing

@testable import SynclineTooling

@Suite struct CrossingTests {
  @Test func countsCrossings() {
    let rising = [Point(x: 0, y: 0), Point(x: 5, y: 5), Point(x: 10, y: 10)]
    let falling = [Point(x: 0, y: 10), Point(x: 10, y: 0)]
    let touching = [Point(x: 0, y: 0), Point(x: 0, y: 10)]
    #expect(DrawnCrossings.count([rising, falling]) == 1)
    #expect(DrawnCrossings.count([rising, rising.reversed()]) == 0)
    #expect(DrawnCrossings.count([rising, touching]) == 0)
    #expect(DrawnCrossings.count([]) == 0)
  }

  @Test(.enabled(if: TestKind.long.runs), arguments: [TestGraph.chain(30), .tree(40), .star(40), .cycle(12)])
  func drawsPlanarGraphsAlmostWithoutCrossings(_ graph: TestGraph) {
    #expect(crossings(graph) <= 2)
  }

  /// Of three graphs each: 3, 47, 162 and 213 were measured; there is some room for other changes.
  @Test(
    .enabled(if: TestKind.long.runs), arguments: [(15, 22, 6), (30, 45, 54), (30, 60, 185), (60, 90, 245)])
  func layoutOfRandomGraphStaysBelowCrossingBound(_ count: Int, _ edges: Int, _ bound: Int) {
    var total = 0
    for seed in 1...3 { total += crossings(.random(count, edges: edges, seed: UInt64(seed))) }
    #expect(total <= bound, "\(total)")
  }

  @Test(.enabled(if: Graphviz.isInstalled, "Graphviz is not installed."))
  func layoutHasAtMostAQuarterMoreCrossingsThanGraphviz() throws {
    var (ours, theirs) = (0, 0)
    for (count, edges) in [(15, 22), (30, 45), (30, 60), (60, 90)] {
      for seed in 1...3 {
        let graph = TestGraph.random(count, edges: edges, seed: UInt64(seed))
        ours += crossings(graph)
        theirs += DrawnCrossings.count(try Graphviz.lines(graph))
      }
    }
    print("Crossings: \(ours); with Graphviz: \(theirs); ratio \(Double(ours) / Double(max(theirs, 1)))")
    #expect(Double(ours) <= 1.25 * Double(theirs))
  }

  private func crossings(_ graph: TestGraph) -> Int {
    let layout = LayeredLayout(graph.sizes, edges: graph.edges.filter { $0.from != $0.to })
    return DrawnCrossings.count(layout.paths.map { $0.polyline() })
  }
}

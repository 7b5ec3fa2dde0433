import Testing

@testable import SynclineTooling

/// Graphs to lay out: the same in every run.
struct TestGraph: CustomTestStringConvertible, Sendable {
  let name: String
  let sizes: [Size]
  let edges: [LayeredLayout.Edge]

  var testDescription: String { name }

  init(_ name: String, count: Int, seed: UInt64, edges: [(Int, Int)]) {
    var random = SplitMix(seed: seed)
    self.name = name
    sizes = (0..<count).map { _ in
      Size(width: Double(140 + 20 * random.below(6)), height: Double(34 + 22 * random.below(13)))
    }
    self.edges = edges.map { LayeredLayout.Edge(from: $0.0, to: $0.1, labelWidth: Double(random.below(60))) }
  }

  /// Edges between any two boxes; self-loops and several edges between the same two occur.
  static func random(_ count: Int, edges: Int, seed: UInt64) -> TestGraph {
    var random = SplitMix(seed: seed)
    let edges = (0..<edges).map { _ in (random.below(count), random.below(count)) }
    return TestGraph("random \(count)/\(edges.count) seed \(seed)", count: count, seed: seed, edges: edges)
  }

  static func star(_ count: Int) -> TestGraph {
    TestGraph("star \(count)", count: count, seed: 1, edges: (1..<count).map { ($0, 0) })
  }

  static func chain(_ count: Int) -> TestGraph {
    TestGraph("chain \(count)", count: count, seed: 2, edges: (1..<count).map { ($0 - 1, $0) })
  }

  static func tree(_ count: Int) -> TestGraph {
    TestGraph("tree \(count)", count: count, seed: 3, edges: (1..<count).map { (($0 - 1) / 3, $0) })
  }

  static func clique(_ count: Int) -> TestGraph {
    TestGraph(
      "clique \(count)", count: count, seed: 4,
      edges: (0..<count).flatMap { a in (0..<count).filter { $0 > a }.map { (a, $0) } })
  }

  static func cycle(_ count: Int) -> TestGraph {
    TestGraph("cycle \(count)", count: count, seed: 5, edges: (0..<count).map { ($0, ($0 + 1) % count) })
  }

  /// Self-loops and several edges between the same two boxes, in both directions.
  static let multiple = TestGraph(
    "multiple", count: 4, seed: 6,
    edges: [(0, 0), (0, 0), (1, 1), (0, 1), (0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (0, 2), (2, 2)])

  static let all: [TestGraph] =
    [
      TestGraph("nothing", count: 0, seed: 0, edges: []), TestGraph("one", count: 1, seed: 0, edges: []),
      TestGraph("a loop", count: 1, seed: 0, edges: [(0, 0)]),
      TestGraph("isolated", count: 23, seed: 0, edges: []), multiple, chain(2), chain(40), star(12), star(61),
      tree(40), tree(120), clique(5), clique(9), cycle(3), cycle(30),
    ]
    + [(5, 6), (12, 8), (12, 30), (30, 20), (30, 60), (60, 40), (60, 90), (120, 100)].flatMap {
      count, edges in
      (1...(count < 60 ? 4 : 1)).map { random(count, edges: edges, seed: UInt64($0)) }
    }

  /// All of them, laid out once for all tests.
  static let laidOut = all.map { LaidOutGraph(graph: $0, layout: LayeredLayout($0.sizes, edges: $0.edges)) }
}

/// A graph and its layout.
struct LaidOutGraph: CustomTestStringConvertible, Sendable {
  let graph: TestGraph
  let layout: LayeredLayout

  var testDescription: String { graph.name }
}

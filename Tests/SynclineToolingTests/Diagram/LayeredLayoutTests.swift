import TestSupport
import Testing

@testable import SynclineTooling

@Suite struct LayeredLayoutTests {
  @Test(arguments: TestGraph.laidOut)
  func boxesKeepMinimumDistance(_ item: LaidOutGraph) {
    let (graph, layout) = (item.graph, item.layout)
    #expect(layout.boxes.map(\.size) == graph.sizes)
    for (index, a) in layout.boxes.enumerated() {
      for b in layout.boxes.dropFirst(index + 1) {
        let across = max(a.minX, b.minX) - min(a.maxX, b.maxX)
        let down = max(a.minY, b.minY) - min(a.maxY, b.maxY)
        #expect(max(across, down) >= 24 - 1e-6)
      }
    }
  }

  @Test(arguments: TestGraph.laidOut)
  func edgesAreRoutedAroundBoxes(_ item: LaidOutGraph) {
    let (graph, layout) = (item.graph, item.layout)
    for (edge, path) in zip(graph.edges, layout.paths) {
      let points = path.polyline()
      for (index, box) in layout.boxes.enumerated() {
        // Its own boxes it must not enter either; the others it keeps away from.
        let isEnd = index == edge.from || index == edge.to
        let hit = zip(points, points.dropFirst()).contains { passes($0, $1, box, margin: isEnd ? -0.01 : 8) }
        #expect(!hit, "\(edge) passes box \(index)")
      }
    }
  }

  @Test(arguments: TestGraph.laidOut)
  func edgesStartAndEndAtBoxBorders(_ item: LaidOutGraph) {
    let (graph, layout) = (item.graph, item.layout)
    for (edge, path) in zip(graph.edges, layout.paths) {
      #expect(isAtSide(path.start, layout.boxes[edge.from]))
      #expect(isAtSide(path.end, layout.boxes[edge.to]))
    }
  }

  @Test(arguments: TestGraph.laidOut)
  func drawingStaysWithinItsSize(_ item: LaidOutGraph) {
    let layout = item.layout
    let corners = layout.boxes.flatMap { [$0.origin, Point(x: $0.maxX, y: $0.maxY)] }
    for point in corners + layout.paths.flatMap({ $0.polyline() }) {
      #expect(point.x.isFinite && point.y.isFinite)
      #expect(point.x >= -1e-6 && point.x <= layout.size.width + 1e-6)
      #expect(point.y >= -1e-6 && point.y <= layout.size.height + 1e-6)
    }
  }

  @Test(
    .enabled(if: TestKind.long.runs),
    arguments: [TestGraph.random(30, edges: 60, seed: 9), .multiple, .star(20)])
  func layoutIsDeterministic(_ graph: TestGraph) {
    #expect(LayeredLayout(graph.sizes, edges: graph.edges) == LayeredLayout(graph.sizes, edges: graph.edges))
  }

  @Test(arguments: TestGraph.laidOut.filter { $0.graph.sizes.count > 30 })
  func largeLayoutHasPageAspectRatio(_ item: LaidOutGraph) {
    let size = item.layout.size
    #expect((0.6...3).contains(size.width / size.height), "\(size)")
  }

  /// Parts of several sizes: one of all boxes, many of few, and boxes without edges.
  static let large: [TestGraph] = [
    .random(300, edges: 600, seed: 21), .chain(300), .star(300), .tree(300),
    TestGraph(
      "parts", count: 300, seed: 22,
      edges: (0..<300).filter { $0 % 6 != 0 && $0 % 6 != 5 }.map { ($0 - $0 % 3, $0) }),
  ]

  @Test(.enabled(if: TestKind.long.runs), arguments: LayeredLayoutTests.large)
  func largeGraphLayoutStaysWithinEffort(_ graph: TestGraph) {
    let limit = LayoutEffort(steps: 4_000_000)
    let layout = LayeredLayout(graph.sizes, edges: graph.edges, effort: limit)
    // One layout is made whatever it costs, and the last step may cost more than is left.
    #expect(layout.effort.spent <= 4 * 4_000_000, "\(layout.effort.spent)")
    #expect(layout.effort == LayeredLayout(graph.sizes, edges: graph.edges, effort: limit).effort)
    for box in layout.boxes { #expect(box.minX >= 0 && box.minY >= 0) }
    #expect(layout.paths.allSatisfy { !$0.pieces.isEmpty })
  }

  @Test func effortIsLimitedOnlyForLargeDrawings() {
    #expect(!LayoutEffort(boxes: 150).isLimited)
    #expect(LayoutEffort(boxes: 1_000).isLimited)
    #expect(LayoutEffort(boxes: 60, edges: 240).isLimited && !LayoutEffort(boxes: 10, edges: 60).isLimited)
    #expect(LayoutEffort(boxes: 1_000) == LayoutEffort(boxes: 151))
    var effort = LayoutEffort(steps: 100)
    var share = effort.share(1, of: 4)
    #expect(share.left == 25)
    share.spend(40)
    effort.add(share)
    #expect(effort.left == 60 && effort.spent == 40 && !effort.isSpent)
  }

  private func isAtSide(_ point: Point, _ box: Rect) -> Bool {
    (abs(point.x - box.minX) < 1e-6 || abs(point.x - box.maxX) < 1e-6) && point.y > box.minY
      && point.y < box.maxY
  }

  /// Clips the segment to the box and its margin, as Liang and Barsky do.
  private func passes(_ a: Point, _ b: Point, _ box: Rect, margin: Double) -> Bool {
    var (enter, leave) = (0.0, 1.0)
    for (from, change, low, high) in [
      (a.x, b.x - a.x, box.minX - margin, box.maxX + margin),
      (a.y, b.y - a.y, box.minY - margin, box.maxY + margin),
    ] {
      if change == 0 {
        if from <= low || from >= high { return false }
        continue
      }
      enter = max(enter, min((low - from) / change, (high - from) / change))
      leave = min(leave, max((low - from) / change, (high - from) / change))
    }
    return enter < leave
  }
}

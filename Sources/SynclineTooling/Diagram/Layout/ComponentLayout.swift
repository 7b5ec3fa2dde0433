/// The layout of boxes that are connected.
struct ComponentLayout {
  struct Input {
    var sizes: [Size]
    var edges: [LayeredLayout.Edge]
    /// The self-references.
    var loops: [LayeredLayout.Edge]
  }

  let boxes: [Rect]
  /// The lines of the edges between two boxes.
  let edges: [EdgePath]
  /// The lines of the self-references.
  let loops: [EdgePath]
  let size: Size
  let crossings: Int

  /// The most readable of the layouts for several layer assignments.
  ///
  /// - Parameter effort: the steps that the layouts may take. One layout is made even if there are too few.
  static func best(_ input: Input, effort: inout LayoutEffort) -> ComponentLayout {
    let candidates = LayerCandidates.layers(input, effort: &effort)
    // All candidates are tried with little effort, then the most promising ones with more.
    var drafts: [(layers: [Int], layout: ComponentLayout)] = []
    for (index, layers) in candidates.enumerated() where drafts.isEmpty || !effort.isSpent {
      var share = effort.share(1, of: candidates.count - index + 1)
      drafts.append((layers, ComponentLayout(input, layers: layers, attempts: 1, &share)))
      effort.add(share)
    }
    let order = drafts.indices.sorted { (drafts[$0].layout.score, $0) < (drafts[$1].layout.score, $1) }
    var best = drafts[order[0]]
    for index in order.prefix(effort.isLimited ? 1 : 5) where !effort.isSpent {
      let layers = drafts[index].layers
      let layout = ComponentLayout(input, layers: layers, attempts: 6, &effort)
      // With limited effort, the draft of the same layers may be the better layout.
      if layout.score < best.layout.score || (best.layers == layers && !effort.isLimited) {
        best = (layers, layout)
      }
    }
    // The more boxes there are, the less a single box matters.
    return LayerImprovement.improve(
      best.layout, of: input, layers: best.layers, budget: input.sizes.count <= 60 ? 80 : 0
    ) { layers in
      effort.isSpent ? nil : ComponentLayout(input, layers: layers, attempts: 1, &effort)
    }
  }

  /// The cost for a reader, from the size of the drawing and its page, and the crossings per edge. Less is better.
  var score: Double {
    let extent = (size.width * size.height / Size.pageRatio).squareRoot() + size.pageHeight
    let crossingsPerEdge = Double(crossings) / Double(max(edges.count, 1))
    return extent * (1 + 1.3 * crossingsPerEdge.squareRoot())
  }

  private init(_ input: Input, layers: [Int], attempts: Int, _ effort: inout LayoutEffort) {
    var graph = LayeredGraph(
      heights: input.sizes.map(\.height), layerOf: layers, edges: input.edges.map { ($0.from, $0.to) })
    let order = CrossingReduction.order(graph, attempts: attempts, effort: &effort)
    graph.layers = order.layers
    crossings = order.crossings
    let ports = Ports(graph, loopBoxes: input.loops.map(\.from))
    let tops = CoordinateAssignment.tops(graph, ports: ports)
    effort.spend(CoordinateAssignment.stepsForItem * graph.itemCount)
    let routing = EdgeRouting(input, graph, ports: ports, tops: tops)
    boxes = routing.boxes
    edges = routing.paths(boxes)
    loops = routing.loops(boxes)
    size = routing.size
  }
}

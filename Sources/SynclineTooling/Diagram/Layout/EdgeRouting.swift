/// Computes the columns of the layers, and routes the edges through the gaps between them.
///
/// An edge is level where it crosses a column, at a height where nothing else is. Between two columns, edges curve
/// from height to height over the same distance, so two of them cross once if their order changes, and otherwise
/// not at all.
struct EdgeRouting {
  private let input: ComponentLayout.Input
  private let graph: LayeredGraph
  private let ports: Ports
  private let tops: [Double]
  /// The left edge and the width of each layer.
  private var columns: [(x: Double, width: Double)] = []
  /// The length for which edges are level to the left and to the right of each layer.
  private var stubs: [(left: Double, right: Double)]

  init(_ input: ComponentLayout.Input, _ graph: LayeredGraph, ports: Ports, tops: [Double]) {
    (self.input, self.graph, self.ports, self.tops) = (input, graph, ports, tops)
    let widths = graph.layers.map { layer in
      layer.reduce(0) { graph.isBox($1) ? max($0, input.sizes[$1].width) : $0 }
    }
    stubs = graph.layers.map { _ in (0, 0) }
    for (edge, chain) in zip(input.edges, graph.chains) {
      let label = edge.labelWidth
      need(LayoutSpacing.stub + (chain.isReversed ? 0 : label), at: chain.first, isRight: true, widths)
      need(LayoutSpacing.stub + (chain.isReversed ? label : 0), at: chain.last, isRight: false, widths)
    }
    for (loop, port) in zip(input.loops, ports.loops) {
      let length = max(LayoutSpacing.loop, LayoutSpacing.stub + loop.labelWidth)
      need(length, at: loop.from, isRight: port.isRight, widths)
    }
    placeColumns(widths)
  }

  private mutating func need(_ length: Double, at box: Int, isRight: Bool, _ widths: [Double]) {
    let layer = graph.layerOf[box]
    // The part of the column next to the box is also free.
    let outside = length - (widths[layer] - input.sizes[box].width) / 2
    if isRight {
      stubs[layer].right = max(stubs[layer].right, outside)
    } else {
      stubs[layer].left = max(stubs[layer].left, outside)
    }
  }

  private mutating func placeColumns(_ widths: [Double]) {
    var x = stubs.first?.left ?? 0
    for layer in graph.layers.indices {
      columns.append((x, widths[layer]))
      x += widths[layer] + stubs[layer].right
      if layer + 1 < graph.layers.count { x += roomForCurves(after: layer) + stubs[layer + 1].left }
    }
  }

  /// Extra room for edges with a large change of height, so that they are not too steep.
  private func roomForCurves(after layer: Int) -> Double {
    var climb = 0.0
    var count = 0.0
    for item in graph.layers[layer] {
      for other in graph.right[item] {
        climb += min(abs(tops[other] - tops[item]), 600)
        count += 1
      }
    }
    return LayoutSpacing.curves + min(count > 0 ? climb / count * 0.2 : 0, 50) + min(count * 0.7, 28)
  }

  var boxes: [Rect] {
    (0..<graph.boxCount).map { box in
      let column = columns[graph.layerOf[box]]
      let x = column.x + (column.width - input.sizes[box].width) / 2
      return Rect(origin: Point(x: x, y: tops[box]), size: input.sizes[box])
    }
  }

  /// The line of each edge, from its first box to its second.
  func paths(_ boxes: [Rect]) -> [EdgePath] {
    graph.chains.enumerated().map { edge, chain in
      var y = tops[chain.first] + ports.starts[edge]
      var path = EdgePath(start: Point(x: boxes[chain.first].maxX, y: y))
      for item in chain.items.dropFirst() {
        let (before, layer) = (graph.layerOf[item] - 1, graph.layerOf[item])
        path.addLine(to: Point(x: columns[before].x + columns[before].width + stubs[before].right, y: y))
        y = item == chain.last ? tops[item] + ports.ends[edge] : tops[item]
        path.addLevelCurve(to: Point(x: columns[layer].x - stubs[layer].left, y: y))
      }
      path.addLine(to: Point(x: boxes[chain.last].minX, y: y))
      return chain.isReversed ? path.reversed : path
    }
  }

  func loops(_ boxes: [Rect]) -> [EdgePath] {
    zip(input.loops, ports.loops).map { loop, port in
      let box = boxes[loop.from]
      let side = port.isRight ? box.maxX : box.minX
      let out = port.isRight ? 1.0 : -1
      let (start, end) = (box.minY + port.start, box.minY + port.end)
      // A curve reaches three quarters of the way to its control points.
      let reach = side + out * (LayoutSpacing.stub + (LayoutSpacing.loop - LayoutSpacing.stub) * 4 / 3)
      var path = EdgePath(start: Point(x: side, y: start))
      path.addLine(to: Point(x: side + out * LayoutSpacing.stub, y: start))
      path.pieces.append(
        .curve(
          Point(x: reach, y: start), Point(x: reach, y: end),
          Point(x: side + out * LayoutSpacing.stub, y: end)))
      path.addLine(to: Point(x: side, y: end))
      return path
    }
  }

  var size: Size {
    let width = zip(columns, stubs).map { $0.x + $0.width + $1.right }.max() ?? 0
    let height = tops.indices.map { tops[$0] + graph.heights[$0] }.max() ?? 0
    return Size(width: width, height: height)
  }
}

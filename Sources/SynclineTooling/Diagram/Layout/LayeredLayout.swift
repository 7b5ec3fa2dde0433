/// A layout of boxes and edges in layers from left to right, by Sugiyama's method.
///
/// The same input gives the same layout. Each connected component is laid out on its own, and packed into a page.
struct LayeredLayout: Hashable, Sendable {
  /// An edge between two boxes, or a self-reference.
  struct Edge: Hashable, Sendable {
    /// The boxes at which it starts and ends.
    var from, to: Int
    /// The room for its label at its start.
    var labelWidth = 0.0
  }

  private(set) var boxes: [Rect]
  /// The line of each edge, from the box at which it starts.
  private(set) var paths: [EdgePath]
  /// The size of the whole layout, which starts at the origin.
  private(set) var size: Size
  /// The steps that are left, and those that were spent.
  private(set) var effort: LayoutEffort

  /// - Parameter effort: what the layout may take; nil for what suits the numbers of boxes and edges.
  init(_ sizes: [Size], edges: [Edge], effort limit: LayoutEffort? = nil) {
    effort = limit ?? LayoutEffort(boxes: sizes.count, edges: edges.count)
    boxes = sizes.map { Rect(origin: Point(x: 0, y: 0), size: $0) }
    paths = edges.map { _ in EdgePath(start: Point(x: 0, y: 0)) }
    size = Size(width: 0, height: 0)
    let components = Components.of(count: sizes.count, edges: edges.map { ($0.from, $0.to) })
    var componentOf = [Int](repeating: 0, count: sizes.count)
    var indexOf = componentOf
    for (component, boxes) in components.enumerated() {
      for (index, box) in boxes.enumerated() { (componentOf[box], indexOf[box]) = (component, index) }
    }
    var edgesOf = [[Int]](repeating: [], count: components.count)
    for (index, edge) in edges.enumerated() { edgesOf[componentOf[edge.from]].append(index) }

    let whole = effort
    var parts: [Part] = []
    var isolated: [Int] = []
    for (boxes, ofComponent) in zip(components, edgesOf) {
      if ofComponent.isEmpty {
        isolated += boxes
        continue
      }
      let local = { (edge: Int) in
        Edge(
          from: indexOf[edges[edge].from], to: indexOf[edges[edge].to], labelWidth: edges[edge].labelWidth)
      }
      let between = ofComponent.filter { edges[$0].from != edges[$0].to }
      let loops = ofComponent.filter { edges[$0].from == edges[$0].to }
      var share = whole.share(boxes.count, of: sizes.count)
      let layout = ComponentLayout.best(
        .init(sizes: boxes.map { sizes[$0] }, edges: between.map(local), loops: loops.map(local)),
        effort: &share)
      effort.add(share)
      parts.append(
        Part(
          boxes: boxes, rects: layout.boxes, edges: between + loops, paths: layout.edges + layout.loops,
          size: layout.size))
    }
    if !isolated.isEmpty {
      let grid = BoxGrid.place(isolated.map { sizes[$0] }, beside: parts.map(\.size))
      parts.append(Part(boxes: isolated, rects: grid.boxes, edges: [], paths: [], size: grid.size))
    }
    let packed = Packing.pack(parts.map(\.size), gap: LayoutSpacing.betweenComponents)
    for (part, origin) in zip(parts, packed.origins) {
      for (box, rect) in zip(part.boxes, part.rects) { boxes[box] = rect.moved(by: origin) }
      for (edge, path) in zip(part.edges, part.paths) { paths[edge] = path.moved(by: origin) }
    }
    size = packed.size
  }

  private struct Part {
    var boxes: [Int]
    var rects: [Rect]
    var edges: [Int]
    var paths: [EdgePath]
    var size: Size
  }
}

/// A graph whose edges connect adjacent layers: longer edges are split by bends.
///
/// Items are the boxes, by their index, and after them the bends.
struct LayeredGraph {
  /// The path of an edge from left to right.
  struct Chain {
    /// The box on the left, the bends, and the box on the right.
    var items: [Int]
    /// Whether the edge starts on the right.
    var isReversed: Bool

    var first: Int { items[0] }
    var last: Int { items[items.count - 1] }
  }

  let boxCount: Int
  private(set) var layerOf: [Int]
  /// The height of each item; 0 for bends.
  private(set) var heights: [Double]
  /// The items of the previous layer to which each item is connected.
  private(set) var left: [[Int]]
  /// The items of the next layer to which each item is connected.
  private(set) var right: [[Int]]
  /// The items of each layer, from top to bottom.
  var layers: [[Int]]
  private(set) var chains: [Chain] = []

  /// - Parameter edges: the edges; none may stay within a layer.
  init(heights: [Double], layerOf: [Int], edges: [(from: Int, to: Int)]) {
    boxCount = heights.count
    (self.heights, self.layerOf) = (heights, layerOf)
    left = [[Int]](repeating: [], count: heights.count)
    right = left
    layers = [[Int]](repeating: [], count: (layerOf.max() ?? -1) + 1)
    for (box, layer) in layerOf.enumerated() { layers[layer].append(box) }
    for edge in edges {
      let isReversed = layerOf[edge.from] > layerOf[edge.to]
      let (first, last) = isReversed ? (edge.to, edge.from) : (edge.from, edge.to)
      var items = [first]
      for layer in layerOf[first] + 1..<layerOf[last] { items.append(addBend(in: layer)) }
      items.append(last)
      for (a, b) in zip(items, items.dropFirst()) {
        right[a].append(b)
        left[b].append(a)
      }
      chains.append(Chain(items: items, isReversed: isReversed))
    }
  }

  private mutating func addBend(in layer: Int) -> Int {
    let bend = layerOf.count
    layerOf.append(layer)
    heights.append(0)
    left.append([])
    right.append([])
    layers[layer].append(bend)
    return bend
  }

  var itemCount: Int { layerOf.count }

  func isBox(_ item: Int) -> Bool { item < boxCount }

  var positions: [Int] {
    var positions = [Int](repeating: 0, count: itemCount)
    for layer in layers {
      for (position, item) in layer.enumerated() { positions[item] = position }
    }
    return positions
  }

  /// The minimum distance of two adjacent items in a layer.
  func distance(_ a: Int, _ b: Int) -> Double {
    switch (isBox(a), isBox(b)) {
    case (true, true): LayoutSpacing.betweenBoxes
    case (false, false): LayoutSpacing.betweenEdges
    default: LayoutSpacing.betweenBoxAndEdge
    }
  }
}

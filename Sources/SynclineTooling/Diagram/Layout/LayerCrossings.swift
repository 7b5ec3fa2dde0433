enum LayerCrossings {
  /// The number of pairs of edge segments that cross, over all layers.
  static func count(_ graph: LayeredGraph, layers: [[Int]], positions: [Int]) -> Int {
    var crossings = 0
    for (layer, next) in zip(layers, layers.dropFirst()) {
      crossings += count(layer, into: next.count, graph, positions)
    }
    return crossings
  }

  /// Counts the inversions of the ends in the next layer by a Fenwick tree.
  private static func count(
    _ layer: [Int], into nextCount: Int, _ graph: LayeredGraph, _ positions: [Int]
  ) -> Int {
    var tree = [Int](repeating: 0, count: nextCount + 1)
    var total = 0
    var crossings = 0
    for item in layer {
      // All ends of an item are counted before any is inserted, since they do not cross each other.
      for end in graph.right[item] {
        var index = positions[end] + 1
        var before = 0
        while index > 0 {
          before += tree[index]
          index &= index - 1
        }
        crossings += total - before
      }
      for end in graph.right[item] {
        var index = positions[end] + 1
        while index <= nextCount {
          tree[index] += 1
          index += index & -index
        }
        total += 1
      }
    }
    return crossings
  }
}

enum InitialOrders {
  /// The items of each layer in the order in which a graph traversal visits them.
  ///
  /// A depth-first traversal of a tree causes no crossings.
  ///
  /// - Parameter attempt: the first traversal keeps the order of the schema, the second is breadth-first, the others
  ///   are random.
  static func order(_ graph: LayeredGraph, attempt: Int) -> [[Int]] {
    var random = SplitMix(seed: UInt64(attempt))
    let isRandom = attempt > 1
    var layers = [[Int]](repeating: [], count: graph.layers.count)
    var isSeen = [Bool](repeating: false, count: graph.itemCount)
    var roots = Array(0..<graph.boxCount)
    if isRandom { shuffle(&roots, &random) }
    for root in roots where !isSeen[root] {
      // The items to visit: a depth-first traversal takes the last one, a breadth-first traversal the first one.
      var pending = [root]
      var next = 0
      while next < pending.count {
        let item = attempt == 1 ? pending[next] : pending.removeLast()
        if attempt == 1 { next += 1 }
        if isSeen[item] { continue }
        isSeen[item] = true
        layers[graph.layerOf[item]].append(item)
        var neighbours = graph.left[item] + graph.right[item]
        if isRandom { shuffle(&neighbours, &random) }
        pending += neighbours.reversed()
      }
    }
    return layers
  }

  private static func shuffle(_ items: inout [Int], _ random: inout SplitMix) {
    for index in items.indices.dropFirst().reversed() { items.swapAt(index, random.below(index + 1)) }
  }
}

/// Orders the items of the layers for few crossings. It starts from several orders, runs barycenter sweeps, each
/// followed by sifting all layers, and keeps the best result.
struct CrossingReduction {
  private let graph: LayeredGraph
  private var layers: [[Int]]
  private var positions: [Int]
  private var best: [[Int]]
  private var fewest: Int
  private var effort: LayoutEffort

  /// The order of each layer, and the number of crossings.
  ///
  /// - Parameter effort: the steps that are left for the layout. At most half of them are spent here.
  static func order(_ graph: LayeredGraph, attempts: Int, effort: inout LayoutEffort) -> (
    layers: [[Int]], crossings: Int
  ) {
    var reduction = CrossingReduction(graph, effort: effort.share(1, of: 2))
    for attempt in 0..<max(attempts, 1) where reduction.fewest > 0 {
      if attempt > 0, reduction.effort.isSpent { break }
      reduction.start(InitialOrders.order(graph, attempt: attempt))
      reduction.sweep()
    }
    effort.add(reduction.effort)
    return (reduction.best, reduction.fewest)
  }

  private init(_ graph: LayeredGraph, effort: LayoutEffort) {
    (self.graph, self.effort) = (graph, effort)
    layers = graph.layers
    positions = graph.positions
    best = layers
    fewest = LayerCrossings.count(graph, layers: layers, positions: positions)
  }

  private mutating func start(_ order: [[Int]]) {
    layers = order
    for layer in layers.indices { number(layer) }
  }

  private mutating func number(_ layer: Int) {
    for (position, item) in layers[layer].enumerated() { positions[item] = position }
  }

  /// The cost of sorting an item among those of its layer and counting its crossings, in steps of a `LayoutEffort`.
  private static let stepsForItem = 40

  private mutating func sweep() {
    var fewestHere = Int.max
    var failures = 0
    for round in 0..<24 where failures < 5 {
      // A few rounds always run.
      if round > 3, effort.isSpent { return }
      let isForward = round % 2 == 0
      for layer in isForward ? Array(layers.indices) : layers.indices.reversed() {
        sort(layer, byLeft: isForward)
      }
      effort.spend(CrossingReduction.stepsForItem * graph.itemCount)
      var crossings = count()
      for _ in 0..<6 {
        for layer in layers.indices where !effort.isSpent { sift(layer) }
        let after = count()
        if after == crossings { break }
        crossings = after
      }
      if crossings < fewest { (best, fewest) = (layers, crossings) }
      failures = crossings < fewestHere ? 0 : failures + 1
      fewestHere = min(fewestHere, crossings)
      if crossings == 0 { return }
    }
  }

  private func count() -> Int { LayerCrossings.count(graph, layers: layers, positions: positions) }

  /// Sorts a layer by the mean position of each item's neighbours; items without neighbours keep their position.
  private mutating func sort(_ layer: Int, byLeft: Bool) {
    let joined = byLeft ? graph.left : graph.right
    var movable: [(item: Int, mean: Double, place: Int)] = []
    for (place, item) in layers[layer].enumerated() where !joined[item].isEmpty {
      let sum = joined[item].reduce(0) { $0 + positions[$1] }
      movable.append((item, Double(sum) / Double(joined[item].count), place))
    }
    let places = movable.map(\.place)
    movable.sort { ($0.mean, $0.place) < ($1.mean, $1.place) }
    for (place, entry) in zip(places, movable) { layers[layer][place] = entry.item }
    number(layer)
  }

  /// Moves each item of a layer to the position with the fewest crossings.
  private mutating func sift(_ layer: Int) {
    let items = layers[layer]
    guard items.count > 1 else { return }
    effort.spend(items.count * items.count)
    let matrix = CrossingMatrix(
      left: items.map { item in graph.left[item].map { positions[$0] }.sorted() },
      right: items.map { item in graph.right[item].map { positions[$0] }.sorted() })
    // These are indexes into `items`.
    var order = Array(items.indices)
    for index in items.indices {
      guard let place = order.firstIndex(of: index) else { continue }
      var bestPlace = place
      var bestChange = 0
      var change = 0
      for other in stride(from: place - 1, through: 0, by: -1) {
        change += matrix.change(order[other], index)
        if change < bestChange { (bestChange, bestPlace) = (change, other) }
      }
      change = 0
      for other in stride(from: place + 1, to: order.count, by: 1) {
        change += matrix.change(index, order[other])
        if change < bestChange { (bestChange, bestPlace) = (change, other) }
      }
      if bestPlace != place {
        order.remove(at: place)
        order.insert(index, at: bestPlace)
      }
    }
    layers[layer] = order.map { items[$0] }
    number(layer)
  }
}

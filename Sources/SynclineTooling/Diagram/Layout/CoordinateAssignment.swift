/// Finds the top of each item: close to the items it is connected to, at the distances that its layer requires.
struct CoordinateAssignment {
  /// A segment of an edge, seen from one of its two items.
  private struct Joint {
    var other: Int
    /// The offset to add to the other item's top for the segment to be level.
    var shift: Double
    var weight: Double
  }

  private let graph: LayeredGraph
  private let ports: Ports
  private var left: [[Joint]]
  private var right: [[Joint]]
  private var tops: [Double]

  /// The cost of the rounds below for an item, in steps of a `LayoutEffort`.
  static let stepsForItem = 1_000

  /// The top of each item, from 0.
  static func tops(_ graph: LayeredGraph, ports: Ports) -> [Double] {
    var assignment = CoordinateAssignment(graph, ports)
    assignment.stack()
    assignment.sweep()
    for _ in 0..<4 {
      assignment.straighten()
      assignment.level()
    }
    assignment.straighten()
    let first = assignment.tops.min() ?? 0
    return assignment.tops.map { $0 - first }
  }

  private init(_ graph: LayeredGraph, _ ports: Ports) {
    (self.graph, self.ports) = (graph, ports)
    tops = [Double](repeating: 0, count: graph.itemCount)
    left = [[Joint]](repeating: [], count: graph.itemCount)
    right = left
    for (edge, chain) in graph.chains.enumerated() {
      let joints = zip(chain.items, chain.items.dropFirst())
      for (index, (a, b)) in joints.enumerated() {
        let start = index == 0 ? ports.starts[edge] : 0
        let end = index == chain.items.count - 2 ? ports.ends[edge] : 0
        // Long edges must become straight before others.
        let weight = graph.isBox(a) && graph.isBox(b) ? 1.0 : graph.isBox(a) || graph.isBox(b) ? 2 : 6
        right[a].append(Joint(other: b, shift: end - start, weight: weight))
        left[b].append(Joint(other: a, shift: start - end, weight: weight))
      }
    }
  }

  /// The distance from the top of an item to the top of the next one in its layer.
  private func advance(_ a: Int, _ b: Int) -> Double { graph.heights[a] + graph.distance(a, b) }

  /// Stacks the items of each layer; all layers have the same middle.
  private mutating func stack() {
    for layer in graph.layers {
      var bottom = 0.0
      var previous: Int?
      for item in layer {
        if let previous { bottom += graph.distance(previous, item) }
        tops[item] = bottom
        bottom += graph.heights[item]
        previous = item
      }
      for item in layer { tops[item] -= bottom / 2 }
    }
  }

  private mutating func sweep() {
    let all = Array(graph.layers.indices)
    for round in 0..<40 {
      let isForward = round % 2 == 0
      // First from one side only, so that whole branches move; then from both.
      let isOneSided = round < 10
      for layer in isForward ? all : all.reversed() {
        place(layer, byLeft: !isOneSided || isForward, byRight: !isOneSided || !isForward)
      }
    }
  }

  private mutating func place(_ layer: Int, byLeft: Bool, byRight: Bool) {
    let items = graph.layers[layer]
    var wishes: [IsotonicPlacement.Wish] = []
    for (index, item) in items.enumerated() {
      var sum = 0.0
      var weight = 0.0
      func add(_ joints: [Joint]) {
        for joint in joints {
          sum += (tops[joint.other] + joint.shift) * joint.weight
          weight += joint.weight
        }
      }
      if byLeft { add(left[item]) }
      if byRight { add(right[item]) }
      // An item without connections keeps its position, unless others need the room.
      if weight == 0 { (sum, weight) = (tops[item] * 0.01, 0.01) }
      let next = index + 1 < items.count ? items[index + 1] : item
      wishes.append(.init(position: sum / weight, weight: weight, advance: advance(item, next)))
    }
    for (item, top) in zip(items, IsotonicPlacement.positions(wishes)) { tops[item] = top }
  }

  /// The range for the top of an item that its neighbours in the layer allow.
  private func range(of item: Int, at position: Int) -> ClosedRange<Double> {
    let items = graph.layers[graph.layerOf[item]]
    var (low, high) = (-Double.infinity, Double.infinity)
    if position > 0 { low = tops[items[position - 1]] + advance(items[position - 1], item) }
    if position + 1 < items.count { high = tops[items[position + 1]] - advance(item, items[position + 1]) }
    // Rounding errors may have moved it slightly outside.
    return min(low, tops[item])...max(high, tops[item])
  }

  /// Moves boxes so that their middle edge is level.
  private mutating func level() {
    for layer in graph.layers {
      for (position, item) in layer.enumerated() where graph.isBox(item) {
        let wishes = (left[item] + right[item]).map { (top: tops[$0.other] + $0.shift, weight: $0.weight) }
          .sorted { $0.top < $1.top }
        let half = wishes.reduce(0) { $0 + $1.weight } / 2
        var sum = 0.0
        let median = wishes.first { wish in
          sum += wish.weight
          return sum >= half
        }
        guard let median else { continue }
        let range = range(of: item, at: position)
        tops[item] = min(max(median.top, range.lowerBound), range.upperBound)
      }
    }
  }

  /// Routes each long edge along as few heights as the room between its neighbours allows.
  private mutating func straighten() {
    let positions = graph.positions
    for (edge, chain) in graph.chains.enumerated() where chain.items.count > 2 {
      let start = tops[chain.first] + ports.starts[edge]
      let end = tops[chain.last] + ports.ends[edge]
      let bends = chain.items.dropFirst().dropLast()
      let ranges = [start...start] + bends.map { range(of: $0, at: positions[$0]) } + [end...end]
      for (item, top) in zip(chain.items, StraightRuns.heights(ranges)) where !graph.isBox(item) {
        tops[item] = top
      }
    }
  }
}

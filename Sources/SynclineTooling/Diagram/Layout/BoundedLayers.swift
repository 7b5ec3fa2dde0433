/// Assigns boxes to a given number of layers of limited height, with short edges. This folds long chains, and splits
/// the layer of a hub's many neighbours.
///
/// The direction of a relationship matters little for the layout, so an edge may point to an earlier layer. It must
/// not stay within a layer. The search is threshold accepting: it accepts a random move if it worsens the layers by
/// less than a threshold, which falls to zero.
struct BoundedLayers {
  private let heights: [Double]
  private let successors: [[Int]]
  private let predecessors: [[Int]]
  private let count: Int
  private let capacity: Double
  private let meanHeight: Double
  private let costOfReversal: Double
  private let seed: UInt64
  private var layers: [Int]
  private var loads: [Double]

  /// The cost of an edge within a layer, in layers crossed.
  private static let costWithinLayer = 10.0
  /// The cost of a box that exceeds the height of its layer.
  private static let costOfOverflow = 4.0

  /// - Parameters:
  ///   - edges: edges without self-loops, in their preferred direction.
  ///   - heights: the heights of the boxes, including the distance to the next.
  ///   - count: the desired number of layers, at least 2.
  ///   - capacity: the desired maximum height of a layer.
  ///   - costOfReversal: the cost of an edge to an earlier layer, in layers crossed.
  init(
    _ edges: [(from: Int, to: Int)], heights: [Double], count: Int, capacity: Double, costOfReversal: Double,
    seed: UInt64
  ) {
    let neighbours = Neighbours(edges, count: heights.count)
    (successors, predecessors) = (neighbours.successors, neighbours.predecessors)
    (self.heights, self.count, self.capacity) = (heights, count, capacity)
    (self.costOfReversal, self.seed) = (costOfReversal, seed)
    meanHeight = max(heights.reduce(0, +) / Double(max(heights.count, 1)), 1)
    layers = [Int](repeating: -1, count: heights.count)
    loads = [Double](repeating: 0, count: count)
  }

  /// Searches for the layer of each box. Layers are numbered from 0 without gaps, and no edge stays within a layer.
  mutating func search() -> [Int] {
    placeGreedily()
    improve()
    return separated()
  }

  /// The cost of a search, in steps of a `LayoutEffort`: each move reads the edges of a box twice.
  static func steps(boxes: Int, edges: Int) -> Int { movesForBox * (10 * boxes + 8 * edges) }

  private static let movesForBox = 400

  /// The cost of a box in a layer; neighbours without a layer cost nothing.
  private func cost(of box: Int, in layer: Int) -> Double {
    var cost = 0.0
    for other in successors[box] where layers[other] >= 0 {
      cost += edgeCost(layers[other] - layer)
    }
    for other in predecessors[box] where layers[other] >= 0 {
      cost += edgeCost(layer - layers[other])
    }
    let load = loads[layer] - (layers[box] == layer ? heights[box] : 0)
    let overflow = max(0, load + heights[box] - capacity) - max(0, load - capacity)
    return cost + BoundedLayers.costOfOverflow * overflow / meanHeight
  }

  private func edgeCost(_ span: Int) -> Double {
    if span == 0 { return BoundedLayers.costWithinLayer }
    return span > 0 ? Double(span - 1) : Double(-span - 1) + costOfReversal
  }

  private mutating func move(_ box: Int, to layer: Int) {
    if layers[box] >= 0 { loads[layers[box]] -= heights[box] }
    layers[box] = layer
    loads[layer] += heights[box]
  }

  /// Places one box after the other, the one with the most placed neighbours first.
  private mutating func placeGreedily() {
    var placed = [Int](repeating: 0, count: heights.count)
    let degree = heights.indices.map { successors[$0].count + predecessors[$0].count }
    var remaining = Array(heights.indices)
    while !remaining.isEmpty {
      var best = 0
      for index in remaining.indices {
        let (a, b) = (remaining[index], remaining[best])
        if (placed[a], degree[a]) > (placed[b], degree[b]) { best = index }
      }
      let box = remaining.remove(at: best)
      // The first box goes to the middle, so that its neighbours have room on both sides.
      move(box, to: placed[box] == 0 ? count / 2 : bestLayer(of: box))
      for other in successors[box] { placed[other] += 1 }
      for other in predecessors[box] { placed[other] += 1 }
    }
  }

  private func bestLayer(of box: Int) -> Int {
    var best = (layer: 0, cost: Double.infinity)
    for layer in 0..<count {
      let cost = cost(of: box, in: layer)
      if cost < best.cost { best = (layer, cost) }
    }
    return best.layer
  }

  private mutating func improve() {
    var random = SplitMix(seed: seed)
    let steps = BoundedLayers.movesForBox * heights.count
    for step in 0..<steps {
      let threshold = 1.2 * (1 - Double(step) / Double(steps))
      let box = random.below(heights.count)
      let layer = random.below(count)
      if layer == layers[box] { continue }
      if cost(of: box, in: layer) - cost(of: box, in: layers[box]) < threshold { move(box, to: layer) }
    }
    for _ in 0..<20 {
      var isChanged = false
      for box in heights.indices {
        let layer = bestLayer(of: box)
        if cost(of: box, in: layer) < cost(of: box, in: layers[box]) - 1e-9 {
          move(box, to: layer)
          isChanged = true
        }
      }
      if !isChanged { break }
    }
  }

  /// The layers, after dividing those that still contain an edge.
  private func separated() -> [Int] {
    var result = layers
    var next = 0
    for layer in 0..<count {
      var parts: [[Int]] = []
      for box in heights.indices where layers[box] == layer {
        let isFree = { (part: [Int]) in
          !part.contains { successors[box].contains($0) || predecessors[box].contains($0) }
        }
        if let part = parts.firstIndex(where: isFree) {
          parts[part].append(box)
        } else {
          parts.append([box])
        }
      }
      for part in parts {
        for box in part { result[box] = next }
        next += 1
      }
    }
    return result
  }
}

/// The points at which edges meet the sides of their boxes, as distances from the top of the box.
struct Ports {
  /// The points at which a self-reference leaves and enters its box.
  struct Loop {
    var isRight: Bool
    var start: Double
    var end: Double
  }

  /// The point at which each edge leaves its left box.
  private(set) var starts: [Double]
  /// The point at which each edge enters its right box.
  private(set) var ends: [Double]
  /// The self-references.
  private(set) var loops: [Loop]

  private enum Use {
    case start(Int)
    case end(Int)
    case loop(Int)
  }

  /// - Parameter loopBoxes: the box of each self-reference.
  init(_ graph: LayeredGraph, loopBoxes: [Int]) {
    starts = [Double](repeating: 0, count: graph.chains.count)
    ends = starts
    loops = [Loop](repeating: Loop(isRight: true, start: 0, end: 0), count: loopBoxes.count)
    let positions = graph.positions
    // The uses of the left and the right side of each box.
    var sides = [[[(use: Use, place: Int)]]](repeating: [[], []], count: graph.boxCount)
    for (edge, chain) in graph.chains.enumerated() {
      sides[chain.first][1].append((.start(edge), positions[chain.items[1]]))
      sides[chain.last][0].append((.end(edge), positions[chain.items[chain.items.count - 2]]))
    }
    // Edges are sorted by their other ends, so that no two on a side cross.
    for box in sides.indices { sides[box] = sides[box].map { $0.sorted { $0.place < $1.place } } }
    for (loop, box) in loopBoxes.enumerated() {
      loops[loop].isRight = sides[box][1].count <= sides[box][0].count
      sides[box][loops[loop].isRight ? 1 : 0].insert((.loop(loop), 0), at: 0)
    }
    for (box, sides) in sides.enumerated() {
      for uses in sides { place(uses.map(\.use), height: graph.heights[box]) }
    }
  }

  /// Distributes the edges of a side around its middle.
  private mutating func place(_ uses: [Use], height: Double) {
    let count = uses.reduce(0) { sum, use in if case .loop = use { sum + 2 } else { sum + 1 } }
    let room = max(height - 2 * LayoutSpacing.portInset, height / 2)
    let step = count > 1 ? min(LayoutSpacing.betweenPorts, room / Double(count - 1)) : 0
    var next = (height - step * Double(count - 1)) / 2
    for use in uses {
      switch use {
      case .start(let edge): starts[edge] = next
      case .end(let edge): ends[edge] = next
      case .loop(let loop):
        loops[loop].start = next
        next += step
        loops[loop].end = next
      }
      next += step
    }
  }
}

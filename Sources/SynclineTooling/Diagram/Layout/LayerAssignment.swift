/// Assigns layers by the longest path, then shortens the edges.
enum LayerAssignment {
  /// The layer of each vertex, from 0: every edge points to a later layer.
  ///
  /// - Parameter edges: edges without cycles.
  static func layers(_ edges: [(from: Int, to: Int)], count: Int) -> [Int] {
    let neighbours = Neighbours(edges, count: count)
    let order = topological(neighbours.successors, missing: neighbours.predecessors.map(\.count))
    var layers = [Int](repeating: 0, count: count)
    for vertex in order {
      for next in neighbours.successors[vertex] { layers[next] = max(layers[next], layers[vertex] + 1) }
    }
    tighten(&layers, order: order, neighbours)
    let first = layers.min() ?? 0
    return layers.map { $0 - first }
  }

  private static func topological(_ successors: [[Int]], missing: [Int]) -> [Int] {
    var missing = missing
    var order = successors.indices.filter { missing[$0] == 0 }
    var next = 0
    while next < order.count {
      for vertex in successors[order[next]] {
        missing[vertex] -= 1
        if missing[vertex] == 0 { order.append(vertex) }
      }
      next += 1
    }
    return order
  }

  /// Moves each vertex towards the side with more of its edges, as far as the edges allow.
  private static func tighten(_ layers: inout [Int], order: [Int], _ neighbours: Neighbours) {
    let (successors, predecessors) = (neighbours.successors, neighbours.predecessors)
    for _ in 0..<8 {
      var isChanged = false
      for vertex in order.reversed() {
        let first = predecessors[vertex].map { layers[$0] + 1 }.max()
        let last = successors[vertex].map { layers[$0] - 1 }.min()
        let balance = successors[vertex].count - predecessors[vertex].count
        guard let target = balance > 0 ? last : balance < 0 ? first : nil else { continue }
        if layers[vertex] != target { isChanged = true }
        layers[vertex] = target
      }
      if !isChanged { break }
    }
  }
}

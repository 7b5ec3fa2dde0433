/// Removes the cycles of a directed graph: the heuristic of Eades, Lin and Smyth for a small
/// feedback arc set.
enum CycleRemoval {
  /// The edges in their order, reversed where needed to avoid cycles.
  ///
  /// - Parameter edges: edges without self-loops.
  static func acyclic(_ edges: [(from: Int, to: Int)], count: Int) -> [(from: Int, to: Int)] {
    let position = sequence(edges, count: count)
    return edges.map { position[$0.from] < position[$0.to] ? $0 : ($0.to, $0.from) }
  }

  /// The position of each vertex in an order in which few edges point back.
  private static func sequence(_ edges: [(from: Int, to: Int)], count: Int) -> [Int] {
    let neighbours = Neighbours(edges, count: count)
    var outgoing = neighbours.successors.map(\.count)
    var incoming = neighbours.predecessors.map(\.count)
    var remaining = Array(0..<count)
    var head: [Int] = []
    var tail: [Int] = []
    func surplus(_ vertex: Int) -> Int { outgoing[vertex] - incoming[vertex] }
    while !remaining.isEmpty {
      let sink = remaining.firstIndex { outgoing[$0] == 0 }
      let taken =
        sink ?? remaining.firstIndex { incoming[$0] == 0 }
        ?? remaining.indices.max { surplus(remaining[$0]) < surplus(remaining[$1]) } ?? 0
      let vertex = remaining.remove(at: taken)
      for other in neighbours.successors[vertex] { incoming[other] -= 1 }
      for other in neighbours.predecessors[vertex] { outgoing[other] -= 1 }
      if sink == nil { head.append(vertex) } else { tail.append(vertex) }
    }
    var position = [Int](repeating: 0, count: count)
    for (index, vertex) in (head + tail.reversed()).enumerated() { position[vertex] = index }
    return position
  }
}

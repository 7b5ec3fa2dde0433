/// The neighbours of each vertex of a graph, once for each edge.
struct Neighbours {
  private(set) var successors: [[Int]]
  private(set) var predecessors: [[Int]]

  init(_ edges: [(from: Int, to: Int)], count: Int) {
    successors = [[Int]](repeating: [], count: count)
    predecessors = successors
    for edge in edges {
      successors[edge.from].append(edge.to)
      predecessors[edge.to].append(edge.from)
    }
  }
}

enum Components {
  /// The vertices of each part, in ascending order; parts are sorted by their first vertex.
  static func of(count: Int, edges: [(from: Int, to: Int)]) -> [[Int]] {
    var parents = Array(0..<count)
    func root(_ vertex: Int) -> Int {
      var vertex = vertex
      while parents[vertex] != vertex {
        parents[vertex] = parents[parents[vertex]]
        vertex = parents[vertex]
      }
      return vertex
    }
    for edge in edges {
      let (a, b) = (root(edge.from), root(edge.to))
      // The smaller one stays the root, to keep the order of the parts.
      if a != b { parents[max(a, b)] = min(a, b) }
    }
    var place = [Int?](repeating: nil, count: count)
    var components: [[Int]] = []
    for vertex in 0..<count {
      let first = root(vertex)
      if let index = place[first] {
        components[index].append(vertex)
      } else {
        place[first] = components.count
        components.append([vertex])
      }
    }
    return components
  }
}

/// Moves single boxes to adjacent layers as long as that improves the layout.
struct LayerImprovement {
  private let neighbours: [[Int]]
  /// The number of layouts that may still be tried.
  private var budget: Int

  init(_ input: ComponentLayout.Input, budget: Int) {
    let neighbours = Neighbours(input.edges.map { ($0.from, $0.to) }, count: input.sizes.count)
    self.neighbours = zip(neighbours.successors, neighbours.predecessors).map { $0 + $1 }
    self.budget = budget
  }

  /// The best layout that was found.
  ///
  /// - Parameter layout: creates the layout for a layer assignment; nil if no more may be tried.
  mutating func improve(
    _ first: ComponentLayout, layers: [Int], layout: ([Int]) -> ComponentLayout?
  ) -> ComponentLayout {
    var (best, layers) = (first, layers)
    var lastChange = 0
    var step = 0
    // Repeats until no move helps.
    while budget > 0, step - lastChange < 2 * layers.count {
      let box = step / 2 % layers.count
      let target = layers[box] + (step % 2 == 0 ? -1 : 1)
      step += 1
      guard (0...(layers.max() ?? 0)).contains(target),
        !neighbours[box].contains(where: { layers[$0] == target })
      else { continue }
      var moved = layers
      moved[box] = target
      moved = LayerImprovement.withoutGaps(moved)
      budget -= 1
      guard let candidate = layout(moved) else { break }
      if candidate.score < best.score { (best, layers, lastChange) = (candidate, moved, step) }
    }
    return best
  }

  private static func withoutGaps(_ layers: [Int]) -> [Int] {
    let numbers = Dictionary(uniqueKeysWithValues: zip(Set(layers).sorted(), 0...))
    return layers.map { numbers[$0] ?? 0 }
  }
}

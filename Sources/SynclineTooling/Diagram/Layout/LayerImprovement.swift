enum LayerImprovement {
  /// Moves single boxes to adjacent layers as long as that improves the layout, and returns the best layout that was found.
  ///
  /// - Parameters:
  ///   - budget: the number of layouts that may be tried.
  ///   - layout: creates the layout for a layer assignment; nil if no more may be tried.
  static func improve(
    _ first: ComponentLayout, of input: ComponentLayout.Input, layers: [Int], budget: Int,
    layout: ([Int]) -> ComponentLayout?
  ) -> ComponentLayout {
    let neighbours = Neighbours(input.edges.map { ($0.from, $0.to) }, count: input.sizes.count)
    var (best, layers, budget) = (first, layers, budget)
    var lastChange = 0
    var step = 0
    // Repeats until no move helps.
    while budget > 0, step - lastChange < 2 * layers.count {
      let box = step / 2 % layers.count
      let target = layers[box] + (step % 2 == 0 ? -1 : 1)
      step += 1
      let others = neighbours.successors[box] + neighbours.predecessors[box]
      guard (0...(layers.max() ?? 0)).contains(target), !others.contains(where: { layers[$0] == target })
      else { continue }
      var moved = layers
      moved[box] = target
      moved = withoutGaps(moved)
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

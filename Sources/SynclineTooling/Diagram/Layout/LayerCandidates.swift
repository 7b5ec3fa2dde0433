/// Candidates for the layer assignment: one follows the direction of the edges, others have a number of layers that
/// suits a page.
enum LayerCandidates {
  /// The layer of each box, for each assignment.
  static func layers(_ input: ComponentLayout.Input, effort: inout LayoutEffort) -> [[Int]] {
    let count = input.sizes.count
    guard count > 1 else { return [[Int](repeating: 0, count: count)] }
    let edges = CycleRemoval.acyclic(input.edges.map { ($0.from, $0.to) }, count: count)
    var candidates = [LayerAssignment.layers(edges, count: count)]
    let heights = input.sizes.map { $0.height + LayoutSpacing.betweenBoxes }
    let total = heights.reduce(0, +)
    let column =
      input.sizes.reduce(0) { $0 + $1.width } / Double(count) + 2 * LayoutSpacing.stub + 2
      * LayoutSpacing.curves
    // The number of layers that fits the page's ratio, if edges take a third of the height.
    let ideal = (Size.pageRatio * total * 1.3 / column).squareRoot()
    let tallest = heights.max() ?? 0
    // Large graphs get fewer candidates, since each takes long. Their edges also take a larger part of the height.
    let isLarge = count > LayoutEffort.unlimitedBoxes
    let factors =
      isLarge
      ? (count > 400 ? [1.2, 1.7, 2.4] : [1, 1.2, 1.4, 1.7, 2, 2.4])
      : effort.isLimited ? [0.75, 1, 1.3, 1.8] : [0.6, 0.75, 0.9, 1, 1.15, 1.3, 1.5, 1.8]
    let costsOfReversal = effort.isLimited ? [0.5] : [0.1, 0.5, 2]
    let reserve = effort.left / 2
    for (seed, factor) in factors.enumerated()
    where !effort.isLimited || effort.left > reserve || candidates.count < 2 {
      let layers = min(max(Int((ideal * factor).rounded()), 2), count)
      for costOfReversal in costsOfReversal {
        var layering = BoundedLayers(
          edges, heights: heights, count: layers, capacity: max(total / Double(layers) * 1.15, tallest),
          costOfReversal: costOfReversal, seed: UInt64(seed))
        let candidate = layering.search()
        effort.spend(BoundedLayers.steps(boxes: count, edges: edges.count))
        if !candidates.contains(candidate) { candidates.append(candidate) }
      }
    }
    // The last candidates are not tried if the effort is spent.
    if effort.isLimited { candidates.append(candidates.removeFirst()) }
    return candidates
  }
}

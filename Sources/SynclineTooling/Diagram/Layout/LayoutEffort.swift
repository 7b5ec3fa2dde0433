/// The steps that a layout may take, which limits the time for large diagrams. Steps are counted instead of measuring time, so
/// that a diagram has the same layout on every machine.
///
/// A step is the comparison of two items of a layer, or a similar amount of other work: a few nanoseconds.
struct LayoutEffort: Hashable, Sendable {
  /// The remaining steps; negative if the last work cost more than was left.
  private(set) var left: Int
  private(set) var spent = 0

  /// Diagrams with up to this number of boxes are improved as long as it helps, unless they have many edges. This takes less than
  /// a second.
  static let unlimitedBoxes = 150
  /// A number of edges that are few for any number of boxes.
  private static let fewEdges = 100
  /// The steps for larger diagrams.
  static let large = 150_000_000
  /// A number of steps that no diagram takes half of, so that more than half of them always remain.
  private static let unlimited = Int.max / 4

  init(steps: Int) { left = steps }

  init(boxes: Int, edges: Int = 0) {
    let isLarge = boxes > LayoutEffort.unlimitedBoxes || edges > max(2 * boxes, LayoutEffort.fewEdges)
    self.init(steps: isLarge ? LayoutEffort.large : LayoutEffort.unlimited)
  }

  /// Whether the number of steps is limited, so that fewer layouts are tried.
  var isLimited: Bool { left < LayoutEffort.unlimited / 2 }

  var isSpent: Bool { left <= 0 }

  mutating func spend(_ steps: Int) {
    left -= steps
    spent += steps
  }

  /// A share of the remaining steps. `add` later subtracts the steps that the work has used.
  func share(_ part: Int, of whole: Int) -> LayoutEffort {
    LayoutEffort(steps: isLimited ? Int(Double(max(left, 0)) * Double(part) / Double(max(whole, 1))) : left)
  }

  mutating func add(_ share: LayoutEffort) { spend(share.spent) }
}

/// The steps that may be spent on a layout, so that a large drawing is made in a given time. Steps are counted, not timed: the
/// same diagram is drawn the same on each machine.
///
/// A step is the comparison of two items of a layer, or as much other work: a few nanoseconds.
struct LayoutEffort: Hashable, Sendable {
  /// The steps that are left; negative after the last one, which may cost more than is left.
  private(set) var left: Int
  /// The steps that have been spent.
  private(set) var spent = 0

  /// Drawings up to this number of boxes are improved as long as it helps, which takes less than a second.
  static let unlimitedBoxes = 150
  /// The steps for larger ones.
  static let large = 150_000_000
  /// More than twice the steps that any drawing takes, so more than half of them are always left.
  private static let unlimited = Int.max / 4

  init(steps: Int) { left = steps }

  /// The effort for a drawing.
  init(boxes: Int) {
    self.init(steps: boxes > LayoutEffort.unlimitedBoxes ? LayoutEffort.large : LayoutEffort.unlimited)
  }

  /// Whether it is limited, so that less is tried.
  var isLimited: Bool { left < LayoutEffort.unlimited / 2 }

  var isSpent: Bool { left <= 0 }

  mutating func spend(_ steps: Int) {
    left -= steps
    spent += steps
  }

  /// A share of what is left, for work whose costs are added by `add`.
  func share(_ part: Int, of whole: Int) -> LayoutEffort {
    LayoutEffort(steps: isLimited ? Int(Double(max(left, 0)) * Double(part) / Double(max(whole, 1))) : left)
  }

  /// Adds what a share has spent.
  mutating func add(_ share: LayoutEffort) { spend(share.spent) }
}

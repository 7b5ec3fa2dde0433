/// Packs rectangles into a page of 3:2.
enum Packing {
  /// The top left corner of each rectangle, and the size of all together.
  typealias Result = (origins: [Point], size: Size)

  /// A step of the lower contour of the rectangles placed so far.
  private struct Step {
    var x, width, y: Double
  }

  /// Tries several widths, and returns the packing with the smallest page.
  static func pack(_ sizes: [Size], gap: Double) -> Result {
    let widest = sizes.map(\.width).max() ?? 0
    let area = sizes.reduce(0) { $0 + ($1.width + gap) * ($1.height + gap) }
    let ideal = (area * Size.pageRatio).squareRoot()
    let results = stride(from: 70, through: 200, by: 5).lazy.map { percent in
      pack(sizes, gap: gap, width: max(widest, ideal * Double(percent) / 100))
    }
    return results.min { $0.size.pageHeight < $1.size.pageHeight } ?? ([], Size(width: 0, height: 0))
  }

  /// Puts each rectangle at the highest free position, the large ones first.
  private static func pack(_ sizes: [Size], gap: Double, width: Double) -> Result {
    let order = sizes.indices.sorted { (-sizes[$0].height, $0) < (-sizes[$1].height, $1) }
    var result: Result = (sizes.map { _ in Point(x: 0, y: 0) }, Size(width: 0, height: 0))
    var skyline = [Step(x: 0, width: width + gap, y: 0)]
    for index in order {
      let size = Size(width: sizes[index].width + gap, height: sizes[index].height + gap)
      let origin = highest(size.width, in: skyline)
      cover(&skyline, from: origin.x, width: size.width, to: origin.y + size.height)
      result.origins[index] = origin
      result.size.width = max(result.size.width, origin.x + sizes[index].width)
      result.size.height = max(result.size.height, origin.y + sizes[index].height)
    }
    return result
  }

  private static func highest(_ width: Double, in skyline: [Step]) -> Point {
    let right = skyline.last.map { $0.x + $0.width } ?? 0
    var best: Point?
    for (index, step) in skyline.enumerated() where step.x + width <= right + 1e-6 {
      var y = 0.0
      // Steps follow each other without gaps.
      for under in skyline[index...] {
        if under.x >= step.x + width { break }
        y = max(y, under.y)
      }
      if best.map({ y < $0.y }) ?? true { best = Point(x: step.x, y: y) }
    }
    return best ?? Point(x: 0, y: skyline.map(\.y).max() ?? 0)
  }

  private static func cover(_ skyline: inout [Step], from x: Double, width: Double, to y: Double) {
    var steps: [Step] = []
    for step in skyline {
      let end = step.x + step.width
      if step.x < x { steps.append(Step(x: step.x, width: min(end, x) - step.x, y: step.y)) }
      if end > x + width {
        let start = max(step.x, x + width)
        steps.append(Step(x: start, width: end - start, y: step.y))
      }
    }
    steps.append(Step(x: x, width: width, y: y))
    skyline = steps.sorted { $0.x < $1.x }
  }
}

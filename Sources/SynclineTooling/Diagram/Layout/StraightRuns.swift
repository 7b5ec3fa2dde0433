/// Finds heights for a line through ranges, so that the line changes its height as seldom as possible.
enum StraightRuns {
  static func heights(_ ranges: [ClosedRange<Double>]) -> [Double] {
    guard let first = ranges.first, let last = ranges.last else { return [] }
    let (start, end) = (first.lowerBound, last.lowerBound)
    var heights: [Double] = []
    var run: (range: ClosedRange<Double>, count: Int) = (first, 0)
    func closeRun() {
      // As close as the range allows to the direct line between both ends.
      let middle = (Double(heights.count) + Double(run.count) / 2) / Double(ranges.count)
      let wish = start + (end - start) * middle
      let height = min(max(wish, run.range.lowerBound), run.range.upperBound)
      heights += [Double](repeating: height, count: run.count)
    }
    for range in ranges {
      if range.overlaps(run.range) {
        run = (range.clamped(to: run.range), run.count + 1)
      } else {
        closeRun()
        run = (range, 1)
      }
    }
    closeRun()
    return heights
  }
}

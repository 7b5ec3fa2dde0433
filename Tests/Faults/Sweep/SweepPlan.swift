/// Selects the points of a workload that are tried.
struct SweepPlan {
  /// The faults, in the order in which they are tried.
  var faults = Fault.all
  /// Tries every n-th of the selected points.
  var every = 1
  /// The maximum number of points; nil for all.
  var budget: Int?
  /// The number of points of faults with a limit, if it is greater than that limit.
  var limit = 0
  /// The number of the only point to try for each fault.
  var only: Int?

  /// - Parameter count: counts the calls of some kinds that the workload makes.
  func points(
    _ counts: CallCounts, count: (FaultKinds) async throws -> Int
  ) async throws -> [(fault: Fault, number: Int)] {
    var counts = counts
    var points: [(fault: Fault, number: Int)] = []
    for fault in faults {
      if let only {
        points.append((fault, only))
        continue
      }
      if let budget, points.count >= budget { break }
      let total = try await counts.number(of: fault.kinds, count)
      let most = fault.limit.map { max($0, limit) } ?? total
      let numbers = SweepPlan.spread(min(total, most), over: total)
      guard let budget else {
        points += stride(from: 0, to: numbers.count, by: every).map { (fault, numbers[$0]) }
        continue
      }
      // A small number of points is more useful if it includes several faults.
      let share = max(2, budget / faults.count)
      let chosen = SweepPlan.spread(min(share, numbers.count, budget - points.count), over: numbers.count)
      points += chosen.map { (fault, numbers[$0]) }
    }
    return points
  }

  /// Numbers below a total, evenly distributed.
  static func spread(_ count: Int, over total: Int) -> [Int] {
    (0..<count).map { (2 * $0 + 1) * total / (2 * count) }
  }
}

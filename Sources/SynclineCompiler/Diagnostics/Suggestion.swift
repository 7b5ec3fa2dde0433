/// The name that somebody meant who wrote another.
enum Suggestion {
  /// The candidate nearest to a name, if it is near enough to be meant.
  static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    // A longer name is no slip of the fingers, and the distance is dear.
    guard name.utf8.count <= 128 else { return nil }
    let limit = max(1, name.count / 3)
    return candidates
      .filter { abs($0.count - name.count) <= limit }
      .map { (candidate: $0, distance: distance(name.lowercased(), $0.lowercased())) }
      .filter { $0.distance <= limit }
      .min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?
      .candidate
  }

  /// How many letters must be added, dropped, changed or swapped with the next.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, beforePrevious[j - 1] + 1) }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }

  static func didYouMean(_ name: String, in candidates: some Sequence<String>) -> String {
    nearest(to: name, in: candidates).map { "; did you mean “\($0)”?" } ?? ""
  }
}

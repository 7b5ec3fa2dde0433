/// The number of crossings between each pair of items of a layer, for both orders of the pair.
struct CrossingMatrix {
  private let count: Int
  private var entries: [Int32]

  /// Creates the matrix from the sorted positions of the items to which each item is connected.
  init(left: [[Int]], right: [[Int]]) {
    count = left.count
    entries = [Int32](repeating: 0, count: count * count)
    enter(left)
    enter(right)
  }

  /// The change in crossings if the second item moves before the first; negative if that saves some.
  func change(_ first: Int, _ second: Int) -> Int {
    Int(entries[second * count + first] - entries[first * count + second])
  }

  private mutating func enter(_ ends: [[Int]]) {
    for (a, first) in ends.enumerated() {
      guard let last = first.last else { continue }
      for (b, second) in ends.enumerated() where a != b {
        guard let start = second.first, start < last else { continue }
        // Most items are bends, which have one end on each side.
        let isSimple = first.count == 1 && second.count == 1
        entries[a * count + b] += isSimple ? 1 : CrossingMatrix.crossings(first, second)
      }
    }
  }

  /// The number of crossings between the ends of two items if the first item comes first.
  private static func crossings(_ first: [Int], _ second: [Int]) -> Int32 {
    var crossings: Int32 = 0
    var before = 0
    for end in first {
      while before < second.count, second[before] < end { before += 1 }
      crossings += Int32(before)
    }
    return crossings
  }
}

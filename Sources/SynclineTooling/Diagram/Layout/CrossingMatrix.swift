/// How many crossings each pair of items of a layer has, by which of them stands first.
struct CrossingMatrix {
  private let count: Int
  private var entries: [Int32]

  /// - Parameters:
  ///   - ends: the sorted places of what each item is joined to, to the left and to the right.
  init(left: [[Int]], right: [[Int]]) {
    count = left.count
    entries = [Int32](repeating: 0, count: count * count)
    enter(left)
    enter(right)
  }

  /// What is saved, if negative, by the second item standing before the first.
  func change(_ first: Int, _ second: Int) -> Int {
    Int(entries[second * count + first] - entries[first * count + second])
  }

  private mutating func enter(_ ends: [[Int]]) {
    for (a, first) in ends.enumerated() {
      guard let last = first.last else { continue }
      for (b, second) in ends.enumerated() where a != b {
        guard let start = second.first, start < last else { continue }
        // Bends, which are most of the items, have one end at each side.
        let isSimple = first.count == 1 && second.count == 1
        entries[a * count + b] += isSimple ? 1 : CrossingMatrix.crossings(first, second)
      }
    }
  }

  /// How many ends of the second item stand before each of the first, where the first item stands first.
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

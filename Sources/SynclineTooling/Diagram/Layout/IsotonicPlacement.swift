/// Places items in a row as close to their desired positions as the minimum distances allow. It minimises the weighted
/// squared errors: an isotonic regression, computed by pooling adjacent violators.
enum IsotonicPlacement {
  struct Wish {
    var position: Double
    /// The weight of the wish; positive.
    var weight: Double
    /// The minimum distance from its start to the start of the next item.
    var advance: Double
  }

  private struct Block {
    var sum: Double
    var weight: Double
    var count: Int
    var mean: Double { sum / weight }
  }

  static func positions(_ wishes: [Wish]) -> [Double] {
    var blocks: [Block] = []
    var offset = 0.0
    for wish in wishes {
      // After subtracting the distances, the positions only have to ascend.
      var block = Block(sum: (wish.position - offset) * wish.weight, weight: wish.weight, count: 1)
      while let last = blocks.last, last.mean > block.mean {
        block = Block(
          sum: block.sum + last.sum, weight: block.weight + last.weight, count: block.count + last.count)
        blocks.removeLast()
      }
      blocks.append(block)
      offset += wish.advance
    }
    let levels = blocks.flatMap { [Double](repeating: $0.mean, count: $0.count) }
    var positions: [Double] = []
    offset = 0
    for (wish, level) in zip(wishes, levels) {
      positions.append(level + offset)
      offset += wish.advance
    }
    return positions
  }
}

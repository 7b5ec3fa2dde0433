/// Places items in a row as near to where each wants to be as the distances between them let it,
/// by the squares of what is missed: an isotonic regression, found by pooling adjacent violators.
enum IsotonicPlacement {
  /// Where an item wants to be.
  struct Wish {
    /// Where its start should be.
    var position: Double
    /// How much that counts; positive.
    var weight: Double
    /// How far the start of the next item must be from its own, at least.
    var advance: Double
  }

  private struct Block {
    var sum: Double
    var weight: Double
    var count: Int
    var mean: Double { sum / weight }
  }

  /// Where each item comes to be.
  static func positions(_ wishes: [Wish]) -> [Double] {
    var blocks: [Block] = []
    var offset = 0.0
    for wish in wishes {
      // Without the distances, the positions only have to ascend.
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

/// A set of known names, prepared for finding the name that was probably intended.
package struct Vocabulary {
  private let words: [(name: String, letters: [Unicode.Scalar])]
  /// The maximum length. Longer names are skipped, because they are rarely mistyped and slow to compare.
  static let longest = 128

  package init(_ names: some Sequence<String>) {
    words = names.map { ($0, Vocabulary.letters($0)) }
  }

  private static func letters(_ name: String) -> [Unicode.Scalar] {
    name.utf8.count > longest ? [] : Array(name.lowercased().unicodeScalars)
  }

  /// The most similar name, if it is similar enough.
  package func nearest(to name: String) -> String? {
    let letters = Vocabulary.letters(name)
    guard !letters.isEmpty else { return nil }
    var best: (distance: Int, name: String)?
    let limit = max(1, letters.count / 3)
    for word in words where !word.letters.isEmpty && abs(word.letters.count - letters.count) <= limit {
      let limit = best?.distance ?? limit
      guard let distance = Vocabulary.distance(letters, word.letters, limit: limit) else { continue }
      if best.map({ (distance, word.name) < $0 }) ?? true { best = (distance, word.name) }
    }
    return best?.name
  }

  package func didYouMean(_ name: String) -> String {
    nearest(to: name).map { "; did you mean “\($0)”?" } ?? ""
  }

  /// The number of letters to add, remove, change or swap with the next; nil above the limit.
  static func distance<Letter: Equatable>(_ left: [Letter], _ right: [Letter], limit: Int) -> Int? {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = beforePrevious
    for i in left.indices {
      current[0] = i + 1
      var least = i + 1
      for j in right.indices {
        var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        current[j + 1] = best
        least = min(least, best)
      }
      // The next rows depend only on the last two, so the distance exceeds the limit.
      if least > limit, (previous.min() ?? 0) > limit { return nil }
      swap(&beforePrevious, &previous)
      swap(&previous, &current)
    }
    return previous[right.count] <= limit ? previous[right.count] : nil
  }
}

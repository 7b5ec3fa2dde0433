/// Finds errors that are caused by two neighboring tokens in the wrong order, such as `[Group} ]`.
///
/// It parses the file again with the two tokens swapped. If this removes errors and causes no other, the first of them gets a fix-it
/// that swaps the tokens. The others are dropped, since they follow from the same mistake. Only files with errors are parsed again.
struct SwappedTokens {
  private let file: SourceFile
  private let tokens: [Token]
  private let diagnostics: (SourceFile) -> [Diagnostic]

  /// What identifies an error in both versions of a file. A swap changes no other offsets.
  private struct Key: Hashable {
    let offset: Int
    let message: String
  }

  /// The number of bytes that may still be parsed, so that a file with many errors is not slow.
  private var budget = 400_000
  /// The maximum number of errors of a file, since one swap causes few errors.
  private static let errorLimit = 12
  /// The pairs that are tried: the positions of their first tokens relative to the token of the error, most likely first.
  private static let distances = [-1, 0, -2, 1, -3]

  /// - Parameter diagnostics: returns the diagnostics of another version of the file.
  init(_ file: SourceFile, _ tokens: [Token], diagnostics: @escaping (SourceFile) -> [Diagnostic]) {
    (self.file, self.tokens, self.diagnostics) = (file, tokens, diagnostics)
  }

  /// The diagnostics with fix-its for swapped tokens.
  mutating func corrected(_ found: [Diagnostic]) -> [Diagnostic] {
    var found = found
    var index = 0
    guard found.count <= SwappedTokens.errorLimit else { return found }
    while index < found.count {
      if [.unexpectedToken, .invalidType].contains(found[index].code) { correct(index, &found) }
      index += 1
    }
    return found
  }

  /// Adds a fix-it to an error if a swap removes it, unless its own fix-it does.
  private mutating func correct(_ index: Int, _ found: inout [Diagnostic]) {
    let error = SwappedTokens.key(of: found[index])
    let known = Set(found.map(SwappedTokens.key))
    for first in pairs(near: error.offset) {
      let fixIt = swap(first)
      guard let rest = remaining(after: fixIt, known), !rest.contains(error) else { continue }
      if let own = found[index].fixIts.first, let left = remaining(after: own, known), !left.contains(error),
        left.count <= rest.count
      {
        return
      }
      found[index].fixIts = [fixIt]
      let later = found[(index + 1)...].filter { rest.contains(SwappedTokens.key(of: $0)) }
      found.replaceSubrange((index + 1)..., with: later)
      return
    }
  }

  /// The errors that are left after a fix-it; nil if there are new ones.
  private mutating func remaining(after fixIt: Diagnostic.FixIt, _ known: Set<Key>) -> Set<Key>? {
    guard budget >= file.bytes.count else { return nil }
    budget -= file.bytes.count
    var bytes = file.bytes
    let offsets = fixIt.range.offsets
    bytes.replaceSubrange(offsets, with: Array(fixIt.replacement.utf8))
    let shift = fixIt.replacement.utf8.count - offsets.count
    let text = String(decoding: bytes, as: UTF8.self)
    let changed = SourceFile(path: file.path, relativePath: file.relativePath, text: text)
    let rest = Set(
      diagnostics(changed).map { diagnostic in
        let key = SwappedTokens.key(of: diagnostic)
        return key.offset < offsets.upperBound + shift
          ? key : Key(offset: key.offset - shift, message: key.message)
      })
    return rest.isSubset(of: known) ? rest : nil
  }

  private static func key(of diagnostic: Diagnostic) -> Key {
    Key(offset: diagnostic.range.offsets.lowerBound, message: diagnostic.message)
  }

  // MARK: Pairs

  /// The positions of the first tokens of the pairs that may be swapped.
  private func pairs(near offset: Int) -> [Int] {
    let place = tokens.firstIndex { $0.range.upperBound > offset } ?? tokens.count - 1
    return SwappedTokens.distances.map { place + $0 }.filter { first in
      tokens.indices.contains(first) && first + 1 < tokens.count && mayBeSwapped(first)
    }
  }

  private func mayBeSwapped(_ first: Int) -> Bool {
    let (left, right) = (tokens[first], tokens[first + 1])
    guard right.kind != .end, left.kind != .unknown, right.kind != .unknown,
      text(of: first) != text(of: first + 1)
    else { return false }
    // A repeated token is not swapped with the token next to it.
    if first > 0, text(of: first - 1) == text(of: first) { return false }
    if first + 2 < tokens.count, text(of: first + 1) == text(of: first + 2) { return false }
    // Only braces move to another line, and only members begin lines.
    if right.startsLine {
      if Keyword.Kind(rawValue: text(of: first + 1)) != nil { return false }
      return left.kind == .rightBrace && ![.number, .string, .at].contains(right.kind)
        || right.kind == .leftBrace && [.identifier, .at].contains(left.kind)
    }
    if left.startsLine, Keyword.Kind(rawValue: text(of: first)) != nil { return false }
    if left.startsLine, ![.identifier, .at].contains(right.kind) { return false }
    return !wouldJoin(first - 1, first + 1, at: first - 1) && !wouldJoin(first, first + 2, at: first + 1)
  }

  /// Whether two tokens would become one word, because no blank follows the token at a position.
  private func wouldJoin(_ left: Int, _ right: Int, at position: Int) -> Bool {
    guard left >= 0, right < tokens.count else { return false }
    return tokens[position].range.upperBound == tokens[position + 1].range.lowerBound
      && [.identifier, .number].contains(tokens[left].kind)
      && [.identifier, .number].contains(tokens[right].kind)
  }

  private func swap(_ first: Int) -> Diagnostic.FixIt {
    let (left, right) = (tokens[first].range, tokens[first + 1].range)
    let between = file.text(left.upperBound..<right.lowerBound)
    return .init(
      message: "swap “\(text(of: first))” and “\(text(of: first + 1))”",
      range: file.range(left.lowerBound..<right.upperBound),
      replacement: text(of: first + 1) + between + text(of: first))
  }

  private func text(of position: Int) -> String { file.text(tokens[position].range) }
}
